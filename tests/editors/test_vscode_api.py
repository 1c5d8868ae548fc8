"""The extension in VS Code's extension host: what its programming interface says and does.

The tests themselves are in ``vscode/api/topics``, in JavaScript; all of them share one window.
"""

from __future__ import annotations

import pytest

from tests.editors import vscode_runs


@pytest.fixture(scope="module")
def outcome(vsix, tmp_path_factory) -> vscode_runs.Outcome:
    outcome = vscode_runs.run("api.mjs", vsix, tmp_path_factory.mktemp("vscode") / "api")
    for report in outcome.reports:
        if "said" in report:
            print(report["said"])
    return outcome


@pytest.mark.parametrize("topic", vscode_runs.names("api/topics"))
def test_in_the_extension_host(outcome, topic):
    failure = outcome.explain(topic)
    assert not failure, failure


def test_the_run_ended_well(outcome):
    assert not outcome.failed, outcome.errors
