"""Directives against the version and target of the module."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.gate import Need
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import TokenKind

GATED = frozenset({
    Kind.FUNCTION, Kind.VARIABLE, Kind.ALIAS, Kind.PROTOTYPE, Kind.TARGETS, Kind.PRAGMA, Kind.SECTION, Kind.DIRECTIVE,
})
"""Statements with directives that came later than PTX 1.0."""


def directive_needs(statement: Statement, version: Version, target: Target) -> Iterator[tuple[int, Need]]:
    """The directives of a statement that the module does not have: token and what is lacking."""
    if statement.kind not in GATED:
        return
    directives = catalogue().vocabulary.directives
    for index, token in enumerate(statement.tokens):
        if token.kind is TokenKind.DOT and (directive := directives.get(statement.word(index))) is not None:
            need = directive.gate.why_not(version, target)
            if need is not None:
                yield index, need
