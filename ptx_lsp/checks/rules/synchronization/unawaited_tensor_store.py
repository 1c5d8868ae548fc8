"""W815 unawaited-tensor-store."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, warning
from ptx_lsp.checks.support.in_flight import operation_and_wait
from ptx_lsp.checks.support.insertion import insert_after, insert_before
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W815")
_STATEMENT = "tcgen05.wait::st.sync.aligned;"
_READERS = ("tensor-loads", "tensor-work")
"""The kinds of work that read Tensor Memory."""
_TENSOR_MEMORY = ("taddr", "d-tmem", "a-tmem", "scale-A-tmem", "scale-B-tmem", "sp-meta-tmem")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `tcgen05.st` without a wait before Tensor Memory is read.

    The store is asynchronous. Loads and matrix products are not ordered after it until `tcgen05.wait::st`: they may
    read the old contents.

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {%r1};
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r3];
    // <--- warning[W815]: reads the destination of a 'tcgen05.st' (line 7) in flight; add 'tcgen05.wait::st' before this
    tcgen05.wait::st.sync.aligned;
    tcgen05.wait::ld.sync.aligned;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {%r1};
    tcgen05.wait::st.sync.aligned;
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r3];
    tcgen05.wait::ld.sync.aligned;
    ret;
    ```

    **Fixes offered:** insert it.

    ---

    Paths are followed through branches and loops. A reader is reported if its address is that of the store, as far as
    both are computed from the same registers. A store is reported if some path to the end of the kernel has no wait:
    other threads, which read after a barrier, may be early. Not reported in functions, in kernels that call functions
    which may take part, and in bodies without `ret` or `exit`.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    stores = kernel.facts.steps(Verb.STARTS, "tensor-stores")
    missing = [step for step in stores if not kernel.is_after(step, (Verb.WAITS, "tensor-stores"))]
    if missing:
        context = kernel.context(missing[-1])
        message = "no 'tcgen05.wait::st' follows this store"
        fixes = (insert_after(context, _STATEMENT),)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes))
        return
    hazards = flow.asynchronous.of("tensor-stores")
    work = sorted((step for kind in _READERS for step in kernel.facts.steps(Verb.STARTS, kind)), key=_place)
    readers = [step for step in work if kernel.operand(step, *_TENSOR_MEMORY) is not None]
    meets = Meeting(kernel, Verb.WRITES, _TENSOR_MEMORY)
    hazard = yield from first(hazards.accessing(readers, lambda *_: True, lambda *_: Verdict.FOUND, meets.is_met))
    if hazard is not None:
        context = kernel.context(hazard.use)
        message = f"reads the destination of a 'tcgen05.st'{HERE} in flight; add 'tcgen05.wait::st' before this"
        fixes = (insert_before(context, _STATEMENT),)
        places = operation_and_wait(kernel, hazard, "this store may still be in flight")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places))
        return
    hazard = yield from first(hazards.leaving(lambda *_: Verdict.FOUND))
    if hazard is not None:
        context = kernel.context(hazard.operation)
        message = "no 'tcgen05.wait::st' follows this store on some path to the end of the kernel"
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message))


def _place(step: Step) -> tuple[int, int]:
    return step.node, step.statement
