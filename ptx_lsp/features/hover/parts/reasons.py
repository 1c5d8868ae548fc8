"""What the checks say of an instruction, worded for a hover."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.text import Span

_QUOTED = re.compile(r"'([^'`]+)'")
_CODE = re.compile(r"`[^`]*`")
_MARK = re.compile(r"[^\s`]*[<|*_#\[\]{}][^\s`]*|(?<![\w`])\.[a-z][\w:]*")
_OF_QUALIFIERS_AND_OPERANDS = ("E3", "E4")
_OF_THE_SPELLING = frozenset({"H903", "W601", "W602"})
"""What ptxas takes and should be written otherwise."""


class Reason(NamedTuple):
    """A finding of a check."""

    span: Span
    """In the statement."""
    message: str
    """With code spans."""


def reasons(context: StatementContext) -> Iterator[Reason]:
    """Why an instruction does not fit its form: what is wrong with qualifiers and operands."""
    return _found(context, _OF_QUALIFIERS_AND_OPERANDS)


def advice(context: StatementContext) -> Iterator[Reason]:
    """What of an instruction that fits is deprecated or without effect."""
    return _found(context, tuple(_OF_THE_SPELLING))


def _found(context: StatementContext, codes: tuple[str, ...]) -> Iterator[Reason]:
    from ptx_lsp.checks import CHECKS  # all rules: whoever runs a server has them

    start = context.module.positions.statement_start(context.chunk, context.index)
    for check in CHECKS:
        if hasattr(check, "check") and check.RULE.code.startswith(codes):
            for finding in check.check(context):
                yield Reason(finding.diagnostic.span, in_code(finding.placed(context.module, start).message))


def in_code(message: str) -> str:
    """A message with code spans for quotes, and around what Markdown would take for marks.

    >>> in_code("'%f2' is .f32 (line 5); 'add.s32' wants .s32 here"), in_code("takes 2 operands: d{|p}, a")
    ('`%f2` is `.f32` (line 5); `add.s32` wants `.s32` here', 'takes 2 operands: `d{|p},` a')
    """
    text = _QUOTED.sub(r"`\1`", message)
    pieces, at = [], 0
    for code in _CODE.finditer(text):
        pieces += [_MARK.sub(r"`\g<0>`", text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, _MARK.sub(r"`\g<0>`", text[at:])])
