"""Comments that silence findings."""

from __future__ import annotations

import re

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.codes import NAMES, nearest
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.suppressions import Passage, apply, reading, unknown_codes
from ptx_lsp.text import Span
from tests.timed import cpu_seconds


def check_suppressions(text, *shown):
    """Give every ``bad`` in the text an E502; the lines (from 1) of those that are still shown, and other codes."""
    found = [
        Diagnostic("E502", "newer-target", Severity.ERROR, "", Span(*match.span()))
        for match in re.finditer("bad", text)
    ]
    kept = apply(text, found)
    lines = [
        text.count("\n", 0, one.span.start) + 1 if one.code == "E502" else f"{one.code} {one.message}" for one in kept
    ]
    assert lines == list(shown)


def test_at_the_end_of_a_line_it_silences_that_line():
    check_suppressions("bad;\nbad; // ptx-lsp: ignore[E502]\nbad;", 1, 3)


def test_on_a_line_of_its_own_it_silences_the_next():
    check_suppressions("bad;\n    // ptx-lsp: ignore[E502]\nbad;\nbad;", 1, 4)


def test_for_the_whole_file_it_may_stand_anywhere():
    check_suppressions("bad;\nbad;\n// ptx-lsp: ignore-file[E502]")


@pytest.mark.parametrize("codes", ["E502", "newer-target", "E5", "E101, E502", "E101 newer-target", " e502 "])
def test_codes_are_numbers_beginnings_or_names(codes):
    check_suppressions(f"bad; // ptx-lsp: ignore[{codes}]")


@pytest.mark.parametrize("name", ["uninitialized-register", "uninitialised-register"])
def test_a_former_name_of_a_code_stays_valid(name):
    found = [Diagnostic("W620", "uninitialized-register", Severity.WARNING, "", Span(0, 3))]
    assert apply(f"bad; // ptx-lsp: ignore[{name}]", found) == []


def test_without_codes_everything_is_silenced():
    check_suppressions("bad; // ptx-lsp: ignore")


def test_other_codes_stay():
    check_suppressions("bad; // ptx-lsp: ignore[E301]", 1)


def test_blanks_do_not_matter_and_words_may_follow():
    check_suppressions("bad; //ptx-lsp:ignore[E502] until the port to Blackwell is done")


def test_the_comment_above_and_the_one_in_the_line_hold_together():
    check_suppressions("// ptx-lsp: ignore[E502]\nbad; // ptx-lsp: ignore[E301]")


def test_in_the_last_line_nothing_follows():
    check_suppressions("bad;\n// ptx-lsp: ignore[E502]", 1)


def test_an_unknown_code_is_told_with_the_one_that_was_meant():
    check_suppressions(
        "bad; // ptx-lsp: ignore[newer-taget]",
        1,
        "H902 unknown code 'newer-taget'; did you mean 'newer-target'?",
    )


def test_an_unknown_verb_is_told():
    check_suppressions(
        "bad; // ptx-lsp: allow[E502]", 1, "H902 unknown 'allow'; expected 'ignore[…]' or 'ignore-file[…]'"
    )


def test_the_hint_can_be_silenced_too():
    check_suppressions("// ptx-lsp: ignore-file[H902]\n// ptx-lsp: ignore[E999]\n")


def test_many_comments_take_linear_time():
    def seconds(count):
        return cpu_seconds(lambda: check_suppressions("bad; // ptx-lsp: ignore[E502]\n" * count))

    seconds(100)
    assert seconds(20_000) < 40 * max(seconds(2_000), 0.001)


def test_unknown_codes_are_compared_with_all_codes_at_once():
    words = [f"wordd-{number}x" for number in range(100)]
    nearest("first")
    assert steps(lambda: [nearest(word) for word in words]) < len(words) * len(NAMES) * 10


def test_one_comment_of_many_codes_is_read_in_steps():
    passage = Passage(0, f"// ptx-lsp: ignore[{', '.join(['E502', 'newer-target'] * 10_000)}]\n")
    assert sum(1 for _ in reading([passage])) > 8
    assert sum(one is None for one in unknown_codes(passage.text)) > 8
