"""Instruction names at the start of a statement; ``cp.async.bulk.tensor`` is one item."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.completion.habits import usual_instructions
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import word_item
from ptx_lsp.isa.completion.newer import opcode_names


def opcodes(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the instructions of this version and target, usual ones first, then newer ones; also the first words."""
    module = place.context.module
    names = opcode_names(module.version, module.target)
    scores = usual_instructions(place, {name.partition(".")[0] for name in names})
    usual = sorted(scores, key=lambda word: (-scores[word], word))
    ranks = {word: 1 + rank for rank, word in enumerate(usual)}
    last = 1 + len(usual)
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
                rank=ranks.get(word, last),
                need=None if available else need,
            )
        first = word
        yield word_item(
            name, ItemKind.INSTRUCTION, place.typed, key=("instruction", name), rank=ranks.get(word, last), need=need
        )
