"""``prmt.b32 %r1, %r2, %r3, 0x5410 = b1 b0 a1 a0``: the bytes that a selector picks, most significant first."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.layouts.selectors import byte_list, describe_selection, modes, selected_bytes
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import Shape

_SELECTOR = 3


def applies_to(shape: Shape) -> bool:
    """Whether it is a ``prmt`` with a constant."""
    return shape.opcode[:1] == ("prmt",) and not shape.errors and bool(shape.constants)


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the hint of the picked bytes if the selector is a constant."""
    context = seen.context
    tree = context.instruction
    if tree is None or len(tree.operands) != _SELECTOR + 1:
        return
    _, one, two, operand = tree.operands
    selector = evaluate(context.statement, operand)
    if not isinstance(selector, int):
        return
    mode = next((word for word in tree.opcode if word in modes()), "")
    zero = [name for name, source in (("a", one), ("b", two)) if evaluate(context.statement, source) == 0]
    found = selected_bytes(selector, mode, zero)

    def tooltip() -> str:
        named = ", ".join(f"`{name}` is `{context.text_of(source)}`" for name, source in (("a", one), ("b", two)))
        meaning = describe_selection(
            selected_bytes(selector, mode, zero, alike=context.text_of(one) == context.text_of(two))
        )
        sign = ["`s(x)` is eight times the sign bit of x"] if "s(" in byte_list(found) else []
        lines = (meaning, "the bytes of d from the highest down; `a0` is byte 0 of a", named, *sign)
        return "\n".join(filter(None, lines))

    offset = seen.start + context.operand_span(operand).end
    yield Hint(offset, f"= {byte_list(found)}", "byte_picks", HintPosition.AFTER, tooltip)
