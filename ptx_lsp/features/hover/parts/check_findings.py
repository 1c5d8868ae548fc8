"""Findings of checks about an instruction, formatted for a hover."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import without_pauses
from ptx_lsp.text import Span

_QUOTED = re.compile(r"'([^'`]+)'")
_CODE = re.compile(r"`[^`]*`")
_MARK = re.compile(r"[^\s`]*[<|*_#\[\]{}][^\s`]*|(?<![\w`])\.[a-z][\w:]*")
_OF_QUALIFIERS_AND_OPERANDS = ("E205", "E3", "E4")
_OF_THE_SPELLING = frozenset({"H903", "W601", "W602"})
"""Codes of spellings that ptxas accepts and that have a better alternative."""


class CheckFinding(NamedTuple):
    """A finding of a check."""

    span: Span
    """Its span relative to the statement."""
    message: str
    """The message, with code spans."""


def error_findings(context: StatementContext) -> Iterator[CheckFinding]:
    """Yield the findings about qualifiers and operands, which explain why an instruction does not match its form."""
    return _found(context, _OF_QUALIFIERS_AND_OPERANDS)


def advice_findings(context: StatementContext) -> Iterator[CheckFinding]:
    """Yield the findings about deprecated or ineffective parts of a legal instruction."""
    return _found(context, tuple(_OF_THE_SPELLING))


def _found(context: StatementContext, codes: tuple[str, ...]) -> Iterator[CheckFinding]:
    from ptx_lsp.checks import asked_when_flagged  # lazy: loads rules, most of which a server has loaded already

    start = context.module.positions.statement_start(context.chunk, context.index)
    for check in asked_when_flagged():
        if check.check is not None and check.rule.code.startswith(codes):
            for finding in without_pauses(check.check(context)):
                yield CheckFinding(finding.diagnostic.span, in_code(finding.placed(context.module, start).message))


def in_code(message: str) -> str:
    """Replace the quotes of a message by code spans, and protect text that Markdown would interpret.

    >>> in_code("'%f2' is .f32 (line 5); 'add.s32' wants .s32 here"), in_code("takes 2 operands: d{|p}, a")
    ('`%f2` is `.f32` (line 5); `add.s32` wants `.s32` here', 'takes 2 operands: `d{|p},` a')
    """
    text = _QUOTED.sub(r"`\1`", message)
    pieces, at = [], 0
    for code in _CODE.finditer(text):
        pieces += [_MARK.sub(r"`\g<0>`", text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, _MARK.sub(r"`\g<0>`", text[at:])])
