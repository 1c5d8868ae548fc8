"""W901 unused-operand."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.checks.support.finding import warning
from ptx_lsp.checks.support.fragment_finding import FragmentFinding, in_host
from ptx_lsp.diagnostic import Tag
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.notation import operand_name
from ptx_lsp.hosts.site import PieceKind
from ptx_lsp.stepwise import in_parts

RULE = warning("W901")
_OPERANDS_IN_A_STEP = 1024


def check_fragment(fragment: AsmFragment) -> Iterator[FragmentFinding | None]:
    """An operand that the template does not name. Mostly the numbers of the others are wrong then.

    ```cuda
    asm("add.s32 %0, %1, %1;" : "=r"(d) : "r"(a), "r"(b));
    //                                             ^ warning[W901]: operand '%2' is not used in the template
    ```

    **Right:** `asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));`

    ---

    Not reported in templates that name no operand at all (`asm volatile("" : "+r"(x))` keeps a value in a register),
    for operands that are read and written, which order statements, and for inputs that share the register of an output.
    Nor where a part of the template is unknown, or the number of the values in Python is not that of the inputs: Triton
    gives several registers to a value that is packed.
    """
    if not fragment.replaced.has_marks or not fragment.has_known_operands:
        return
    for some in in_parts(fragment.variant.pieces):
        if any(piece.kind is PieceKind.HOLE for piece in some):
            return
        yield None
    are_values_known = fragment.site.host != "python" or any(one.written.expression for one in fragment.operands)
    used: set[int] = set()
    for part in in_parts(fragment.marks):
        used.update([mark.number for mark in part])
        if any(mark.name and mark.number < 0 and fragment.operand_of(mark) is not None for mark in part):
            return
        yield None
    for number, operand in enumerate(fragment.operands):
        if number % _OPERANDS_IN_A_STEP == _OPERANDS_IN_A_STEP - 1:
            yield None
        constraint = operand.constraint
        if number in used or constraint is None or constraint.tied is not None or "+" in constraint.modifiers:
            continue
        if not (are_values_known or operand.written.is_output):
            continue
        message = f"operand '{operand_name(fragment, number)}' is not used in the template"
        yield in_host(RULE.at(operand.written.constraint_span, message, tags=(Tag.UNNECESSARY,)))
