"""W813 unawaited-tensor-load."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_after, insert_before

RULE = warning("W813")
_WAIT = "tcgen05.wait::ld"
_STATEMENT = "tcgen05.wait::ld.sync.aligned;"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `tcgen05.ld` without a wait for it, or whose registers are overwritten before the wait.

    The load is asynchronous. Until `tcgen05.wait::ld` it is not ordered with other accesses: what it reads must not be
    overwritten, its memory must not be freed, and a register that it writes must not be written by anything else.

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];
    add.s32 %r1, %r4, 1;
    // <--- warning[W813]: a 'tcgen05.ld' in flight writes '%r1' as well; add 'tcgen05.wait::ld' before this
    tcgen05.wait::ld.sync.aligned;
    st.global.v2.b32 [%rd1], {%r1, %r2};
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];
    tcgen05.wait::ld.sync.aligned;
    st.global.v2.b32 [%rd1], {%r1, %r2};
    add.s32 %r1, %r4, 1;
    ret;
    ```

    **Fixes offered:** insert the wait.

    ---

    An instruction that reads the registers is no mistake, and waits for the load: a true register dependency is
    respected (PTX ISA, memory consistency model of tcgen05). Triton and the CuTe DSL rely on it. Writes are only looked
    for in straight-line code after the load, up to the first read or wait; a `mov` is ignored, because compilers put
    them there. Not reported in functions, in kernels with calls, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    missing = [
        step for step in kernel.all("tcgen05.ld") if not kernel.is_after(step, _WAIT) and not _is_read(kernel, step)
    ]
    if missing:
        context = kernel.context(missing[-1])
        message = "no 'tcgen05.wait::ld' follows this load"
        fixes = (insert_after(context, _STATEMENT),)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes))
        return
    for step in kernel.all("tcgen05.ld"):
        found = _overwritten_early(kernel, step)
        if found is not None:
            context = kernel.context(found)
            register = _shared(step, found)
            message = f"a 'tcgen05.ld' in flight writes '{register}' as well; add 'tcgen05.wait::ld' before this"
            fixes = (insert_before(context, _STATEMENT),)
            yield PlacedFinding(found.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return


def _is_read(kernel: Kernel, step: Step) -> bool:
    """Whether some instruction after a load reads a register that it writes, and thereby waits for it."""
    results = _results(step)
    return any(results.intersection(one.reads) for one in kernel.steps.after(step))


def _overwritten_early(kernel: Kernel, step: Step) -> Step | None:
    """The first instruction that writes a result of ``step`` before anything reads one or waits."""
    results = _results(step)
    for one in kernel.run_after(step):
        if begins(one, _WAIT) or results.intersection(one.reads):
            return None
        if one.opcode[0] != "mov" and results & _results(one):
            return one
    return None


def _results(step: Step) -> frozenset[str]:
    return frozenset(step.writes + step.updates)


def _shared(step: Step, other: Step) -> str:
    """The first register that both write."""
    return next(register for register in other.writes + other.updates if register in _results(step))
