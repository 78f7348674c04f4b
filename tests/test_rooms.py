"""One direction: no room imports a room to its right."""

import ast
from pathlib import Path

import pytest

KG = Path(__file__).parents[1] / "kg"

MAY_IMPORT = {
    "text": set(),
    "tables": set(),
    "resources": set(),
    "config": {"tables"},
    "sources": {"text", "tables"},
    "authority": {"text", "tables"},
    "extract": {"text", "tables", "authority"},
    "identify": {"text", "tables", "authority", "extract"},
    "graph": {"text", "tables", "resources", "sources", "authority", "extract", "identify"},
    "store": {"resources", "text", "build"},
    "link": {"text", "tables", "authority", "store", "graph"},
    "web": {"text", "tables", "resources", "config", "store", "link", "graph", "build", "identify"},
    "evaluate": {"text", "tables", "sources", "authority", "extract", "identify"},
}
# `kg.build.folder` is where a built folder is found; it imports nothing of ours.
ONLY_FOLDER = {"store", "web"}


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, as dotted names below ``kg``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    package = ("kg", *path.relative_to(KG).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                module = ".".join((*package[: len(package) - node.level + 1], *([module] if module else [])))
            if module == "kg":
                found |= {f"kg.{alias.name}" for alias in node.names}
            else:
                found.add(module)
    return {name.removeprefix("kg.") for name in found if name.startswith("kg.")}


def modules() -> list[Path]:
    return sorted(path for path in KG.rglob("*.py") if path.relative_to(KG).parts[0].removesuffix(".py") in MAY_IMPORT)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(KG)))
def test_a_room_imports_only_rooms_to_its_left(path: Path) -> None:
    room = path.relative_to(KG).parts[0].removesuffix(".py")
    for name in imports(path):
        other = name.split(".")[0]
        if other == "__version__" or other == room:
            continue
        assert other in MAY_IMPORT[room], f"{path.relative_to(KG)} imports kg.{name}"
        if other == "build" and room in ONLY_FOLDER:
            assert name == "build.folder", f"{path.relative_to(KG)} imports kg.{name}"


def test_extraction_and_identity_read_no_files_by_themselves() -> None:
    """They are pure: only their tables beside them are read, once, when the reader is made."""
    for room in ("extract", "identify"):
        for path in (KG / room).rglob("*.py"):
            assert "flask" not in path.read_text(encoding="utf-8").lower(), path
            assert "pyoxigraph" not in path.read_text(encoding="utf-8"), path
