"""``ld.param.u64 %rd1, [foo_param_1] +8;``: the offset of a kernel parameter.

Machine code and debuggers identify a parameter only by its offset. Parameters of other functions have none, since the
assembler places them in registers or on the stack.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_NO_MEMORY = frozenset({"bra", "call", "brx"})


def applies_to(shape: Shape) -> bool:
    """Whether it is an instruction with names other than numbered registers."""
    if shape.kind != Kind.INSTRUCTION or shape.errors or shape.opcode[0] in _NO_MEMORY:
        return False
    return any(not prefix for _, prefix in shape.names)


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the offsets of the kernel parameters that a statement names."""
    function, tree = seen.context.function, seen.context.instruction
    if function.symbol is None or function.symbol.type != ".entry" or not isinstance(tree, Instruction):
        return
    for operand in tree.operands:
        inner = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
        if inner.kind is OperandKind.NAME and inner.name >= 0:
            yield from _of(seen, operand, inner)


def _of(seen: VisibleStatement, operand: Operand, inner: Operand) -> Iterator[Hint]:
    symbol = seen.context.symbols.get(inner.name)
    if symbol is None or symbol.kind is not SymbolKind.PARAMETER or symbol.space != ".param":
        return
    space = seen.visible.parameters(seen.context.function)
    slot = space.slots.get(symbol.name) if space is not None else None
    added = evaluate(seen.context.statement, inner.offset) if inner.offset is not None else 0
    if space is None or slot is None or not isinstance(added, int):
        return
    added = added - (1 << 64) if added >= 1 << 63 else added

    def tooltip() -> str:
        total = f" of the {space.size}" if space.size is not None else ""
        last = f"-{slot.offset + slot.size - 1}" if slot.size > 1 else ""
        return f"`{symbol.name}`: bytes {slot.offset}{last}{total} bytes of parameters, aligned to {slot.align}"

    offset = seen.start + seen.context.operand_span(operand).end
    yield Hint(offset, f"{slot.offset + added:+d}", "parameter_offsets", HintPosition.AFTER, tooltip, symbol.place)
