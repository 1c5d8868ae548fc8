"""What is offered at the cursor, and what the text is afterwards."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions import ActionRequest, CodeAction, code_actions
from ptx_lsp.text import Span

from .cursor import CURSOR, opened

SELECTED = "<||>"
"""The other end of a selection that begins at the cursor."""


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text after edits, which must not touch each other."""
    end = len(text) + 1
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        assert edit.span.end <= end, "two edits overlap"
        end = edit.span.start
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def offered(
    source: str, only: Collection[str] | None = None, *, is_automatic: bool = False
) -> tuple[Checker, int, list[CodeAction]]:
    """The checker of a snippet, where its own lines begin, and the actions at its cursor or selection."""
    before, _, after = source.partition(SELECTED)
    length = len(before) - before.index(CURSOR) - len(CURSOR) if SELECTED in source else 0
    checker, offset, start = opened(before + after)
    asked = ActionRequest(checker.semantics, checker.diagnostics(), Span(offset, offset + length), is_automatic)
    return checker, start, code_actions(asked, only)


def actions_at(source: str, only: Collection[str] | None = None) -> dict[str, str]:
    """By title: the snippet's own text after each action; what is disabled is left out."""
    checker, start, found = offered(source, only)
    text = checker.document.text
    return {one.title: applied(text, one.resolved_edits())[start:].rstrip("}\n") for one in found if not one.disabled}


def reasons_at(source: str, only: Collection[str] | None = None) -> dict[str, str]:
    """By title: why an action cannot be done."""
    return {one.title: one.disabled for one in offered(source, only)[2] if one.disabled}


def whole_after(source: str, title: str, only: Collection[str] | None = None) -> str:
    """The whole text after the action of this title."""
    checker, _, found = offered(source, only)
    action = next(one for one in found if one.title == title and not one.disabled)
    return applied(checker.document.text, action.resolved_edits())


def errors_of(text: str) -> list[Diagnostic]:
    """The errors in a text."""
    return [one for one in Checker(text).diagnostics() if one.severity == 1]
