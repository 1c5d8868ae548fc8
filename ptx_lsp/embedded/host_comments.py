"""Comments of the host language that are meant for ptx-lsp: ``// ptx-lsp: target sm_90a, sm_100a``."""

from __future__ import annotations

import re

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.suppressions import MARK

COMMENTS = {"python": "#", "mojo": "#", "llvm": ";"}
"""The beginning of comments to the end of the line, where it is not ``//``."""
VERBS = ("target",)
"""The words after the mark that only hosts have."""
_TARGETS = re.compile(r"(?://|#|;)[ \t]*+ptx-lsp:[ \t]*+target[ \t]++([\w,. \t]*+)")
_WORD = re.compile(r"[\w.]+")


def named_targets(text: str) -> tuple[str, ...]:
    """The targets that comments of a file name, of those that exist; a text without comments costs one search."""
    if MARK not in text:
        return ()
    words = [word[0] for match in _TARGETS.finditer(text) for word in _WORD.finditer(match[1])]
    return existing(words)


def existing(words: list[str]) -> tuple[str, ...]:
    """The targets that words name, each once; ``compute_90a`` is ``sm_90a``."""
    known = catalogue().vocabulary.targets
    names = [word.replace("compute_", "sm_") for word in words]
    return tuple(dict.fromkeys(name for name in names if name in known))
