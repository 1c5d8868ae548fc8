"""Refactoring: replace a literal by another named value: a selector, lane mask, descriptor template, ``lop3`` table.

Source: the list of named values, the templates on the pages of grammar/layouts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.descriptors import descriptor_at, spelled
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.lop3 import common_tables, expression_of
from ptx_lsp.layouts.templates import templates
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.tree import OperandKind

_MOST = 32
"""The maximum number of actions for one literal."""
_WORD, _BITS = 32, 64
_TABLE = 4
_START = "start"
"""The descriptor field for the start address, which no template sets."""


def named_values(request: ActionRequest) -> Iterator[CodeAction]:
    """Offer the other named values for a literal. They are many, so only on explicit request."""
    cursor = request.cursor
    if request.is_automatic or cursor is None or cursor.what is not CursorKind.NUMBER:
        return
    context, tree = cursor.context, cursor.context.instruction
    value = integer_or_none(cursor.word)
    if tree is None or value is None:
        return
    at = next((at for at, one in enumerate(tree.operands) if one.first <= cursor.token < one.last), None)
    if at is None or tree.operands[at].kind is not OperandKind.INTEGER:
        return
    operand = tree.operands[at]
    span = context.operand_span(operand).shifted(request.start_of(context))
    value = -value if operand.sign == "-" else value
    for number, text, meaning in islice(_others(cursor, at), _MOST):
        bits = _BITS if max(number, value) >> _WORD else _WORD
        if (number - value) % (1 << bits):
            yield CodeAction(f"replace with {text}: {meaning}", (Edit(span, text),), kind=REWRITE)


def _others(cursor: Cursor, at: int) -> Iterator[tuple[int, str, str]]:
    """Yield values with their spelling and meaning."""
    context, tree, match = cursor.context, cursor.context.instruction, cursor.context.match
    assert tree is not None
    role = match.roles[at] if match is not None and at < len(match.roles) else ""
    for named in catalogue().vocabulary.named_values:
        if role and named.is_for(role, tree.opcode):
            yield int(named.text, 16), named.text, named.means
    if tree.opcode[0] == "lop3" and at == _TABLE:
        written = [" ".join(context.text_of(one).split()) for one in tree.operands[1:_TABLE]]
        for table in common_tables():
            yield table, f"0x{table:02X}", expression_of(table, written)
    found = descriptor_at(cursor, cursor.semantics.packed(context.function))
    if found is None:
        return
    packed, _ = found
    for _, reading in templates(packed.layout, packed.spelling):
        if not any(one.field.key == _START for one in reading.fields):
            yield reading.value, spelled(reading.value, cursor.word), reading.short or reading.summary
