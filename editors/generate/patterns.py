"""Regular expressions of words, in what Python's and Oniguruma's notation share, so that tests can run them.

None of them can backtrack over more than a word: each begins where no word goes on, and no repetition holds another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

WORD = "[A-Za-z0-9_$]"
START = r"(?<![A-Za-z0-9_$%.])"
"""Where no name or number goes on."""
END = "(?![A-Za-z0-9_$])"
NAME = rf"(?:[A-Za-z]{WORD}*|[_%$]{WORD}+)"
"""A name: ``foo``, ``%r1``, ``$L__BB0_1``; not the sink."""
PLAIN = rf"(?:[A-Za-z]{WORD}*|[_$]{WORD}+)"
"""A name that is no register by its look."""
REGISTER = rf"%{WORD}+"
DOTTED = r"\.[A-Za-z0-9_]+(?:::[A-Za-z0-9_]+(?::[0-9]\w*)?)*"
"""A word with a dot: ``.u32``, ``.shared::cta``, ``.sp::2:4``."""
NUMBERS = {
    "float.hex": "0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}",
    "float": r"[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?",
    "hex": "0[xX][0-9a-fA-F]+U?",
    "binary": "0[bB][01]+U?",
    "octal": "0[0-7]+U?",
    "decimal": "(?:0|[1-9][0-9]*)U?",
}
"""The forms of numbers. Source: Integer Constants; Floating-Point Constants."""
NUMBER_END = "(?![A-Za-z0-9_$.])"
MALFORMED = r"\.?[0-9][A-Za-z0-9_$.]*"


def one_of(words: Iterable[str]) -> str:
    """An expression for any of these words, the longest that fits; ``#`` stands for any number.

    Common beginnings are written once: an engine looks at each character a few times, however many words there are.
    """
    tree = _Tree()
    for word in words:
        branch = tree
        for letter in word:
            branch = branch.setdefault(letter, _Tree())
        branch[""] = _Tree()
    return _written(tree)


class _Tree(dict[str, "_Tree"]):
    """The words by their first letters; an empty letter ends one."""


def _written(tree: _Tree) -> str:
    branches = [_letter(letter) + _written(rest) for letter, rest in sorted(tree.items()) if letter]
    if not branches:
        return ""
    if len(branches) == 1 and "" not in tree:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if "" in tree else "")


def _letter(letter: str) -> str:
    return "[0-9]+" if letter == "#" else re.escape(letter)
