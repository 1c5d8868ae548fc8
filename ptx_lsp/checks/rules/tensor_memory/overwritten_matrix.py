"""W855 overwritten-matrix."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.matrix_addresses import start_of_matrix
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict, is_missed_by_wait
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, warning
from ptx_lsp.checks.support.in_flight import operation_and_wait
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = warning("W855")
_WAITS = {"products": "'wgmma.wait_group'", "tensor-work": "the mbarrier of its 'tcgen05.commit'"}
"""The kinds of work that read matrices, and what waits for them."""
_DESCRIPTORS = ("a-desc", "b-desc", "s-desc")
_SIZES = ("size", "cp-size")
_LEAST_MATRIX = 16
"""The first row of a matrix begins with so many bytes, whatever the swizzling."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A write to shared memory that a `wgmma` or `tcgen05` operation in flight still reads.

    The matrices in shared memory are read asynchronously. A stage that is filled again before the operation is complete
    holds a mixture of two tiles: wrong results, often only under load.

    ```ptx
    //- sm_90a ptx 8.0
    .shared .align 1024 .b8 tile[8192];
    mov.u32 %r1, tile;
    shr.u32 %r2, %r1, 4;
    and.b32 %r2, %r2, 0x3fff;
    cvt.u64.u32 %rd1, %r2;
    or.b64 %rd2, %rd1, 0x4000004000010000;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd2, %rd2, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    st.shared.b32 [tile], %r3;
    // <--- warning[W855]: a 'wgmma.mma_async' (line 14) in flight may still read this; wait for 'wgmma.wait_group' before
    // ptxas: accepts it
    wgmma.wait_group.sync.aligned 0;
    ret;
    ```

    **Right:** the store after `wgmma.wait_group`.

    ---

    Reported if one path leads from the operation to the write without a wait, and the write goes to the first 16 bytes
    of a matrix: the address is computed along the path for the first thread of the CTA, and that of the matrix from its
    descriptor. `tcgen05` operations are complete after a wait for the mbarrier of their `tcgen05.commit`, or after a
    barrier that another thread comes to after that wait; a wait for another mbarrier after the commit counts too. Not
    reported in functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions" and "tcgen05 memory consistency model".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for kind, wait in _WAITS.items():
        hazard = yield from _overwritten(flow, kind)
        if hazard is not None:
            context = kernel.context(hazard.use)
            name = "".join(hazard.operation.opcode[:2])
            message = f"a '{name}'{HERE} in flight may still read this; wait for {wait} before"
            places = operation_and_wait(kernel, hazard, "this operation may still be in flight")
            finding = RULE.at(context.opcode_span(), message).related_to(*places)
            yield PlacedFinding(context.place, finding)
            return


def _overwritten(flow: Flow, kind: str) -> Generator[None, None, AsyncHazard | None]:
    """The first write into a matrix that an operation of a kind in flight reads."""
    kernel = flow.kernel
    hazards = flow.asynchronous.of(kind)
    if not any(_operands(kernel, step, _DESCRIPTORS) for step in hazards.work.operations):
        return None
    writes = yield from kernel.facts.finding_shared_accesses(Verb.WRITES)

    def judge(_: Step, arrival: Arrival) -> Verdict:
        return Verdict.PASS if is_missed_by_wait(arrival) else Verdict.FOUND

    def is_met(operation: Step, arrival: Arrival, values: PathValues) -> bool:
        use = arrival.use
        if use is None:
            return False
        matrices = [
            start_of_matrix(values.at_start(one), values.unknowns) for one in _operands(kernel, operation, _DESCRIPTORS)
        ]
        size = kernel.constant(use, *_SIZES) or 1
        for operand in _operands(kernel, use, kernel.facts.roles(use, Verb.WRITES)):
            address = values.at_end(use, operand)
            distances = [None if one is None else address.distance(one) for one in matrices]
            if any(one is not None and -size < one < _LEAST_MATRIX for one in distances):
                return True
        return False

    return (yield from first(hazards.accessing(writes, lambda *_: True, judge, is_met)))


def _operands(kernel: Kernel, step: Step, roles: Iterable[str]) -> list[Operand]:
    found = [kernel.operand(step, role) for role in roles]
    return [one for one in found if one is not None and one.kind in (OperandKind.NAME, OperandKind.ADDRESS)]
