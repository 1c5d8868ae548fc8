"""Fixes that put a whole statement before or after another."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import RemoteEdit
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.text import Span


def insert_after(context: StatementContext, statement: str) -> Fix:
    """A fix that writes ``statement`` on a line of its own after that of ``context``."""
    at = context.span(-1).end
    return Fix(f"insert '{statement}' after this", (Edit(Span(at, at), f"\n{_indentation(context)}{statement}"),))


def insert_before(context: StatementContext, statement: str) -> Fix:
    """A fix that writes ``statement`` on a line of its own before that of ``context``."""
    at = context.statement.lead
    return Fix(f"insert '{statement}' before this", (Edit(Span(at, at), f"{statement}\n{_indentation(context)}"),))


def insert_after_another(context: StatementContext, statement: str, title: str = "") -> RemoteEdit | None:
    """A fix of a finding in one statement that writes ``statement`` after another, ``context``."""
    last = len(context.statement.tokens) - 1
    if context.word(last) != ";":
        return None
    place = context.place._replace(token=last)
    return RemoteEdit(title or f"insert '{statement}'", place, f";\n{_indentation(context)}{statement}")


def _indentation(context: StatementContext) -> str:
    """The blanks before a statement, as far as they stand on its line."""
    before = context.statement.text[: context.statement.lead].rpartition("\n")[2]
    return before if before.isspace() else ""
