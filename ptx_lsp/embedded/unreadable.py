"""Text of which a look at its first words says that it is no PTX."""

from __future__ import annotations

import re
from functools import cache

from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.unknown_parts import UnknownParts
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.suppressions import MARK

_SIMPLE = re.compile(r"[^{}/\"\\#@\0:]*+", re.ASCII).fullmatch
"""Text without braces, comments, strings, guards and labels."""
_HEADS = re.compile(r"(?:^|;)\s*+([A-Za-z_]\w*+)(?=[.\s])", re.ASCII).findall


def is_unreadable(fragment: AsmFragment) -> bool:
    """Whether an instruction certainly does not exist, which is an error; false where a closer look is needed."""
    text = fragment.text
    if fragment.unknown != _ALL_KNOWN or _SIMPLE(text) is None or not text.isascii() or MARK in text:
        return False
    known = _mnemonics()
    return any(head not in known for head in _HEADS(text))


_ALL_KNOWN = UnknownParts()


@cache
def _mnemonics() -> frozenset[str]:
    return frozenset(catalogue().mnemonics)
