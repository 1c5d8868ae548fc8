"""The brackets around a place in C++: which of them is a function, and whether that is device code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ptx_lsp.hosts.c_tokens import BLOCK_COMMENT, LINE_COMMENT, LITERAL
from ptx_lsp.hosts.host_tables import code_of_word
from ptx_lsp.hosts.site import Certainty, TargetGuard
from ptx_lsp.named_tuples import NamedTuple

MOST_AROUND = 64
"""Of all conditions around a statement, the innermost ones count; the set of targets is larger then."""
_LONGEST_HEAD = 8000
_WORD = re.compile(r"[A-Za-z_]\w*")
_NOISE = re.compile(rf"{LINE_COMMENT}|{BLOCK_COMMENT}|{LITERAL}|^[ \t]*#[^\n]*", re.MULTILINE)
_TYPE = re.compile(r"\b(?:class|struct|union|enum|namespace)\b")
_END_OF_FUNCTION = re.compile(r"\)[\s\w]*\Z")
_ANGLE = re.compile(r"[<>]")
_ATTRIBUTE = re.compile(r"(?:alignas|__align__|__attribute__|__declspec|decltype)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)")
_TEMPLATE = re.compile(r"\btemplate\s*<")


class CodeContext(NamedTuple):
    """The facts about the code in a bracket that it and those around it tell."""

    version: int
    """Of what the brackets say: some say something else from each of their commas on."""
    guards: tuple[TargetGuard, ...] = ()
    """The conditions that hold, of many the innermost ones."""
    block: int = -1
    """The place of the function."""
    certainty: Certainty = Certainty.UNKNOWN


class Bracket:
    """An open ``{`` or ``(``."""

    __slots__ = ("certainty", "code", "condition", "floor", "guards", "inside", "is_function", "negated", "sign")

    def __init__(self, sign: str, code: int, guards: tuple[TargetGuard, ...] = ()) -> None:
        self.sign = sign
        self.code = code
        """Its place, as in :class:`~ptx_lsp.hosts.blocks.FoundSite`."""
        self.floor = 0
        """The offset before which the head of a ``{`` cannot begin."""
        self.guards = guards
        """The conditions that hold within it."""
        self.negated: tuple[TargetGuard, ...] | None = None
        """Of a call like ``NV_IF_TARGET``: the conditions of the arguments so far, negated."""
        self.condition: str | None = None
        """Of such a call: the condition that its current argument is."""
        self.is_function: bool | None = None
        """Whether it is the body of a function; None if its head was not read yet."""
        self.certainty = Certainty.UNKNOWN
        self.inside: CodeContext | None = None
        """The context of the code in it, if it was asked for: the brackets around it are always the same."""

    def classify(self, text: str, start: int) -> None:
        """Reads the head of a ``{`` in a block of lines from ``start`` on, unless it was read."""
        if self.is_function is not None:
            return
        if self.sign == "(":
            self.is_function = False
            return
        head = _without_template(_head(text, start + self.code, self.floor))
        self.is_function = _is_function(head)
        self.certainty = _certainty(head)

    def within(self, around: CodeContext, text: str, start: int) -> CodeContext:
        """The context of the code in it, from the one around it."""
        version, guards, block, certainty = around
        if self.sign == "{" and (block == -1 or certainty != Certainty.DEVICE):
            self.classify(text, start)
            if self.is_function and block == -1:
                block = self.code
            if self.certainty != Certainty.UNKNOWN:
                certainty = self.certainty
        if self.guards:
            guards = (*guards, *self.guards)[-MOST_AROUND:]
        return CodeContext(version, guards, block, certainty)

    @classmethod
    def restored(cls, number: int, facts: tuple[Any, ...]) -> Bracket:
        """The bracket ``number`` of those that are open at the start of a block of lines."""
        bracket = cls(facts[0], -2 - number, facts[1])
        bracket.negated, bracket.condition, bracket.is_function, bracket.certainty = facts[2:]
        return bracket

    def facts(self) -> tuple[object, ...]:
        """All but its place."""
        return self.sign, self.guards, self.negated, self.condition, self.is_function, self.certainty


def code_context(brackets: Sequence[Bracket], version: int, text: str, start: int) -> CodeContext:
    """The context of a place in some open brackets; most of these have it from places before.

    Args:
        brackets: the brackets, the outermost first.
        version: the version of what they say.
        text: the text.
        start: the start of the block of lines.

    """
    known = len(brackets)
    while known and ((inside := brackets[known - 1].inside) is None or inside.version != version):
        known -= 1
    around = brackets[known - 1].inside if known else None
    around = around or CodeContext(version)
    for number in range(known, len(brackets)):
        around = brackets[number].inside = brackets[number].within(around, text, start)
    return around


def is_boundary(text: str, at: int) -> bool:
    """Whether the line before ``at`` ends a statement or opens or closes a block, as far as its last sign says."""
    end = at - 1
    if end > 0 and text[end - 1] == "\r":
        end -= 1
    if end <= 0 or text[end - 1] not in ";{}":
        return False
    return text.find("//", text.rfind("\n", 0, end) + 1, end) < 0


def _head(text: str, at: int, floor: int) -> str:
    """The text between the end of the previous statement and a ``{``, without comments and literals."""
    floor = start = max(floor, at - _LONGEST_HEAD)
    line = at
    while (line := text.rfind("\n", floor, line)) >= 0:
        if is_boundary(text, line + 1):
            start = line + 1
            break
    head = _NOISE.sub(" ", text[start:at])
    cut = max(head.rfind(";"), head.rfind("{"), head.rfind("}"))
    return head[cut + 1 :].strip()


def _certainty(head: str) -> Certainty:
    if "__device__" in head or "__global__" in head:
        return Certainty.DEVICE
    # Macros like CUTE_DEVICE stand before the name of the function.
    codes = {code_of_word(word) for word in _WORD.findall(head.partition("(")[0])}
    return Certainty.DEVICE if "device" in codes else Certainty.HOST if "host" in codes else Certainty.UNKNOWN


def _is_function(head: str) -> bool:
    if "(" not in head or head.endswith("="):
        return False
    head = _ATTRIBUTE.sub(" ", head) if "align" in head or "__attribute__" in head or "__declspec" in head else head
    before, parenthesis, after = head.partition("(")
    if not parenthesis:
        return False
    # A function that returns a struct ends in its parameters, and the words that follow them.
    return _TYPE.search(before) is None or (before.find("namespace") < 0 and _END_OF_FUNCTION.search(after) is not None)


def _without_template(head: str) -> str:
    """The head without ``template <...>``, whose parameters can contain ``class``."""
    start = head.find("template")
    found = _TEMPLATE.search(head, start) if start >= 0 else None
    if found is None:
        return head
    depth = 0
    for sign in _ANGLE.finditer(head, found.end() - 1):
        depth += 1 if sign[0] == "<" else -1
        if not depth:
            return head[: found.start()] + head[sign.end() :]
    return head
