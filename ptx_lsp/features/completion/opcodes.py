"""Instruction names at the start of a statement; ``cp.async.bulk.tensor`` is one item."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import word_item
from ptx_lsp.isa.completion.newer import opcode_names


def opcodes(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the instructions of this version and target, then newer ones; also the first word of each."""
    module = place.context.module
    names = opcode_names(module.version, module.target)
    first = ""
    for name, need in names.items():
        word = name.partition(".")[0]
        if word != first and word != name and word not in names:
            # `cp` alone is not an instruction; its continuations come next.
            available = any(other is None for longer, other in names.items() if longer.startswith(f"{word}."))
            yield word_item(
                word,
                ItemKind.INSTRUCTION,
                place.typed,
                key=("instruction", word),
                detail="…",
                rank=1,
                need=None if available else need,
            )
        first = word
        yield word_item(name, ItemKind.INSTRUCTION, place.typed, key=("instruction", name), rank=1, need=need)
