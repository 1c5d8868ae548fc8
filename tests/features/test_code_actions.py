"""Code actions: what is offered at the cursor, and what the text is afterwards."""

from __future__ import annotations

from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions import code_actions, fix_all
from ptx_lsp.text import Span

from .cursor import opened


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def actions_at(source: str) -> dict[str, str]:
    """The snippet's own text after each action that is offered at the cursor."""
    checker, offset, start = opened(source)
    found = code_actions(checker.document, checker.diagnostics(), Span(offset, offset))
    return {action.title: applied(checker.document.text, action.edits)[start:].rstrip("}\n") for action in found}


def test_a_fix_of_the_finding_under_the_cursor() -> None:
    found = actions_at("add.s3<|>3 %r1, %r2, %r3;")
    assert found["replace by '.s32'"] == "add.s32 %r1, %r2, %r3;"


def test_a_fix_of_the_header() -> None:
    checker, offset, _ = opened("//- sm_80 ptx 7.0\nadd.f32x<|>2 %rd1, %rd2, %rd3;")
    found = code_actions(checker.document, checker.diagnostics(), Span(offset, offset))
    texts = [applied(checker.document.text, action.edits) for action in found]
    assert any(".target sm_100" in text for text in texts)
    assert any(".version 8.6" in text for text in texts)


def test_all_findings_of_one_kind() -> None:
    found = actions_at("add.s3<|>3 %r1, %r2, %r3;\nadd.s33 %r4, %r5, %r6;")
    title = next(title for title in found if title.startswith("fix all 2 of"))
    assert found[title] == "add.s32 %r1, %r2, %r3;\nadd.s32 %r4, %r5, %r6;"


def test_nothing_is_offered_where_nothing_is_wrong() -> None:
    assert actions_at("add.s32 %r1, %r2, %r3;<|>\nret;") == {}


def test_an_error_cannot_be_silenced_but_a_warning_can() -> None:
    found = actions_at("add.s3<|>3 %r1, %r2, %r3;")
    assert not any("silence" in title for title in found)
    found = actions_at("add.acc::f3<|>2.s32 %r1, %r2, %r3; // why")
    title = next(title for title in found if title.startswith("silence W601"))
    assert found[title] == "add.acc::f32.s32 %r1, %r2, %r3; // why // ptx-lsp: ignore[W601]"


def test_a_second_code_goes_into_the_same_comment() -> None:
    found = actions_at("add.acc::f3<|>2.s32 %r1, %r2, %r3; // ptx-lsp: ignore[H901]")
    title = next(title for title in found if title.startswith("silence W601"))
    assert found[title].endswith("// ptx-lsp: ignore[H901, W601]")


def test_fix_all_mends_what_has_one_remedy() -> None:
    checker, _, start = opened("<|>add.s33 %r1, %r2, %r3;\nmul.lo.s23 %r4, %r5, %r6;\nbogus;")
    whole = fix_all(checker.diagnostics())
    assert whole is not None
    text = applied(checker.document.text, whole.edits)[start:]
    assert text.startswith("add.s32 %r1, %r2, %r3;\nmul.lo.s32 %r4")
    assert fix_all([]) is None
