"""A completion item as plain data; the server maps it to the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ptx_lsp.text import Span


class ItemKind(Enum):
    """The kind of an item, which clients show as an icon."""

    INSTRUCTION = auto()
    QUALIFIER = auto()
    TYPE = auto()
    SPACE = auto()
    DIRECTIVE = auto()
    REGISTER = auto()
    SPECIAL = auto()
    """A special register."""
    VARIABLE = auto()
    PARAMETER = auto()
    LABEL = auto()
    FUNCTION = auto()
    CONSTANT = auto()
    """A predefined constant: ``WARP_SZ``."""
    VALUE = auto()
    """A number, a string, or punctuation."""
    FIELD = auto()
    """An element of a vector, or a field of an opaque type."""
    TARGET = auto()
    VERSION = auto()
    SNIPPET = auto()
    """A multi-line snippet; only for clients with snippet support."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a completion list.

    Items are sorted by rank and, within a rank, by their order of creation; items with ``needs`` come last.
    """

    label: str
    """At most 30 columns."""
    kind: ItemKind
    typed: Span
    """The span that the item replaces: the whole word at the cursor, including its part after the cursor."""
    insert: str = ""
    """The text to insert; empty: the label."""
    snippet: str = ""
    """The text with tab stops (``${1:place}``), for clients with snippet support; empty: none."""
    match: str = ""
    """The filter text, compared with the document from ``typed.start`` on; empty: the inserted text."""
    rank: int = 0
    """The sort rank; smaller ranks come first."""
    detail: str = ""
    """The detail after the label, at most 20 columns: ``.b32``, ``PTX 7.0 sm_80``."""
    needs: str = ""
    """The requirement that the module does not meet: ``PTX 8.6``, ``sm_90a``; empty if the item is available."""
    preselect: bool = False
    """Whether the client preselects it."""
    key: tuple[str, ...] = ()
    """The key for :func:`documentation`: a category and the word in it. Empty: no documentation.

    ``("instruction", "cp.async.bulk")``, ``("qualifier", ".nc", "ld.global")``, ``("word", "%tid")``.
    """
