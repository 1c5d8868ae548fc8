"""Of more findings than can be shown only some are made; what is shown, and what is said of the rest, is the same."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine import finding_limit
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.finding_limit import Selection
from ptx_lsp.checks.engine.truncation_notice import with_note
from ptx_lsp.diagnostic import Severity
from ptx_lsp.settings import Settings
from ptx_lsp.text import Span

from .test_incremental import DEBUG, MODULE, edits
from .test_shards import in_shards

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
SETTINGS = Settings(max_diagnostics=3)


@pytest.fixture(autouse=True)
def _two_more_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_limit, "_COUNTED", 2)


def kernel(statements: str, name: str = "k") -> str:
    return f".entry {name}()\n{{\n.reg .b32 %r<9>;\n{statements}ret;\n}}\n"


def followed(text: str) -> Selection:
    """What an editor shows in the end."""
    checker = Checker(text, SETTINGS)
    checker.findings(3, at_once=False)
    for _ in checker.follow():
        pass
    return checker.findings(3, at_once=False)


def check_counts(text: str, note: str) -> None:
    """Fail unless the note that not all findings are shown is this one, however the text is checked."""
    checker = Checker(text, SETTINGS)
    at_once = checker.findings(3)
    assert with_note(at_once)[-1].message == f"not shown: {note}; the first one is here (setting 'max-diagnostics')"
    assert [one.message for one in with_note(followed(text))] == [one.message for one in with_note(at_once)]


ERROR = "add.s33 %r1, %r1, 1;\n"
COMMENT = "// ptx-lsp: ignore-file[E302]\n"
WARNING = "shl.b32 %r1, %r1, 99;\n"


def test_few_are_counted() -> None:
    check_counts(HEADER + kernel(ERROR * 4), "1 error")


def test_many_are_not() -> None:
    check_counts(HEADER + kernel(ERROR * 900), "2 or more errors")


def test_errors_before_warnings() -> None:
    check_counts(HEADER + kernel(WARNING * 900 + ERROR), "2 or more warnings")
    assert [one.code for one in followed(HEADER + kernel(WARNING * 900 + ERROR)).shown] == ["W611", "W611", "E302"]


def test_of_many_functions() -> None:
    check_counts(HEADER + "".join(kernel(ERROR, f"k{one}") for one in range(40)), "2 or more errors")


def test_an_error_after_many_functions_with_hints_is_shown() -> None:
    functions = "".join(kernel(".reg .b32 unused;\n", f"k{one}") for one in range(40))
    check_counts(HEADER + functions + kernel(ERROR), "2 or more hints")
    assert "E302" in [one.code for one in followed(HEADER + functions + kernel(ERROR)).shown]


def test_labels_that_nothing_uses() -> None:
    check_counts(HEADER + kernel("".join(f"L{one}:\n" for one in range(600))), "2 or more hints")


def test_labels_with_one_name() -> None:
    check_counts(HEADER + kernel("L:\n" * 600), "2 or more errors")


def test_what_comments_silence_is_no_reason_to_stop() -> None:
    text = COMMENT + HEADER + kernel(ERROR * 900 + "add.s32 %r1, %r2;\n")
    assert [one.code for one in Checker(text, SETTINGS).findings(3).shown if one.severity is Severity.ERROR] == ["E401"]


def test_a_comment_that_silences_them_later() -> None:
    text = HEADER + kernel(ERROR * 900 + "add.s32 %r1, %r2;\n")
    checker = Checker(text, SETTINGS)
    checker.findings(3)
    checker.edit(Span(0, 0), COMMENT)
    assert checker.findings(3) == Checker(COMMENT + text, SETTINGS).findings(3)
    assert "E401" in [one.code for one in checker.findings(3).shown]


@pytest.mark.parametrize("seed", range(6), ids=lambda seed: f"seed-{seed}")
def test_edits(seed: int) -> None:
    text = DEBUG if seed % 2 else MODULE * 2
    checker = Checker(text, SETTINGS)
    for span, new in edits(seed, text, 12):
        checker.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
        checker.diagnostics(3, at_once=False)
        fresh = Checker(text, SETTINGS).findings(3)
        assert checker.findings(3) == fresh
        assert [one.message for one in followed(text).shown] == [one.message for one in fresh.shown]


@pytest.mark.parametrize("count", [2, 3])
def test_shards(count: int) -> None:
    bodies = (ERROR * 3, WARNING * 40, ERROR * 9, "add.s32 %r1, %q1, %q2;\n" * 30, "")
    text = HEADER + "".join(kernel(body * 3, f"k{number}") for number, body in enumerate(bodies))
    found = in_shards(text, count, SETTINGS)
    assert found is not None
    assert found == Checker(text, SETTINGS).findings(3)
