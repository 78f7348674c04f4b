"""schemathesis asks what /openapi.json says may be asked: no fault of the server, and nothing in the answers that is not described."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kg.web.interface import sparql_interface


def ask_all(address: str, limits: Any, folder: Path, examples: int) -> None:
    """Run schemathesis against a service; fails with what it tells."""
    description = folder / "openapi.json"
    info = {"title": "sparql", "version": "0"}
    description.write_text(json.dumps({"openapi": "3.1.0", "info": info, **sparql_interface(limits)}), encoding="utf-8")
    program = Path(sys.executable).parent / "schemathesis"
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    done = subprocess.run(
        [
            *(str(program), "run", str(description), "--url", address, "--max-examples", str(examples), "--seed", "7"),
            *("--no-color", "--generation-database", "none", "--phases", "examples,coverage,fuzzing", "--checks", checks),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_the_interface_holds(service: Any, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    examples = 500 if pytestconfig.getoption("--soak") else 10
    ask_all(f"http://{service.host}:{service.port}", service.pool.limits, tmp_path, examples)
