"""Values of the operands of an instruction as text, for its table: addresses, coordinates, starts of matrices."""

from __future__ import annotations

import re

from ptx_lsp.analysis.cursor.counterparts import Counterpart
from ptx_lsp.analysis.cursor.expressions import ExpressionReader, KnownExpression
from ptx_lsp.analysis.descriptors.packed_operands import is_looked_at
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

_LONGEST = 48
"""A longer value is shown by its objects only, and in a hover of the operand."""


class OperandValues:
    """The values of the operands of one instruction."""

    def __init__(self, semantics: Semantics, context: StatementContext) -> None:
        self._semantics = semantics
        self._context = context
        self._reader: ExpressionReader | None = None

    def address(self, operand: Operand) -> str:
        """The address that an operand in brackets is, as ``= tile + 16``; empty if no more is known than it says."""
        if operand.kind is not OperandKind.ADDRESS or not self._context.is_inside or not operand.parts:
            return ""
        found = self._made().address(self._context, operand)
        if found is None or not found.is_known:
            mapped = self._counterpart(operand)
            if mapped or found is None:
                return mapped
        if not found.is_known and {"*", "…"}.isdisjoint(found.text):
            return ""  # a register and a constant say no more than the operand
        text = _shortened(found)
        return f" = {text}" if text else ""

    def _counterpart(self, operand: Operand) -> str:
        """``= tile + 8 of CTA %r3``, of an address in another CTA; empty if it is none."""
        base = operand.parts[0]
        if (
            base.kind is not OperandKind.NAME
            or base.name < 0
            or base.selector
            or base.name not in self._context.symbols
        ):
            return ""
        found = self._made().counterpart(self._context, self._context.word(base.name))
        offset = evaluate(self._context.statement, base.offset) if base.offset is not None else 0
        if found is None or not isinstance(offset, int):
            return ""
        place, rank = self._named(found, found.place, offset), self._named(found, found.rank)
        return f" = {place} of CTA {rank}" if rank else f" = {place} in another CTA"

    def _named(self, made: Counterpart, operand: Operand | None, plus: int = 0) -> str:
        """The value of an operand of the instruction that computed the address; as it is written there if unknown."""
        if operand is None:
            return ""
        is_name = operand.kind is OperandKind.NAME and operand.name >= 0 and not operand.selector
        found = self._made().register(made.context, made.context.word(operand.name), plus=plus) if is_name else None
        text = _shortened(found) if found is not None and found.is_known else ""
        more = f" {'+' if plus > 0 else '-'} {abs(plus)}" if plus else ""
        return text or made.context.text_of(operand) + more

    def part(self, operand: Operand) -> str:
        """The value of a register within brackets, or of each of a vector there; empty if none is known."""
        if operand.kind is OperandKind.VECTOR:
            values = [self._register(one) for one in operand.parts]
            shown = ", ".join(
                value or self._context.text_of(one) for one, value in zip(operand.parts, values, strict=True)
            )
            return f" = ({shown})" if any(values) and len(shown) <= _LONGEST else ""
        value = self._register(operand)
        return f" = {value}" if value else ""

    def number(self, operand: Operand) -> int | None:
        """The number that a register which is read as an operand holds; None if it is no register or not known."""
        if not self._is_integer(operand):
            return None
        return self._made().number(self._context, self._context.word(operand.name))

    def object(self, operand: Operand) -> str:
        """The value of a register that is read as an operand, as ``= tile + 16``, if it names a variable."""
        if not self._is_integer(operand):
            return ""
        found = self._made().register(self._context, self._context.word(operand.name))
        if found is None or not found.is_known or not found.short:
            return ""
        return f" = {_shortened(found)}"

    def _is_integer(self, operand: Operand) -> bool:
        """Whether an operand is one register that can hold an integer."""
        if operand.kind is not OperandKind.NAME or operand.name < 0 or operand.selector or operand.sign:
            return False
        symbol = self._context.symbols.get(operand.name)
        is_register = symbol is not None and symbol.kind is SymbolKind.REGISTER and self._context.is_inside
        return is_register and symbol is not None and symbol.type[1:2] in ("b", "u", "s")

    def _register(self, operand: Operand) -> str:
        if operand.kind is not OperandKind.NAME or operand.name < 0 or operand.selector or operand.sign:
            return ""
        symbol = self._context.symbols.get(operand.name)
        if symbol is None or symbol.kind is not SymbolKind.REGISTER or not self._context.is_inside:
            return ""
        name = self._context.word(operand.name)
        found = self._made().register(self._context, name)
        if found is None:
            number = self._made().number(self._context, name)
            return str(number) if number is not None else ""
        if not found.is_known:
            return ""
        return _shortened(found)

    def _made(self) -> ExpressionReader:
        if self._reader is None:
            self._reader = ExpressionReader(self._semantics, self._context.function)
        return self._reader

    def descriptors(self) -> dict[str, str]:
        """The summaries of the descriptor operands by their names, with their start addresses."""
        tree = self._context.instruction
        if tree is None or not is_looked_at(tree.opcode):
            return {}
        values = self._semantics.packed(self._context.function)
        shown = {}
        for one in values.operands(self._context):
            if not one.reading.short:
                continue
            has_start = any(part.field.key == "start" for part in one.reading.fields)
            start = values.start_address(self._context, one.packed) if has_start else None
            text = start.shortened(_LONGEST) if start is not None and start.terms else ""
            shown[one.packed.role] = f"at {text}, {one.reading.short}" if text else one.reading.short
        return shown


def _shortened(found: KnownExpression) -> str:
    """A value; a long one without namespaces, or its objects and the constant in it."""
    if len(found.text) <= _LONGEST:
        return found.text
    text = _NAMESPACES("", found.text)
    return text if len(text) <= _LONGEST else _NAMESPACES("", found.short)


_NAMESPACES = re.compile(r"\b(?:\w+::)+(?=\w)").sub
