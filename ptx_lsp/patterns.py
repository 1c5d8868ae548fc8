r"""Regular expressions with possessive groups, also for Python versions with a faulty implementation.

Until 3.11.4 a possessive group that fails within an iteration resumes at the
position of the failure instead of the start of the iteration (CPython issue 106052):
``(?:a|b(?!c))*+`` consumes the ``b`` of ``bc``. Debian 12 has 3.11.2. There the
groups are rewritten as atomic groups, which are equivalent and a little slower.
Possessive characters and classes (``\w++``) are not affected.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache, partial

GROUPS_ARE_RIGHT = sys.version_info >= (3, 11, 5)

_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d*,?\d*\})")


def compile_pattern(pattern: str, flags: re.RegexFlag = re.RegexFlag.NOFLAG) -> re.Pattern[str]:
    """``re.compile``, with possessive groups that work on every Python from 3.11 on."""
    return re.compile(pattern if GROUPS_ARE_RIGHT else with_atomic_groups(pattern), flags)


def compiled_on_use(pattern: str, flags: re.RegexFlag = re.RegexFlag.NOFLAG) -> Callable[[], re.Pattern[str]]:
    """Gives :func:`compile_pattern` of these, compiled when it is first asked for.

    For patterns that few texts need: all of them together take as long to compile as fifty lines to check.
    """
    return cache(partial(compile_pattern, pattern, flags))


def with_atomic_groups(pattern: str) -> str:
    r"""The pattern with ``(...)*+`` written as ``(?>(...)*)``, and so for ``++``, ``?+`` and ``{m,n}+``.

    >>> with_atomic_groups(r"(?:a|b(?!c))*+d++")
    '(?>(?:a|b(?!c))*)d++'
    """
    pieces: list[str] = []
    opened: list[int] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "\\":
            pieces.append(pattern[at : at + 2])
            at += 2
        elif character == "[":
            end = _class_end(pattern, at)
            pieces.append(pattern[at:end])
            at = end
        elif character == ")":
            start = opened.pop()
            at += 1
            quantifier = _QUANTIFIER.match(pattern, at)
            if quantifier and pattern.startswith("+", quantifier.end()):
                group = "".join(pieces[start:])
                pieces[start:] = [f"(?>{group}){quantifier[0]})"]
                at = quantifier.end() + 1
            else:
                pieces.append(character)
        else:
            if character == "(":
                opened.append(len(pieces))
            pieces.append(character)
            at += 1
    return "".join(pieces)


def _class_end(pattern: str, start: int) -> int:
    """The offset after a character class; a ``]`` at its start is a member of the class."""
    at = start + 1
    if pattern.startswith("^", at):
        at += 1
    if pattern.startswith("]", at):
        at += 1
    while pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1
