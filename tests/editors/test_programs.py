"""Continuous integration tests at least one real editor."""

from __future__ import annotations

import os

import pytest

from tests.editors.programs import EDITORS, PROGRAMS, found


def test_there_is_an_editor_to_test():
    missing = {editor: [name for name in needs if found(name) is None] for editor, needs in EDITORS.items()}
    if all(missing.values()):
        said = "; ".join(PROGRAMS[name].get for names in missing.values() for name in names)
        if os.environ.get("PTX_LSP_EDITORS") == "required":
            pytest.fail(f"no editor could be had: {said}")
        pytest.skip(said)


@pytest.mark.parametrize("editor", EDITORS)
def test_every_editor_says_what_it_needs(editor):
    assert all(PROGRAMS[name].get for name in EDITORS[editor])
