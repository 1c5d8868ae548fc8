"""``ld.global.f32 %f1, [%rd4+-140 = param_0 - 140 + …];``: the object that an address is in.

An address is left out if the statements before it in the same straight line have one with the same register: it
would say nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.cursor.expressions import KnownExpression
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.inlay_hints.hint import LONGEST, Hint, HintPosition, shortened
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.syntax.documents.nearby import before
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Operand, OperandKind

MOST_TEXT = 1 << 18
"""The maximum size of a range, in code points, in which addresses are followed: many take long."""
_LOOKED_BACK = 32
"""The number of statements before an address in which the same register makes it no news."""


def applies_to(shape: Shape) -> bool:
    """Whether it is an instruction with an address in a register, perhaps with an offset."""
    if shape.kind != Kind.INSTRUCTION or shape.errors or not shape.names:
        return False
    operands = getattr(shape.tree, "operands", ())
    return any(one.kind is OperandKind.ADDRESS and one.parts and one.parts[0].name >= 0 for one in operands)


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the objects that the addresses of a statement are in."""
    context = seen.context
    tree = context.instruction
    if tree is None or not context.is_inside or seen.visible.span.end - seen.visible.span.start > MOST_TEXT:
        return
    for operand in tree.operands:
        base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else None
        if base is None or base.name < 0 or not _is_register(seen, base) or _is_repeated(seen, context.word(base.name)):
            continue
        found = seen.visible.expressions(context.function).address(context, operand)
        if found is not None and found.short:
            offset = seen.start + context.operand_span(operand).end
            yield Hint(
                offset,
                _label(found),
                "addresses",
                HintPosition.AFTER,
                lambda found=found: _tooltip(found),  # type: ignore[misc]
            )


def _label(found: KnownExpression) -> str:
    """The whole value if there is room for it, else the objects in it; of a long name the beginning and the offset."""
    whole, short = (f"= {_LINE.sub('', text)}" for text in (found.text, found.short))
    for text in (whole, _NAMESPACES.sub("", whole), _NAMESPACES.sub("", short)):
        if len(text) <= LONGEST:
            return text
    found_offset = _OFFSET.search(text)
    offset = found_offset[0] if found_offset is not None else ""
    left = LONGEST - len(offset) - 1
    return f"{text[:left].rstrip()}…{offset}" if offset and left >= _LEAST_NAME else shortened(text)


_NAMESPACES = re.compile(r"\b(?:\w++::)++(?=\w)")
_OFFSET = re.compile(r" \+ \d+(?: \+ …)?$")
_LEAST_NAME = 6
"""Columns of a shortened name, with the sign before it."""
_LINE = re.compile(r" \(line \d+(?:, \d+ columns)?\)")
"""The place of an allocation of Tensor Memory, which is in the tooltip."""


def _tooltip(found: KnownExpression) -> str:
    lines = [f"`{found.text}`"]
    if found.loops:
        lines.append("`i`, `j` … count the iterations of the loops around it, from 0")
    return "\n".join(lines)


def _is_register(seen: VisibleStatement, base: Operand) -> bool:
    symbol = seen.context.symbols.get(base.name)
    return symbol is not None and symbol.kind is SymbolKind.REGISTER


def _is_repeated(seen: VisibleStatement, register: str) -> bool:
    """Whether an address with the same register is a few statements above, without a label or a write between them."""
    for chunk, index in before(seen.context.function.chunks, seen.chunk, seen.index, _LOOKED_BACK):
        if chunk.kinds[index] != Kind.INSTRUCTION:
            if chunk.kinds[index] in _ENDS:
                return False
            continue
        text = chunk.part(index)
        at = text.find(register)
        if at < 0 or text[at + len(register) : at + len(register) + 1].isdigit():
            continue
        return text[:at].rstrip().endswith("[")
    return False


_ENDS = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE})
