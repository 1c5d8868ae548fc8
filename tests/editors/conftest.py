"""Fixtures of the tests in real editors."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tests.editors import vscode_runs
from tests.editors.programs import needed


@pytest.fixture(scope="session")
def vsix(tmp_path_factory) -> Path:
    """The package of the extension for VS Code, built once for all workers."""
    for program in ("node", "vsce", "chromium", "code-server"):
        needed(program)
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    built = shared / "ptx-lsp.vsix"
    with (shared / "vsix.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return built if built.exists() else vscode_runs.build(built)
