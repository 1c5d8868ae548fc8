"""The conditions and macros of the preprocessor around ``asm`` statements."""

from __future__ import annotations

import re

from ptx_lsp.hosts.c_brackets import Bracket
from ptx_lsp.hosts.c_tokens import LITERAL
from ptx_lsp.hosts.c_variants import BranchMeaning, branch_meaning, one_line
from ptx_lsp.hosts.literals import literal_pieces
from ptx_lsp.hosts.site import TargetGuard
from ptx_lsp.hosts.target_conditions import condition
from ptx_lsp.named_tuples import NamedTuple

MOST_GUARDS = 16
"""Of a long chain of ``#elif``, the first conditions; the set of targets is larger then."""
_LITERALS = re.compile(rf"(?:\s|\\\r?\n)*+(?:{LITERAL}(?:\s|\\\r?\n)*+)++")
_ONE_LITERAL = re.compile(LITERAL)
_IF = re.compile(r"\bif\s*(?:constexpr\s*)?\(")


class OpenCondition(NamedTuple):
    """An open ``#if``."""

    guards: tuple[TargetGuard, ...]
    """The conditions of the current branch."""
    is_device: bool
    negated: tuple[TargetGuard, ...]
    """Those of the branches so far, negated."""
    is_device_otherwise: bool
    is_decided: bool
    """Whether one of the branches so far is always taken."""
    brackets: tuple[Bracket, ...]
    """The brackets that are open before it."""

    @classmethod
    def opened(cls, meaning: BranchMeaning, brackets: list[Bracket]) -> OpenCondition:
        """The first branch."""
        return cls(
            meaning.guards,
            meaning.is_device,
            meaning.negated,
            meaning.is_device_otherwise,
            meaning.value is True,
            tuple(brackets),
        )

    def other_branch(self, word: str, rest: str) -> tuple[OpenCondition, bool]:
        """The branch of ``#else`` or ``#elif``, and whether it is never compiled."""
        meaning = branch_meaning(word[2:], rest) if word != "else" else BranchMeaning((), (), None, False, False)
        branch = OpenCondition(
            (*self.negated, *meaning.guards),
            self.is_device_otherwise or meaning.is_device,
            (*self.negated, *meaning.negated)[:MOST_GUARDS],
            self.is_device_otherwise or meaning.is_device_otherwise,
            self.is_decided or meaning.value is True,
            self.brackets,
        )
        return branch, self.is_decided or meaning.value is False


_BEFORE = 300
AROUND = _BEFORE + 20
"""The characters on each side of an edit that :func:`has_conditions` can depend on."""


def has_conditions(text: str) -> bool:
    """Whether there can be conditions on the target outside of directives."""
    if "NV_IF_" in text or "NV_DISPATCH_TARGET" in text:
        return True
    at = text.find("__CUDA_ARCH__")
    while at >= 0:
        floor = max(0, at - _BEFORE)
        line = text[max(floor, text.rfind("\n", floor, at)) : at]
        if "#" not in line and _IF.search(line):
            return True
        at = text.find("__CUDA_ARCH__", at + 1)
    return False


def call_guards(text: str) -> tuple[tuple[TargetGuard, ...], tuple[TargetGuard, ...]]:
    """The guards of the code after a condition of ``NV_IF_TARGET``, and of what follows."""
    text = one_line(text)
    found = condition(text)
    if found.kind == "other":
        return (), ()
    return (
        (TargetGuard("NV_IF_TARGET", text, False, found.holds),),
        (TargetGuard("NV_IF_TARGET", text, True, found.fails),),
    )


def string_value(body: str) -> str | None:
    """The text of a macro that is a literal, several, or nothing; None for all others."""
    if not body.strip():
        return ""
    if _LITERALS.fullmatch(body) is None:
        return None
    value = ""
    for one in _ONE_LITERAL.finditer(body):
        value += "".join(piece.text for piece in literal_pieces(body, one.start() + 1, one.end() - 1))
    return value
