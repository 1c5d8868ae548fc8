"""VS Code with clangd and pyright: what a user sees who writes inline assembly in CUDA C++ and Python.

The steps are in ``vscode/hosts``. An extension of the tests starts the two servers, as those for C++ and Python do,
which no package manager has.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors import pictures, vscode_runs
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


@pytest.mark.parametrize("name", pictures.of_steps("hosts"))
def test_the_documentation_shows_what_is_to_be_seen(outcome: vscode_runs.Outcome, name: str) -> None:
    now = outcome.pictures / f"{name}.png"
    assert now.exists(), f"no step takes the picture {name}"
    difference = pictures.difference(pictures.PICTURES / now.name, now)
    assert difference < 12, f"{name}.png is out of date: python -m tests.editors.pictures hosts"


def test_the_picture_of_the_terminal_is_there() -> None:
    assert not pictures.is_blank(pictures.PICTURES / "check.png")
