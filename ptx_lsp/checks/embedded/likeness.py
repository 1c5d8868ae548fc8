"""Fragments that differ only in the numbers of names that they declare, or in numbers that nothing depends on.

If nothing is found in one of them, nothing is found in the others. Sources have statements like that by the thousand,
and programs that write sources write little else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ptx_lsp import codes
from ptx_lsp.analysis.statements.value_limits import computes, depends_on_values
from ptx_lsp.checks import concerns_of, flow_checks
from ptx_lsp.checks.engine.examination import checks_ignore_literals
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.suppressions import MARK
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape, shape_ids
from ptx_lsp.syntax.split import split

_LONGEST = 300
"""Characters: long statements are hardly alike."""
_COMMENT = re.compile(r"//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/")
WORD = re.compile(rf'{_COMMENT.pattern}|"[^"]*+"|[.%:$@]*+\w++(?:[.:$%]++\w++)*+[.$%]*+', re.ASCII)
"""A word with the signs around it that make it another word; opcodes and registers with all their parts; a string;
a comment."""
COMMENTED_NUMBER = re.compile(r"(?<![\w.%:$@])\d{1,9}+(?![\w.%:$])", re.ASCII)
"""In a comment, where nothing depends on it."""
PARTS = re.compile(r"\w++", re.ASCII).findall
_MOST_DIGITS = 9
_NUMBER = re.compile(rf"[1-9]\d{{0,{_MOST_DIGITS - 1}}}+", re.ASCII).fullmatch
NAME = re.compile(r"[A-Za-z_]\w*\d", re.ASCII).fullmatch
_UNUSUAL = re.compile(r"[^\x01-\x7f]|[\\#]|\b\d++\.|\.\d|\d{10}").search
"""Escapes, numbers with a fraction, long numbers, and what is an error anywhere."""
_STRINGS = re.compile(r'(?:[^"]|"[^"\n]*+")*+').fullmatch
"""Text whose strings have an end."""
_GROUP = re.compile(r"([\w$]++)\s*+<").findall
_WITH_OWN_NAMES = frozenset({Kind.EMPTY, Kind.INSTRUCTION, Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.REGISTERS, Kind.BAD})
_WITH_NUMBERS = frozenset({Kind.EMPTY, Kind.INSTRUCTION, Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.REGISTERS})
_ANY_NUMBER = re.compile(r"(?<![\w$%.])\d").search


class Likeness(NamedTuple):
    """The properties that fragments that are alike have in common."""

    text: str
    """The text with other names for those that end in a number, and one number for all."""
    numbers: tuple[str, ...]
    has_names: bool
    """Whether it has names that end in a number."""
    lengths: tuple[int, ...] = ()
    """If a part is unknown, the lengths of these names and numbers, by which all places are the same."""


_KNOWN: ProcessCache[tuple[str, str, bool], Likeness | None] = ProcessCache(1 << 10)
"""By the text: sources repeat the same statements."""


def likeness(fragment: AsmFragment) -> Likeness | None:
    """The likeness of a fragment; None if only equal ones are like it."""
    if len(fragment.text) > _LONGEST:
        return None
    key = fragment.text, fragment.checked, bool(fragment.unknown.opaque)
    try:
        return _KNOWN[key]
    except KeyError:
        found = _KNOWN[key] = _likeness(*key)
        return found


def _likeness(text: str, checked: str, is_partly_unknown: bool) -> Likeness | None:
    if is_unusual(text):
        return None
    names: dict[str, str] = {}
    numbers: list[str] = []
    literal: set[str] = set()
    commented: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        if word[0] == "/":
            commented.extend(COMMENTED_NUMBER.findall(word))
            word = COMMENTED_NUMBER.sub("1", word)
        if _NUMBER(word) is not None:
            if checked.startswith(word, match.start()):
                numbers.append(word)
            return "1"
        if NAME(word) is None:
            literal.update(PARTS(word))
            return word
        if word not in names:
            names[word] = f"{word.rstrip(_DIGITS)}#{len(names)}"
        return names[word]

    like = WORD.sub(replaced, text)
    if not names.keys().isdisjoint(literal) or not names.keys().isdisjoint(mnemonics()):
        return None
    groups = _GROUP(text) if "<" in text else ()
    if any(name.startswith(prefix) and name[len(prefix) :].isdigit() for prefix in groups for name in names):
        return None
    if like == text and not (numbers or commented):
        return None
    lengths = tuple(map(len, [*names, *numbers, *commented])) if is_partly_unknown else ()
    return Likeness(like, tuple(numbers), bool(names), lengths)


def is_unusual(text: str) -> bool:
    """Whether only equal texts are like a text, whatever words it has."""
    if len(text) > _LONGEST or _UNUSUAL(text) is not None or MARK in text:
        return True
    if "/" in text and ('"' in text or "/" in _COMMENT.sub("", text)):
        return True
    return '"' in text and _STRINGS(text) is None


_DIGITS = "0123456789"


@cache
def mnemonics() -> frozenset[str]:
    """The names of all instructions, which no statement can have for others."""
    return frozenset(catalogue().mnemonics)


def has_own_names(text: str) -> bool:
    """Whether all names in a text are its own: some directives have names of the language, such as targets."""
    return _WITH_OWN_NAMES.issuperset(SHAPES[number].kind for number in shape_ids(split(text)))


def ignores_numbers(text: str, least: int) -> bool:
    """Whether no finding down to the ``least`` severe depends on the numbers in a text in which there is none."""
    parts = split(text)
    numbers = shape_ids(parts)
    shapes = [*map(SHAPES.__getitem__, set(numbers))]
    declaring = {shape.id for shape in shapes if shape.kind is Kind.REGISTERS}
    if any(number in declaring and _ANY_NUMBER(part) for part, number in zip(parts, numbers, strict=True)):
        return False
    if not checks_ignore_literals({shape.id for shape in shapes if shape.constants}, _MOST_DIGITS):
        return False
    if declaring and _is_followed(shapes, least):
        return False
    return all(
        shape.kind in _WITH_NUMBERS and not shape.errors and not depends_on_values(shape) and not computes(shape)
        for shape in shapes
    )


def _is_followed(shapes: Iterable[Shape], least: int) -> bool:
    """Whether a check down to the ``least`` severe follows the values of the registers that a fragment declares."""
    asked = flow_checks(concerns_of(shape.opcode for shape in shapes if shape.opcode))
    return any(one.rule.severity <= least and one.rule.code not in codes.OF_MODULES for one in asked)
