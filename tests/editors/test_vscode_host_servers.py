"""VS Code with clangd and pyright: what a user sees who writes inline assembly in CUDA C++ and Python.

The steps are in ``vscode/hosts``. An extension of the tests starts the two servers, as those for C++ and Python do,
which no package manager has.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors import vscode_runs
from tests.editors.programs import clangd, pyright


@pytest.fixture(scope="module")
def outcome(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> vscode_runs.Outcome:
    clangd()
    pyright()
    folder = tmp_path_factory.mktemp("hosts")
    return vscode_runs.twice(lambda state: vscode_runs.run_with_host_servers(vsix, state), folder)


@pytest.mark.parametrize("step", vscode_runs.names("hosts"))
def test_in_the_window(outcome: vscode_runs.Outcome, step: str) -> None:
    failure = outcome.explain(step)
    assert not failure, failure
