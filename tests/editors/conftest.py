"""Fixtures of the tests in real editors."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors.programs import EXTENSION, needed


@pytest.fixture(scope="session")
def vsix(tmp_path_factory) -> Path:
    """The extension's package, built once for all workers from what stands in the repository."""
    path = Path(f"{needed('node').parent}{os.pathsep}{os.environ['PATH']}")
    needed("vsce")
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    with (shared / "vsix.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = shared / "ptx-lsp.vsix"
        if not built.exists():
            for command in ([sys.executable, "bundle.py"], ["npm", "run", "--silent", "build"], ["node", "package.mjs"]):
                environment = {**os.environ, "PATH": str(path)}
                done = subprocess.run(command, cwd=EXTENSION, env=environment, capture_output=True, text=True, check=False)
                assert done.returncode == 0, f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}"
            (made,) = EXTENSION.glob("*.vsix")
            made.rename(built)
    return built
