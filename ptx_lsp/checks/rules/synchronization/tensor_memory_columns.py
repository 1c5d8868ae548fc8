"""W812 tensor-memory-columns."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.tree import OperandKind

RULE = warning("W812")
_LEAST, _MOST = 32, 512


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A register with a number of columns that is not allowed for an allocation of Tensor Memory.

    Legal numbers are 32, 64, 128, 256 and 512. With any other number the behavior is undefined.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    mov.u32 %r1, 96;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], %r1;
    //                                                               ^^^ warning[W812]: '%r1' is 96; the number of columns must be 32, 64, 128, 256 or 512
    ```

    **Right:** `mov.u32 %r1, 128;`

    ---

    The same applies to `tcgen05.dealloc`. ptxas itself checks constants in the instruction.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    steps = [*kernel.facts.steps(Verb.ALLOCATES), *kernel.facts.steps(Verb.FREES)]
    for step in sorted(steps, key=lambda one: (one.node, one.statement)):
        operand = kernel.operand(step, "nCols")
        if operand is None or operand.kind is not OperandKind.NAME or ".exclusive" in step.opcode:
            continue
        value = kernel.constant(step, "nCols")
        if value is not None and not (_LEAST <= value <= _MOST and value & (value - 1) == 0):
            context = kernel.context(step)
            allowed = "the number of columns must be 32, 64, 128, 256 or 512"
            message = f"'{context.text_of(operand)}' is {value}; {allowed}"
            yield PlacedFinding(step.place, RULE.at(context.operand_span(operand), message))
