"""W854 partial-warpgroup."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W854")
_GROUP, _WARP = 128, 32


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `wgmma.mma_async` that only some warps of a warpgroup execute.

    A warpgroup is four warps in a row, the first of which has a number that is a multiple of four. All of its threads
    must execute the same instruction; with fewer the behavior is undefined, and usually the kernel hangs.

    ```ptx
    //- sm_90a ptx 8.0 module
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<3>;
        .reg .f32 %f<5>;
        .reg .pred %p<2>;
        mov.u32 %r1, %tid.x;
        setp.ge.u32 %p1, %r1, 64;
        @%p1 bra DONE;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[W854]: warp 2 of the warpgroup of warp 0 does not come here
    // ptxas: accepts it
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
    DONE:
        ret;
    }
    ```

    **Right:** `setp.ge.u32 %p1, %r1, 128;`, so that whole warpgroups take the branch.

    ---

    Reported only if `.reqntid` gives the number of threads and the branches in front of it are decided by `%tid.x` and
    constants; a warp number that comes from `shfl.sync` is not known. Manual: "Asynchronous Warpgroup Level Matrix
    Instructions".
    """  # noqa: E501 (a caret line carries its message)
    facts = flow.derived(ThreadFacts)
    threads = facts.limits.threads()
    if not flow.graph.is_whole or not threads or facts.limits.required[1:] != (1, 1) or facts.paths is None:
        return
    paths, kernel = facts.paths, flow.kernel
    products = kernel.facts.steps(Verb.STARTS, "products")
    yield from paths.preparing(range(0, threads if products else 0, _WARP))
    for step in products:
        yield None
        for first in range(0, threads, _GROUP):
            lanes = range(first, min(first + _GROUP, threads), _WARP)
            comes = [thread for thread in lanes if paths.executes(step, thread)]
            missing = [thread for thread in lanes if paths.never_executes(step, thread)]
            missing += range(threads - threads % -_WARP, first + _GROUP, _WARP)[:1]
            if comes and missing:
                message = f"warp {missing[0] // _WARP} of the warpgroup of warp {comes[0] // _WARP} does not come here"
                yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
                return
