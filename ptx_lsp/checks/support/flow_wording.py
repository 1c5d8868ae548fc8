"""Wording that the checks of control flow share: names of registers, and their places in a statement."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.text import Span


def name_of(register: str) -> str:
    """A register of the graph as it is written.

    >>> name_of("%r1"), name_of("count 2")
    ('%r1', 'count')
    """
    return register.partition(" ")[0]


def name_span(context: StatementContext, name: str) -> Span:
    """The span at which a statement reads a name: its last mention, since results stand first."""
    tokens = [token for token, _ in context.statement.shape.names if context.word(token) == name]
    return context.span(tokens[-1]) if tokens else context.opcode_span()


def several(name: str, others: int) -> str:
    """A name as it begins a sentence, with the number of others with the same fault.

    >>> several("%f1", 0), several("%f1", 14)
    ("'%f1'", "'%f1' and 14 more")
    """
    return f"'{name}' and {others} more" if others else f"'{name}'"
