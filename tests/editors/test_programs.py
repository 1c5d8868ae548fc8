"""Continuous integration tests at least one real editor, and the servers of C++ and Python."""

from __future__ import annotations

import os

import pytest

from tests.editors.programs import EDITORS, PROGRAMS, SERVERS, found, needed


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


@pytest.mark.parametrize("server", SERVERS)
def test_the_servers_of_other_languages_are_there(server):
    if os.environ.get("PTX_LSP_EDITORS") == "required":
        assert found(server), PROGRAMS[server].get
    needed(server)
