"""W860 unshifted-matrix."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.matrix_addresses import SHIFT, MatrixShift, MatrixShifts
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = warning("W860")
_KINDS = ("products", "tensor-work")
_DESCRIPTORS = ("a-desc", "b-desc", "s-desc")
_MOST_VALUES = 10_000
"""So many instructions of a kernel are evaluated for its descriptors."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A matrix descriptor that contains an address in shared memory which is not shifted right by 4.

    Bits 0 to 13 of a descriptor hold the address divided by 16. Without the shift the operation reads a matrix at 16
    times the address, of which the upper bits are lost: wrong results without any error.

    ```ptx
    //- sm_90a ptx 8.0
    .shared .align 1024 .b8 tile[8192];
    mov.u32 %r1, tile;
    and.b32 %r2, %r1, 0x3fff;
    cvt.u64.u32 %rd1, %r2;
    or.b64 %rd2, %rd1, 0x4000004000010000;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd2, %rd2, 0, 1, 1, 0, 0;
    //                                                                      ^^^^ warning[W860]: the address of 'tile' is not shifted in this descriptor (line 11); it must be shifted right by 4
    // ptxas: accepts it
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    ret;
    ```

    **Right:** `shr.u32 %r2, %r1, 4;` before the mask.

    ---

    Reported if the descriptor is computed in this function from the address of a variable in shared memory, and every
    way in which the address gets to bits 0 to 13 shifts it by the same wrong number of bits; once for each variable.
    Shifts (`shr`, `shf`, `shl`, division), fields (`bfe`, `bfi`), masks (`and`, `lop3`), sums and pairs of registers
    are followed. PTX ISA, "Matrix descriptor format" of `wgmma`, "Shared memory descriptor" of `tcgen05`.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    values = PathValues(kernel.steps, kernel.path_values.branches, _MOST_VALUES)
    shifts = MatrixShifts(values.unknowns)
    reported: set[MatrixShift] = set()
    for kind in _KINDS:
        for step in kernel.facts.steps(Verb.STARTS, kind):
            yield None
            for role in _DESCRIPTORS:
                operand = kernel.operand(step, role)
                if operand is None or operand.kind is not OperandKind.NAME:
                    continue
                register = _register(kernel, step, operand)
                if register not in kernel.graph.writers:
                    continue  # it is computed from nothing
                found = shifts.of(values.operand_at(-1, step, operand))
                if found is None or found.bits == SHIFT or found in reported:
                    continue
                reported.add(found)
                maker = _maker(kernel, step, register)
                context = kernel.context(step)
                way = "right" if found.bits > 0 else "left"
                is_shifted = f"shifted {way} by {abs(found.bits)}" if found.bits else "not shifted"
                name = found.variable.name
                must = f"it must be shifted right by {SHIFT}"
                message = f"the address of '{name}' is {is_shifted} in this descriptor{HERE}; {must}"
                finding = RULE.at(context.operand_span(operand), message)
                places = [RelatedPlace(maker.place, "the descriptor is computed here")] if maker is not None else []
                yield PlacedFinding(step.place, finding.related_to(*places))


def _register(kernel: Kernel, step: Step, descriptor: Operand) -> str:
    """The key of the register that a descriptor is in."""
    graph = kernel.graph
    return graph.registers.key(kernel.context(step).word(descriptor.name), graph.nodes[step.node].scope)


def _maker(kernel: Kernel, step: Step, register: str) -> Step | None:
    """The only instruction that computes a descriptor."""
    found = kernel.steps.definitions(step, register)
    return found[0] if len(found) == 1 else None
