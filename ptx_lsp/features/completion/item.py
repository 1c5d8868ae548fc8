"""One thing that can be written at the cursor, as plain data. The protocol's words for it are found by the server."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ptx_lsp.text import Span


class ItemKind(Enum):
    """What an item is; editors show a small picture for it."""

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
    """A name with a value: ``WARP_SZ``."""
    VALUE = auto()
    """A number, a string, or punctuation that belongs here."""
    FIELD = auto()
    """An element of a vector, or a field of an opaque type."""
    TARGET = auto()
    VERSION = auto()
    SNIPPET = auto()
    """Lines with places to fill in; not for clients without snippets."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a completion list.

    Items are shown by rank; those of one rank in the order in which they come, those with ``needs`` behind all others.
    """

    label: str
    """At most 30 columns."""
    kind: ItemKind
    typed: Span
    """What accepting the item replaces in the document: the whole word at the cursor, also behind the cursor."""
    insert: str = ""
    """The text that is inserted; empty: the label."""
    snippet: str = ""
    """The same with ``${1:places}`` to fill in, for clients that take snippets; empty: there are none."""
    match: str = ""
    """What the typed word is compared with, from ``typed.start`` on; empty: the inserted text."""
    rank: int = 0
    """Smaller comes first."""
    detail: str = ""
    """At most 20 columns beside the label: ``.b32``, ``PTX 7.0 sm_80``."""
    needs: str = ""
    """What the module lacks for it: ``PTX 8.6``, ``sm_90a``; empty if it may be used here."""
    preselect: bool = False
    """Whether it is the one that is meant most likely."""
    key: tuple[str, ...] = ()
    """Where :func:`documentation` finds its words: the name of a list, and the word in it. Empty: nothing to say.

    ``("instruction", "cp.async.bulk")``, ``("qualifier", ".nc", "ld.global")``, ``("word", "%tid")``.
    """
