"""Names that statements get from outside: the operands of inline assembly, and text that is not known.

Statements of inline assembly name their operands ``%0``, ``$1`` … The compiler declares a register for each of them,
or pastes a constant, so that nothing in the text of the statements declares these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache

from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind, operand_code
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Document


class GivenKind(IntEnum):
    """The kinds of given names."""

    REGISTER = 1
    CONSTANT = 2
    """An integer constant, whose value is not known."""
    UNKNOWN = 3
    """Text that is not known."""


class GivenName(NamedTuple):
    """A name with its meaning."""

    name: str
    kind: GivenKind
    type: str = ""
    """The type of a register: ``.b32``."""
    is_input: bool = True
    """Whether it holds a value before the first statement."""
    is_output: bool = False
    """Whether its value is read after the last statement."""


_SYMBOL_KINDS = {
    GivenKind.REGISTER: SymbolKind.REGISTER,
    GivenKind.CONSTANT: SymbolKind.CONSTANT,
    GivenKind.UNKNOWN: SymbolKind.UNKNOWN,
}
_NAMES_IN_A_STEP = 256
_ANY_OPERAND = operand_code(ActualOperand("unknown", role="given"))
_ANY_INTEGER = operand_code(ActualOperand("integer"))


@memoized(1024)
def _symbol(given: GivenName) -> Symbol:
    space = ".reg" if given.kind is GivenKind.REGISTER else ""
    place = Place(_nowhere(), 0, 0)
    return Symbol(given.name, _SYMBOL_KINDS[given.kind], place, type=given.type, space=space, code=_code(given))


@cache
def _nowhere() -> Chunk:
    """A chunk of no document: what is declared there is declared before all statements, and no finding refers to it."""
    return Document(".reg .b32 operand;").chunks[0]


def is_given(symbol: Symbol) -> bool:
    """Whether a symbol comes from outside: no statement declares it."""
    return symbol.place.chunk is _nowhere()


def _code(given: GivenName) -> int:
    if given.kind is GivenKind.REGISTER:
        return operand_code(ActualOperand("register", type=given.type))
    return _ANY_INTEGER if given.kind is GivenKind.CONSTANT else _ANY_OPERAND


def declaring(names: Iterable[GivenName], scope: Scope) -> Iterator[None]:
    """Declare names in the scope around a module, in steps of some hundred."""
    for number, given in enumerate(names, 1):
        scope.declare(_symbol(given))
        if not number % _NAMES_IN_A_STEP:
            yield
