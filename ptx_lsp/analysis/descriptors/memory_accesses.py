"""Accesses of loads and stores: a name, the bytes from there on, and the operand that is stored there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.dataflow.transfer_functions import TransferFunction, WrittenOperand, number_of, words_of
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk

StatementKey = tuple[Chunk, int]
"""A statement."""

_WIDTH = re.compile(r"\.(?:[bsuf]|bf)(8|16|32|64|128)").fullmatch
_COUNT = re.compile(r"\.v([248])").fullmatch


class Store(NamedTuple):
    """A statement that stores into an object."""

    calls: tuple[StatementKey, ...]
    """The calls through which it is reached, the outermost first."""
    at: StatementKey
    offset: int
    """The first byte of the object that it stores."""
    size: int
    element: int
    """The place among the elements of a vector; -1 if no vector is stored."""

    @property
    def place(self) -> StatementKey:
        """The statement of the function that has the object: a call or the store itself."""
        return self.calls[0] if self.calls else self.at


class Load(NamedTuple):
    """A statement that loads from an object."""

    at: StatementKey | None
    """None if it stands in a function that was called."""
    offset: int | None
    """The first byte that it loads; None if that is not known."""
    size: int


class Followed(NamedTuple):
    """All that is done with an object."""

    stores: tuple[Store, ...]
    """In the order of the text."""
    loads: tuple[Load, ...]
    returned: tuple[tuple[str, int | None], ...]
    """The results of the function that hold its address, and where in it they point."""


def access(
    known: TransferFunction, operand: int, chunk: Chunk, index: int, words: Sequence[str]
) -> tuple[str, int] | None:
    """The name and the number in the address that an operand is; None if it is another address."""
    source = known.operands[operand] if operand < len(known.operands) else None
    if source is None or source.written is not WrittenOperand.ADDRESS:
        return None
    offset = number_of(source.parts[0], words, chunk, index) if source.parts else 0
    return None if offset is None else (words[source.word], offset)


def access_size(known: TransferFunction) -> tuple[int, int] | None:
    """Bytes of one element that a load or store moves, and how many there are; None if that is not clear."""
    widths = [int(found[1]) for word in known.opcode if (found := _WIDTH(word))]
    counts = [int(found[1]) for word in known.opcode if (found := _COUNT(word))]
    return (widths[0] // 8, counts[0] if counts else 1) if len(widths) == 1 else None


def stores(known: TransferFunction, chunk: Chunk, index: int, name: str, base: int) -> Iterator[Store]:
    """The elements that a store stores from a name on; nothing if its address has another name.

    Args:
        known: the store.
        chunk: where it stands.
        index: which of the chunk's statements it is.
        name: a register or variable.
        base: where in the object the name points.

    """
    words = words_of(chunk, index)
    address, size = access(known, 0, chunk, index, words), access_size(known)
    if address is None or address[0] != name or size is None or len(known.operands) != 2:
        return
    for element in range(size[1]):
        at = element if size[1] > 1 else -1
        yield Store((), (chunk, index), base + address[1] + element * size[0], size[0], at)
