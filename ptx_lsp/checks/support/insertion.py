"""Fixes that put a whole statement before or behind another."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import Use
from ptx_lsp.checks.support.finding import Elsewhere
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.text import Span


def insert_behind(use: Use, statement: str) -> Fix:
    """A fix that writes ``statement`` on a line of its own behind that of ``use``."""
    at = use.span(-1).end
    return Fix(f"insert '{statement}' behind", (Edit(Span(at, at), f"\n{_indentation(use)}{statement}"),))


def insert_before(use: Use, statement: str) -> Fix:
    """A fix that writes ``statement`` on a line of its own before that of ``use``."""
    at = use.statement.lead
    return Fix(f"insert '{statement}' before", (Edit(Span(at, at), f"{statement}\n{_indentation(use)}"),))


def insert_behind_another(use: Use, statement: str, title: str = "") -> Elsewhere | None:
    """A fix of a finding in one statement that writes ``statement`` behind another, ``use``."""
    last = len(use.statement.tokens) - 1
    if use.word(last) != ";":
        return None
    place = use.place._replace(token=last)
    return Elsewhere(title or f"insert '{statement}'", place, f";\n{_indentation(use)}{statement}")


def _indentation(use: Use) -> str:
    """The blanks before a statement, as far as they stand on its line."""
    before = use.statement.text[: use.statement.lead].rpartition("\n")[2]
    return before if before.isspace() else ""
