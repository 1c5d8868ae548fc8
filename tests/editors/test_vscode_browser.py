"""The extension as its user sees it: VS Code in Chromium, driven by keyboard and mouse.

The steps are in ``vscode/steps``, in JavaScript; all of them share one window. A browser on a loaded machine may
stumble: a run in which a step fails is done once more, and both are printed.
"""

from __future__ import annotations

import pytest

from tests.editors import pictures, vscode_runs


@pytest.fixture(scope="module")
def outcome(vsix, tmp_path_factory) -> vscode_runs.Outcome:
    return vscode_runs.run_or_again("browser.mjs", vsix, tmp_path_factory.mktemp("vscode"))


@pytest.mark.parametrize("step", vscode_runs.names("steps"))
def test_in_the_window(outcome, step):
    failure = outcome.explain(step)
    assert not failure, failure


def test_nothing_outside_this_machine_is_asked_for(outcome):
    failure = outcome.explain("nothing outside is asked for")
    assert not failure, failure


@pytest.mark.parametrize("name", pictures.of_steps("steps"))
def test_the_documentation_shows_what_is_to_be_seen(outcome, name):
    committed = pictures.PICTURES / f"{name}.png"
    assert not pictures.is_blank(committed)
    if not name.endswith("-light"):
        now = outcome.pictures / committed.name
        assert now.exists(), f"no step takes the picture {name}"
        # Another font moves letters, another version of VS Code a bar; a picture of something else differs by far more.
        assert pictures.difference(committed, now) < 12, f"{committed} is out of date: python -m tests.editors.pictures"


def test_pictures_are_light_to_carry():
    assert sum(picture.stat().st_size for picture in pictures.PICTURES.glob("*.png")) < 1_500_000
