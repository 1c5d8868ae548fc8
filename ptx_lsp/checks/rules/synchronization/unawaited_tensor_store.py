"""W815 unawaited-tensor-store."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_after, insert_before

RULE = warning("W815")
_WAIT = "tcgen05.wait::st"
_STATEMENT = "tcgen05.wait::st.sync.aligned;"
_READERS = ("tcgen05.ld", "tcgen05.mma", "tcgen05.cp", "tcgen05.shift")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `tcgen05.st` without a wait before Tensor Memory is read.

    The store is asynchronous. Loads and matrix products are not ordered after it until `tcgen05.wait::st`: they may
    read the old contents.

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {%r1};
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r3];
    // <--- warning[W815]: reads the destination of a 'tcgen05.st' in flight; add 'tcgen05.wait::st' before this
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

    Only readers in straight-line code after the store are checked, and only if they use the same address register. Not
    reported in functions, in kernels with calls, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    stores = list(kernel.all("tcgen05.st"))
    missing = [step for step in stores if not kernel.is_after(step, _WAIT)]
    if missing:
        context = kernel.context(missing[-1])
        message = "no 'tcgen05.wait::st' follows this store"
        fixes = (insert_after(context, _STATEMENT),)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes))
        return
    for step in stores:
        found = _read_early(kernel, step)
        if found is not None:
            context = kernel.context(found)
            message = "reads the destination of a 'tcgen05.st' in flight; add 'tcgen05.wait::st' before this"
            fixes = (insert_before(context, _STATEMENT),)
            yield PlacedFinding(found.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return


def _read_early(kernel: Kernel, step: Step) -> Step | None:
    """The first instruction that reads where ``step`` stores before anything waits."""
    address = _address(kernel, step)
    for one in kernel.run_after(step):
        if begins(one, _WAIT) or (address and address[1] in one.writes + one.updates):
            return None
        if begins(one, *_READERS) and address is not None and address == _address(kernel, one):
            return one
    return None


def _address(kernel: Kernel, step: Step) -> tuple[str, str] | None:
    """The address in Tensor Memory as it is written, and its register."""
    context = kernel.context(step)
    operand = kernel.operand(step, "taddr", "d-tmem", "a-tmem")
    if operand is None or not operand.parts or operand.parts[0].name < 0:
        return None
    scope = kernel.graph.nodes[step.node].scope
    return context.text_of(operand), kernel.graph.registers.key(context.word(operand.parts[0].name), scope)
