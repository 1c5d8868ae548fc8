"""Pointers into local memory, followed back to their variables: no graph, each register with its only definition.

:class:`AddressWalk` follows addresses on the paths of the graph and joins several definitions. Here one definition is
the rule (unoptimised code writes each register once), and the walk continues through memory and calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.analysis.dataflow.definitions import Definitions
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.dataflow.transfer_functions import (
    TransferFunction,
    WrittenOperand,
    number_of,
    transfer_function,
    words_of,
)
from ptx_lsp.analysis.descriptors.memory_accesses import StatementKey
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

MOVING = frozenset({"mov", "cvta", "add", "sub"})
"""The instructions that a pointer is followed through."""
_LONGEST_WAY = 50
"""So many copies and sums are followed."""


class PointerBase(NamedTuple):
    """A variable or register that a pointer is made of."""

    name: Register
    offset: int
    """The distance of the pointer from it."""


def base_of(definitions: Definitions, at: StatementKey, name: str) -> PointerBase | None:
    """The last name on the way back from a pointer: a variable, or a register that is no copy and no sum."""
    offset = 0
    for _ in range(_LONGEST_WAY):
        register = definitions.register(name, *at)
        if register is None:
            return None
        if is_variable(register):
            return PointerBase(register, offset)
        only = definitions.only(register)
        known = transfer_function(*only[:2]) if only is not None and not only.guarded else None
        if only is None or known is None or known.mnemonic not in MOVING:
            return PointerBase(register, offset)
        at = only[:2]
        words = words_of(*at)
        if len(known.operands) < 2 or known.operands[1].written is not WrittenOperand.NAME:
            return None
        name = words[known.operands[1].word]
        distance = moved(known, words, *at, name)
        if distance is None:
            return None
        offset += distance
    return None


def is_variable(name: Register) -> bool:
    """Whether a name is declared as a variable."""
    return name.declared.chunk.kinds[name.declared.statement] == Kind.VARIABLE


def moved(known: TransferFunction, words: Sequence[str], chunk: Chunk, index: int, name: str) -> int | None:
    """By how many bytes an instruction moves the address in a register or of a variable; None if that is not known."""
    sources = known.operands[1:]
    if known.mnemonic in ("mov", "cvta") and len(sources) == 1 and known.width == 64:
        return 0 if sources[0].written is WrittenOperand.NAME else None
    is_sum = known.mnemonic in ("add", "sub") and len(sources) == 2 and len(known.opcode) == 2
    if not is_sum or sources[0].written is not WrittenOperand.NAME or words[sources[0].word] != name:
        return None
    number = number_of(sources[1], words, chunk, index) if sources[1].written is not WrittenOperand.NAME else None
    return None if number is None else number if known.mnemonic == "add" else -number
