"""W813 unawaited-tensor-load."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.flow.flow import Flow
from ptx_lsp.analysis.flow.steps import Step
from ptx_lsp.analysis.protocols.kernel import Kernel, begins
from ptx_lsp.checks.finding import PlacedFinding, warning
from ptx_lsp.checks.insertion import insert_before, insert_behind

RULE = warning("W813")
OPCODES = frozenset({"tcgen05"})
_WAIT = "tcgen05.wait::ld"
_STATEMENT = "tcgen05.wait::ld.sync.aligned;"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `tcgen05.ld` that nothing waits for, or whose registers are used before the wait.

    The load goes on in the background. Until `tcgen05.wait::ld` nothing says that it is done: what it reads must
    not be overwritten, and its memory not be freed.

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];
    add.s32 %r4, %r1, %r2;
    // <--- warning[W813]
    tcgen05.wait::ld.sync.aligned;
    st.global.b32 [%rd1], %r4;
    ret;
    ```

    **Right:** `tcgen05.wait::ld.sync.aligned;` before the first use.

    **Fixes offered:** insert the wait.

    ---

    The manual promises that an instruction which reads the registers sees what was loaded, but nothing more: no
    order with other accesses, and registers that are written anew may be hit by the load. Uses are only looked for
    in straight line behind the load; a `mov` is let pass, since compilers put them there. Nothing is said of
    functions, of kernels with calls, and of bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    missing = [step for step in kernel.all("tcgen05.ld") if not kernel.is_behind(step, _WAIT)]
    if missing:
        use = kernel.use(missing[-1])
        message = "no 'tcgen05.wait::ld' behind; nothing waits for this load"
        fixes = (insert_behind(use, _STATEMENT),)
        yield PlacedFinding(use.place, RULE.at(use.opcode_span(), message, fixes=fixes))
        return
    for step in kernel.all("tcgen05.ld"):
        found = _used_early(kernel, step)
        if found is not None:
            use = kernel.use(found)
            message = "this uses what 'tcgen05.ld' is still loading; 'tcgen05.wait::ld' comes first"
            fixes = (insert_before(use, _STATEMENT),)
            yield PlacedFinding(found.place, RULE.at(use.opcode_span(), message, fixes=fixes))
            return


def _used_early(kernel: Kernel, step: Step) -> Step | None:
    """The first instruction that touches a result of ``step`` before anything waits."""
    results = frozenset(step.writes + step.updates)
    for one in kernel.run_behind(step):
        if begins(one, _WAIT):
            return None
        if one.opcode[0] != "mov" and results.intersection(one.reads + one.writes + one.updates):
            return one
    return None
