"""References and document highlights: all occurrences of the name under the cursor.

The references of an instruction that synchronizes are all instructions that take part with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.cursor import CursorKind, at
from ptx_lsp.analysis.references.occurrences import Access, member, occurrences, placed
from ptx_lsp.analysis.references.synchronization import members_at
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.named_tuples import NamedTuple
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
    return list(each_reference(semantics, offset, with_declaration=with_declaration))


def each_reference(semantics: Semantics, offset: int, *, with_declaration: bool = True) -> Iterator[Reference]:
    """Yield :func:`references` one by one: a name can be used in each line of a file."""
    cursor = at(semantics, offset)
    if cursor is None or cursor.symbol is None:
        return iter(())
    symbol = cursor.symbol
    return _places(semantics, symbol, member(symbol, cursor.word), with_declaration)


def synchronizing(semantics: Semantics, offset: int) -> list[Span] | None:
    """Return the opcodes of the instructions that take part in the barrier or work of the instruction at ``offset``.

    Empty if the cursor is not on the name or a qualifier of such an instruction. None if the barriers of a long
    function are needed that are not found yet; :func:`preparing` finds them.
    """
    cursor = at(semantics, offset)
    if cursor is None or cursor.what not in (CursorKind.OPCODE, CursorKind.QUALIFIER):
        return []
    found = members_at(semantics, cursor.context)
    return None if found is None else list(dict.fromkeys(semantics.module.positions.span_of(place) for place in found))


def preparing(semantics: Semantics, offset: int) -> Iterator[None]:
    """Find the barriers of the function around ``offset``, in steps of some milliseconds."""
    cursor = at(semantics, offset)
    if cursor is not None:
        yield from semantics.finding_barriers(cursor.context.function)


def references_of(semantics: Semantics, name: str, *, with_declaration: bool = True) -> list[Reference]:
    """Return the occurrences of a module-scope function or variable, in text order."""
    symbol = semantics.module.globals.own(name)
    return list(_places(semantics, symbol, None, with_declaration)) if symbol is not None else []


def _places(semantics: Semantics, symbol: Symbol, word: str | None, with_declaration: bool) -> Iterator[Reference]:
    found = occurrences(semantics, symbol, word)
    wanted = found if with_declaration else (one for one in found if one.access is not Access.DECLARE)
    return (Reference(span, one.access) for one, span in placed(semantics.module, wanted))
