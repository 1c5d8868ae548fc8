"""References and document highlights: all occurrences of the name under the cursor."""

from __future__ import annotations

from typing import NamedTuple

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.references.occurrences import Access, member, occurrences, placed
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.text import Span


class Reference(NamedTuple):
    """One occurrence of a name, with its kind of access."""

    span: Span
    access: Access


def references(semantics: Semantics, offset: int, *, with_declaration: bool = True) -> list[Reference]:
    """Return the occurrences of the name at ``offset``, in text order.

    ``%r7`` yields the occurrences of this register and the declaration ``%r<100>``; that declaration yields those of
    all its registers. Special registers and undeclared names have none.
    """
    cursor = at(semantics, offset)
    if cursor is None or cursor.symbol is None:
        return []
    symbol = cursor.symbol
    return _places(semantics, symbol, member(symbol, cursor.word), with_declaration)


def references_of(semantics: Semantics, name: str, *, with_declaration: bool = True) -> list[Reference]:
    """Return the occurrences of a module-scope function or variable, in text order."""
    symbol = semantics.module.globals.own(name)
    return _places(semantics, symbol, None, with_declaration) if symbol is not None else []


def _places(semantics: Semantics, symbol: Symbol, word: str | None, with_declaration: bool) -> list[Reference]:
    found = occurrences(semantics, symbol, word)
    wanted = found if with_declaration else (one for one in found if one.access is not Access.DECLARE)
    return [Reference(span, one.access) for one, span in placed(semantics.module, wanted)]
