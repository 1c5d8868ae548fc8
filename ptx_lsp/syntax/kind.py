"""Statement kinds."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """The kind of a statement; values fit one byte, so that a chunk stores its kinds as ``bytes``."""

    EMPTY = 0  # trivia at the end of the text
    INSTRUCTION = 1
    LABEL = 2
    OPEN = 3  # {
    CLOSE = 4  # }
    REGISTERS = 5  # .reg
    VARIABLE = 6  # any other declaration
    FUNCTION = 7  # head of an .entry, or of a .func with a body
    HEADER = 8  # .version .target .address_size
    LOCATION = 9  # .loc
    FILE = 10
    SECTION = 11  # .section name
    DATA = 12  # a line of a debug section
    PRAGMA = 13
    ALIAS = 14
    PROTOTYPE = 15  # .callprototype
    TARGETS = 16  # .branchtargets .calltargets
    DIRECTIVE = 17  # @@DWARF and the few others
    LINE = 18  # a preprocessor line other than a line marker; ptxas rejects it
    BAD = 19  # unparsable
    FORWARD = 20  # head of a .func that ends with ";": a declaration, also allowed in a body


HEADS = frozenset({Kind.FUNCTION, Kind.FORWARD})
"""Function heads, with or without a body."""
