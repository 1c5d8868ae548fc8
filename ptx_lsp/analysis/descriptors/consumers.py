"""The packed operands that a statement helps to build."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from ptx_lsp.analysis.dataflow.definitions import Definitions
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.dataflow.transfer_functions import (
    OperandSource,
    Part,
    TransferFunction,
    WrittenOperand,
    transfer_function,
    words_of,
)
from ptx_lsp.syntax.chunk import Chunk


def goes_to(
    definitions: Definitions, chunk: Chunk, index: int, wanted: Callable[[Sequence[str]], bool], most: int
) -> Iterator[tuple[Chunk, int, str]]:
    """The instructions with a ``wanted`` opcode that a result of a statement gets to, and by which name.

    The search continues through instructions that keep its bits, and looks at ``most`` statements on the way.
    """
    waiting = deque([(chunk, index)])
    seen = {(chunk, index)}
    left = most
    while waiting:
        chunk, index = waiting.popleft()
        for register in _results(definitions, chunk, index):
            for reader, at in definitions.uses(register):
                left -= 1
                if left < 0:
                    return
                known = transfer_function(reader, at)
                if known is None or (reader, at) in seen:
                    continue
                is_wanted = wanted(known.opcode)
                if not is_wanted and not _passes_on(known, words_of(reader, at), register.name):
                    continue
                single = definitions.single(register, reader, at)
                if single is not None and (single.chunk is not chunk or single.statement != index):
                    continue
                if is_wanted:
                    yield reader, at, register.name
                else:
                    seen.add((reader, at))
                    waiting.append((reader, at))


def _results(definitions: Definitions, chunk: Chunk, index: int) -> Iterator[Register]:
    known = transfer_function(chunk, index)
    if known is None or not known.operands or not known.types or known.mnemonic == "setp":
        return
    words = words_of(chunk, index)
    result = known.operands[0]
    for one in result.parts or (result,):
        register = definitions.register(words[one.word], chunk, index) if one.word >= 0 else None
        if register is not None:
            yield register


def _passes_on(known: TransferFunction, words: Sequence[str], name: str) -> bool:
    """Whether a name is an operand whose bits an instruction passes on, not one that says how far they move."""
    parts = known.parts[Part.WHOLE] if known.mnemonic != "and" else (Part.WHOLE, Part.WHOLE)
    kept = [source for source, part in zip(known.operands[1:], parts, strict=False) if part is not Part.NONE]
    return any(_is_named(source, words, name) for source in kept)


def _is_named(source: OperandSource, words: Sequence[str], name: str) -> bool:
    if source.written is WrittenOperand.VECTOR:
        return any(_is_named(part, words, name) for part in source.parts)
    return source.written is WrittenOperand.NAME and words[source.word] == name
