"""Items for words of the language: what kind each is, and how a long one is shown."""

from __future__ import annotations

from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.newer import short_need
from ptx_lsp.isa.model.gate import Gate, Need
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.text import Span

LABEL_WIDTH = 30
DETAIL_WIDTH = 20


def word_item(
    word: str,
    kind: ItemKind,
    typed: Span,
    *,
    key: tuple[str, ...] = (),
    detail: str = "",
    rank: int = 0,
    need: Need | None = None,
) -> Item:
    """An item for a word of the language; a word that is too long for lists is cut in the label only."""
    return Item(
        shown(word),
        kind,
        typed,
        insert=word,
        match=word,
        rank=rank,
        detail=cut(detail, DETAIL_WIDTH),
        needs=short_need(need) if need is not None else "",
        key=key,
    )


def shown(word: str) -> str:
    """A word as a label: long ones differ at the end.

    >>> shown(".mbarrier::report::validity::per_element::ff")
    '.mbarrier::rep…per_element::ff'
    """
    if len(word) <= LABEL_WIDTH:
        return word
    half = LABEL_WIDTH // 2
    return f"{word[: half - 1]}…{word[-half:]}"


def cut(text: str, width: int) -> str:
    """A text in so many columns.

    >>> cut("Blackwell, data center", 20)
    'Blackwell, data cen…'
    """
    return text if len(text) <= width else text[: width - 1] + "…"


def kind_of(word: str) -> ItemKind:
    """Whether a dotted word is a type, a state space or any other qualifier."""
    vocabulary = catalogue().vocabulary
    if word in vocabulary.types:
        return ItemKind.TYPE
    return ItemKind.SPACE if word in vocabulary.spaces else ItemKind.QUALIFIER


def lacks(gate: Gate, version: Version, target: Target) -> tuple[bool, Need | None]:
    """Whether something exists here or in newer modules, and what this module lacks for it."""
    need = gate.why_not(version, target)
    return need is None or not need.until, need
