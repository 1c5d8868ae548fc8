"""What goes wrong for users of VS Code, as they see it: no Python, a wrong setting, a server that dies, no trust.

The troubles are in ``vscode/troubles``, in JavaScript; each has a VS Code of its own.
"""

from __future__ import annotations

import pytest

from tests.editors import vscode_runs


@pytest.fixture(scope="module")
def outcome(vsix, tmp_path_factory) -> vscode_runs.Outcome:
    return vscode_runs.run_or_again("troubles.mjs", vsix, tmp_path_factory.mktemp("vscode"))


@pytest.mark.parametrize("trouble", vscode_runs.names("troubles"))
def test_a_trouble_is_said_and_survived(outcome, trouble):
    failure = outcome.explain(trouble)
    assert not failure, failure
