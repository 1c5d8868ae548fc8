"""W633 register-budget."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import REGISTERS, Verb

RULE = warning("W633")
_CHANGING = (Verb.RAISES, Verb.LOWERS)
_GROUP = 128
"""Threads of a warpgroup."""
_WARP = 32


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `setmaxnreg` that not all warps of a warpgroup execute, or that asks for more registers than there are.

    `setmaxnreg.inc` waits until so many registers are free. If the warpgroups of the CTA together ask for more than
    65536, it waits forever.

    ```ptx
    //- sm_90a ptx 8.0 module
    .visible .entry kernel() .reqntid 384 .maxnreg 168
    {
        .reg .b32 %r<2>;
        .reg .pred %p<2>;
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 128;
        @%p1 bra PRODUCER;
        setmaxnreg.inc.sync.aligned.u32 248;
    //                                  ^^^ warning[W633]: the warpgroups have 536 registers a lane together; there are 512 (line 17)
    // ptxas: accepts it
        ret;
    PRODUCER:
        setmaxnreg.dec.sync.aligned.u32 40;
        ret;
    }
    ```

    **Right:** 240 for two warpgroups and 32 for the other.

    ---

    Reported only if `.reqntid` gives the number of threads and the branches in front of it are decided by `%tid.x` and
    constants. A warpgroup is four warps, the first of which has a number that is a multiple of four; all of its warps
    must execute the same `setmaxnreg`. Manual: `setmaxnreg`.
    """  # noqa: E501 (a caret line carries its message)
    facts = flow.derived(ThreadFacts)
    threads = facts.limits.threads()
    if not flow.graph.is_whole or threads is None or facts.limits.required[1:] != (1, 1) or facts.paths is None:
        return
    paths, kernel = facts.paths, flow.kernel
    groups = range(0, threads - threads % _GROUP, _GROUP)
    most: dict[int, int] = {}
    raises, lowers = (kernel.facts.steps(verb, REGISTERS) for verb in _CHANGING)
    changes = sorted((*raises, *lowers), key=lambda one: (one.node, one.statement))
    yield from paths.preparing(range(0, threads if changes else 0, _WARP))
    for step in changes:
        yield None
        roles = kernel.facts.roles(step, *_CHANGING)
        operand, count = kernel.operand(step, *roles), kernel.constant(step, *roles)
        if operand is None or count is None:
            continue
        for first in groups:
            if paths.executes(step, first):
                most[first] = max(most.get(first, 0), count) if step in raises else most.get(first, count)
            lanes = range(first, first + _GROUP, _WARP)
            comes = [thread for thread in lanes if paths.executes(step, thread)]
            missing = [thread for thread in lanes if paths.never_executes(step, thread)]
            if comes and missing:
                message = f"warp {missing[0] // _WARP} of the warpgroup of warp {comes[0] // _WARP} does not come here"
                yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
                return
    limit = catalogue().vocabulary.limit("registers of a multiprocessor", flow.module.version, flow.module.target)
    raising = [step for step in raises if any(paths.executes(step, first) for first in groups)]
    used = sum(most.values())
    if len(most) == len(groups) and raising and used > limit // _GROUP:
        operand = kernel.operand(raising[0], *kernel.facts.roles(raising[0], *_CHANGING))
        others = [step for step in changes if step != raising[0]]
        if operand is not None:
            message = f"the warpgroups have {used} registers a lane together; there are {limit // _GROUP}"
            finding = RULE.at(kernel.context(raising[0]).operand_span(operand), message)
            places = (RelatedPlace(step.place, "the registers of others") for step in others)
            yield PlacedFinding(raising[0].place, finding.related_to(*places))
