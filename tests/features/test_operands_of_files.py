"""Operands offered for statements of real files: what stands there is among them, and whatever is taken is legal."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from benchmarks import kept
from ptx_lsp.analysis.cursor.cursor import CursorKind, at
from ptx_lsp.analysis.cursor.unfinished import unfinished_at
from ptx_lsp.analysis.symbols.symbols import SymbolKind, split_number
from ptx_lsp.checks.engine.checker import Checker, check_text
from ptx_lsp.diagnostic import Severity
from ptx_lsp.features.completion.item import Item
from ptx_lsp.features.completion.operands import operands
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

FILES = [
    "scoped_asm.sm_80.plain",
    "pipelines.sm_80.plain",
    "storage.sm_80.plain",
    "device_runtime.sm_75.unoptimised",
    "f1k",
    "gemm.sm_100a.plain",
    "tensor_memory.sm_100a.plain",
    "calls.sm_80.plain",
    "bulk_copies.sm_90a.plain",
    "textures.sm_80.plain",
    "atomics.sm_90a.plain",
    "warps.sm_90a.plain",
    "integers.sm_80.plain",
    "llvm_calls.sm_80.llvm",
    "ptx_wrappers.sm_100a.plain",
    "tensor_cores.sm_90a.plain",
    "tiny_floats.sm_100a.plain",
    "warpgroups.sm_90a.plain",
    "synchronisation.sm_90a.plain",
    "cluster_launch.sm_90a.plain",
]
OF_SEVERAL_STATEMENTS = ("E430",)
"""Errors about the order of statements, which the offers for one of them do not know."""
STATEMENTS = 32
"""How many of a file are tried."""
TAKEN = 5
"""How many of the first offers are taken."""
LONGEST = 150_000


class Tried(NamedTuple):
    """A name in an operand, and what was offered for it."""

    span: Span
    word: str
    offers: list[Item]


@pytest.mark.parametrize("name", [name for name in FILES if f"{name}.ptx" in kept.names()])
def test_what_is_offered_is_legal_and_what_was_written_is_offered(name: str) -> None:
    text = kept.read(f"{name}.ptx")
    text = text[: text.rindex("\n}\n", 0, LONGEST) + 3] if len(text) > LONGEST else text
    tried = list(_tried(text))
    assert len(tried) >= STATEMENTS // 2
    missing = [_shown(text, one) for one in tried if not _is_among(one.word, one.offers)]
    assert not missing, "\n".join(missing)
    for number in range(TAKEN):
        changed, places = _with_offers(text, tried, number)
        errors = [
            f"{changed[changed.rfind(chr(10), 0, found.span.start) + 1 : found.span.end + 20]!r}: {found.message}"
            for found in check_text(changed)
            if found.severity is Severity.ERROR and found.code not in OF_SEVERAL_STATEMENTS
        ]
        assert not errors, f"offer {number + 1} of {len(places)}:\n" + "\n".join(errors[:8])


def _tried(text: str) -> list[Tried]:
    """Some operands of a file, each taken away once."""
    checker = Checker(text)
    found: list[Tried] = []
    spans = _names(checker)
    random.Random(7).shuffle(spans)
    for span in sorted(spans[:STATEMENTS]):
        word = checker.document.slice(span)
        checker.edit(span, "")
        place = unfinished_at(checker.module, span.start)
        items = operands(checker.semantics, place) if place is not None else ()
        offers = sorted(items, key=lambda item: (bool(item.needs), item.rank))
        found.append(Tried(span, word, offers))
        checker.edit(Span(span.start, span.start), word)
    return found


def _names(checker: Checker) -> list[Span]:
    """One name of an operand of each instruction, that is declared; calls and offsets aside."""
    found = []
    chance = random.Random(3)
    for number, chunk in enumerate(checker.document.chunks):
        base = checker.document.chunk_start(number)
        for index, kind in enumerate(chunk.kinds):
            if kind != Kind.INSTRUCTION:
                continue
            statement = chunk.statement(index)
            tree = statement.shape.tree
            start = base + chunk.starts()[index]
            names = [token for token, _ in statement.shape.names]
            if isinstance(tree, Instruction) and tree.guard is not None:
                names = names[1:]
            if names:
                token = chance.choice(names)
                cursor = at(checker.semantics, statement.span(token).start + start)
                if cursor is not None and cursor.what in (CursorKind.NAME, CursorKind.SPECIAL):
                    found.append(statement.span(token).shifted(start))
    return found


def _is_among(word: str, offers: list[Item]) -> bool:
    """Whether a word, or another register of its group, is among the offers."""
    texts = {offer.insert or offer.label for offer in offers}
    stem = split_number(word)
    groups = {parts[0] for text in texts if (parts := split_number(text))}
    return word in texts or any(text.startswith(f"{word}.") for text in texts) or bool(stem and stem[0] in groups)


def _with_offers(text: str, tried: list[Tried], number: int) -> tuple[str, list[Span]]:
    """The text with one offer in each place."""
    places = []
    for one in reversed(tried):
        offers = [offer for offer in one.offers if not offer.needs]
        if number < len(offers):
            offer = offers[number].insert or offers[number].label
            text = text[: one.span.start] + offer + text[one.span.end :]
            places.append(one.span)
    return text, places


def _shown(text: str, one: Tried) -> str:
    line = text[text.rfind("\n", 0, one.span.start) + 1 : text.find("\n", one.span.end)].strip()
    return f"{line}: '{one.word}' is not among {[offer.insert or offer.label for offer in one.offers][:8]}"


def test_registers_alone_are_most_of_the_names() -> None:
    """The sample is about registers, not about labels only."""
    checker = Checker(kept.read("f1k.ptx"))
    spans = _names(checker)
    kinds = [cursor.symbol.kind for span in spans if (cursor := at(checker.semantics, span.start)) and cursor.symbol]
    assert kinds.count(SymbolKind.REGISTER) > len(kinds) // 2
