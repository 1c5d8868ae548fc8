"""W820 unfenced-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.flow.flow import Flow
from ptx_lsp.analysis.flow.steps import Step
from ptx_lsp.analysis.protocols.kernel import Kernel, begins
from ptx_lsp.checks.finding import Beside, PlacedFinding, warning
from ptx_lsp.checks.insertion import insert_behind

RULE = warning("W820")
OPCODES = frozenset({"mbarrier"})
_FENCE = "fence.mbarrier_init.release.cluster;"
_ARRIVE = "barrier.cluster.arrive"
_RELEASING = ("fence", "membar", "call")
_REACHING = frozenset({".multicast::cluster", ".cta_group::2"})
"""Parts of opcodes by which a kernel uses mbarriers of other CTAs; so does ``mapa``."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An mbarrier for other CTAs of the cluster that a relaxed `barrier.cluster.arrive` does not release to them.

    `barrier.cluster.arrive.relaxed` orders no memory accesses: another CTA can pass its `barrier.cluster.wait` and
    use the mbarrier before it sees it initialized.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    // <--- warning[W820]
    barrier.cluster.arrive.relaxed;
    barrier.cluster.wait;
    mov.u32 %r1, full;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    mbarrier.arrive.shared::cluster.b64 _, [%r2];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ret;
    ```

    **Right:** `fence.mbarrier_init.release.cluster;` after `mbarrier.init`, or `barrier.cluster.arrive` without
    `.relaxed`.

    **Fixes offered:** insert the fence.

    ---

    Reported in kernels that reach other CTAs: by `mapa`, `.multicast::cluster` or `.cta_group::2`. Any fence between
    the two is enough for this rule. A bulk copy by the thread that has initialized the mbarrier needs no fence: it
    accesses the mbarrier through the generic proxy (PTX ISA, `cp.async.bulk`); other threads of the CTA need a
    `bar.sync`.
    """
    kernel = flow.kernel
    if not kernel.is_complete or not _reaches_other_ctas(kernel):
        return
    for arrive in kernel.all(_ARRIVE):
        if ".relaxed" not in arrive.opcode:
            continue
        before = list(kernel.steps.before(arrive, _releases))
        inits = [step for step in before if begins(step, "mbarrier.init")]
        if not inits:
            continue
        last = max(inits, key=lambda step: (step.node, step.statement))
        use = kernel.use(last)
        message = "other CTAs may not see this: no fence before the relaxed 'barrier.cluster.arrive'"
        beside = (Beside(arrive.place, "arrives without releasing anything"),)
        fixes = (insert_behind(use, _FENCE),)
        yield PlacedFinding(last.place, RULE.at(use.opcode_span(), message, beside=beside, fixes=fixes))
        return


def _reaches_other_ctas(kernel: Kernel) -> bool:
    return any(opcode[:1] == ("mapa",) or not _REACHING.isdisjoint(opcode) for opcode in kernel.opcodes)


def _releases(step: Step) -> bool:
    return begins(step, *_RELEASING) or begins(step, _ARRIVE) and ".relaxed" not in step.opcode
