"""The brackets around a place in C++: which of them is a function, and whether that is device code."""

from __future__ import annotations

import re

from ptx_lsp.hosts.cpp.c_tokens import BLOCK_COMMENT, LINE_COMMENT, LITERAL
from ptx_lsp.hosts.host_tables import device_words
from ptx_lsp.hosts.site import Certainty, TargetGuard

_HEAD_LINES = 60
_NOISE = re.compile(rf"{LINE_COMMENT}|{BLOCK_COMMENT}|{LITERAL}|^[ \t]*#[^\n]*", re.MULTILINE)
_TYPE = re.compile(
    r"(?:^|[>\s])(?:class|struct|union|enum|namespace)\b(?!.*\)\s*(?:const|noexcept|override|final|\s)*$)", re.DOTALL
)
_ATTRIBUTE = re.compile(r"(?:alignas|__align__|__attribute__|__declspec|decltype)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)")
_TEMPLATE = re.compile(r"\btemplate\s*<")


class Bracket:
    """An open ``{`` or ``(``."""

    __slots__ = ("certainty", "code", "condition", "guards", "is_function", "negated", "sign")

    def __init__(self, sign: str, code: int, guards: tuple[TargetGuard, ...] = ()) -> None:
        self.sign = sign
        self.code = code
        """Its place, as in :class:`~ptx_lsp.hosts.blocks.FoundSite`."""
        self.guards = guards
        """The conditions that hold within it."""
        self.negated: tuple[TargetGuard, ...] | None = None
        """Of a call like ``NV_IF_TARGET``: the conditions of the arguments so far, negated."""
        self.condition: str | None = None
        """Of such a call: the condition that its current argument is."""
        self.is_function: bool | None = None
        """Whether it is the body of a function; None if its head was not read yet."""
        self.certainty = Certainty.UNKNOWN

    def classify(self, text: str, at: int, floor: int) -> None:
        """Reads the head of a ``{`` at the offset ``at``, not before ``floor``."""
        if self.sign == "(":
            self.is_function = False
            return
        head = _head(text, at, floor)
        self.is_function = _is_function(head)
        device, host = device_words()
        if device.search(head):
            self.certainty = Certainty.DEVICE
        elif host.search(head):
            self.certainty = Certainty.HOST

    def facts(self) -> tuple[object, ...]:
        """All but its place."""
        return self.sign, self.guards, self.negated, self.condition, self.is_function, self.certainty


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
    start = text.rfind("\n", floor, at) + 1 or floor
    for _ in range(_HEAD_LINES):
        if start <= floor or is_boundary(text, start):
            break
        start = text.rfind("\n", floor, start - 1) + 1 or floor
    head = _NOISE.sub(" ", text[max(start, floor) : at])
    cut = max(head.rfind(sign) for sign in ";{}")
    return head[cut + 1 :].strip()


def _is_function(head: str) -> bool:
    if not head.endswith("=") and "(" in head:
        plain = _ATTRIBUTE.sub(" ", _without_template(head))
        return "(" in plain and _TYPE.search(plain) is None
    return False


def _without_template(head: str) -> str:
    """The head without ``template <...>``, whose parameters can contain ``class``."""
    while (found := _TEMPLATE.search(head)) is not None:
        depth = 1
        at = found.end()
        while at < len(head) and depth:
            depth += (head[at] == "<") - (head[at] == ">")
            at += 1
        head = head[: found.start()] + head[at:]
    return head
