"""W812 tensor-memory-columns."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.syntax.tree import OperandKind

RULE = warning("W812", opcodes=frozenset({"tcgen05"}))
_LEAST, _MOST = 32, 512


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A number of columns, in a register, that no allocation of Tensor Memory can have.

    It is a power of two from 32 to 512. With any other number the behaviour is undefined.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    mov.u32 %r1, 96;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], %r1;
    //                                                               ^^^ warning[W812]
    ```

    **Right:** `mov.u32 %r1, 128;`

    ---

    The same goes for `tcgen05.dealloc`. Constants that stand in the instruction itself are checked by ptxas.
    """
    kernel = flow.kernel
    for step in kernel.all("tcgen05.alloc", "tcgen05.dealloc"):
        operand = kernel.operand(step, "nCols")
        if operand is None or operand.kind is not OperandKind.NAME or ".exclusive" in step.opcode:
            continue
        value = kernel.constant(step, "nCols")
        if value is not None and not (_LEAST <= value <= _MOST and value & (value - 1) == 0):
            message = f"'{kernel.context(step).text_of(operand)}' is {value}; columns come as 32, 64, 128, 256 or 512"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).operand_span(operand), message))
