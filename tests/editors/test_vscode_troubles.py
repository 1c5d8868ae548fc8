"""What goes wrong for users of VS Code, as they see it: no Python, a wrong setting, a server that dies, no trust.

The troubles are in ``vscode/troubles``, in JavaScript; each has a VS Code of its own.
"""

from __future__ import annotations

import pytest

from tests.editors import vscode_runs


@pytest.fixture(scope="module")
def outcome(vsix, tmp_path_factory) -> vscode_runs.Outcome:
    folder = tmp_path_factory.mktemp("vscode")
    outcome = vscode_runs.run("troubles.mjs", vsix, folder / "troubles")
    if outcome.failed:
        print("first run:", *outcome.reports, sep="\n")
        outcome = vscode_runs.run("troubles.mjs", vsix, folder / "again")
        print("second run:", *outcome.reports, sep="\n")
    return outcome


@pytest.mark.parametrize("trouble", vscode_runs.names("troubles"))
def test_a_trouble_is_said_and_survived(outcome, trouble):
    failure = outcome.explain(trouble)
    assert not failure, failure
