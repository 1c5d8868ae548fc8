"""Weights of the words that follow in opcodes, by what compilers and people write: grammar/frequencies.json.

``python -m benchmarks.frequencies`` counts. Only completion reads the table, when a list is first requested.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.process_cache import memoized


@cache
def _table() -> Mapping[str, Mapping[str, int]]:
    """For each first word of an opcode its continuations with their weights."""
    try:
        return MappingProxyType(json.loads(read_grammar("frequencies.json")))
    except (OSError, ValueError):
        return MappingProxyType({})  # a ranking is not worth a failure


def mnemonic_weight(mnemonic: str) -> int:
    """The weight of all opcodes that begin with a word; 0 if none was counted."""
    return sum(_table().get(mnemonic, {}).values())


@memoized(1024)
def following(opcode: tuple[str, ...]) -> Mapping[str, int]:
    """The words that follow what is written of an opcode, with their weights.

    Opcodes that begin with all that is written decide; if there are none, those that have all its words: of each the
    first other word counts.
    """
    written, rests = opcode[1:], _table().get(opcode[0], {}) if opcode else {}
    begun: dict[str, int] = {}
    holding: dict[str, int] = {}
    wanted = frozenset(written)
    for rest, weight in rests.items():
        words = split_words(rest)
        if words[: len(written)] == written:
            if len(words) > len(written):
                word = words[len(written)]
                begun[word] = begun.get(word, 0) + weight
        elif wanted.issubset(words):
            word = next((one for one in words if one not in wanted), "")
            if word:
                holding[word] = holding.get(word, 0) + weight
    return begun or holding


def split_words(rest: str) -> tuple[str, ...]:
    """The qualifiers in a text.

    >>> split_words(".global.L1::evict_last.f32")
    ('.global', '.L1::evict_last', '.f32')
    """
    return tuple(f".{word}" for word in rest.split(".")[1:])
