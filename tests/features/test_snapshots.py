"""Hovers of the examples on instruction pages are those of the snapshots, and fit every editor."""

from __future__ import annotations

import difflib

import pytest

from tests.features.hovering import check_both
from tests.features.snapshots import COMMAND, FOLDER, file_of, hovers_of, instruction_pages, snapshot


@pytest.mark.parametrize("page", instruction_pages())
def test_hovers_are_those_of_the_snapshot(page: str) -> None:
    path = file_of(page)
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    changed = "\n".join(
        difflib.unified_diff(kept.split("\n"), snapshot(page).split("\n"), "kept", "now", lineterm="", n=1)
    )
    assert not changed, f"if the hovers of {page} should change, run `{COMMAND}`:\n{changed}"


@pytest.mark.parametrize("page", instruction_pages())
def test_hovers_fit_every_editor(page: str) -> None:
    for one in hovers_of(page):
        check_both(one)


def test_no_snapshot_is_left_of_a_page_that_is_gone() -> None:
    assert {*FOLDER.rglob("*.txt")} == {file_of(page) for page in instruction_pages()}
