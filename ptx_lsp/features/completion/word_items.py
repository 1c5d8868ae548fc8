"""Items for words of the language: their kind, shortened label and requirement."""

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
    """Return an item for a word of the language; a word that is too long is shortened in the label only."""
    return Item(
        shown(word),
        kind,
        typed,
        word,
        "",
        word,
        rank,
        cut(detail, DETAIL_WIDTH),
        short_need(need) if need is not None else "",
        key=key,
    )


def shown(word: str) -> str:
    """Shorten a word to the label width by omitting its middle, because long words differ at the end.

    >>> shown(".mbarrier::report::validity::per_element::ff")
    '.mbarrier::rep…per_element::ff'
    """
    if len(word) <= LABEL_WIDTH:
        return word
    half = LABEL_WIDTH // 2
    return f"{word[: half - 1]}…{word[-half:]}"


def cut(text: str, width: int) -> str:
    """Truncate a text to ``width`` columns.

    >>> cut("Blackwell, data center", 20)
    'Blackwell, data cen…'
    """
    return text if len(text) <= width else text[: width - 1] + "…"


def kind_of(word: str) -> ItemKind:
    """Return the kind of a dotted word: type, state space or other qualifier."""
    vocabulary = catalogue().vocabulary
    if word in vocabulary.types:
        return ItemKind.TYPE
    return ItemKind.SPACE if word in vocabulary.spaces else ItemKind.QUALIFIER


def lacks(gate: Gate, version: Version, target: Target) -> tuple[bool, Need | None]:
    """Return whether this or a newer module satisfies a gate, and the requirement that this module does not meet."""
    need = gate.why_not(version, target)
    return need is None or not need.until, need
