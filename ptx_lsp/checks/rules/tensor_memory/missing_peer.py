"""W852 missing-peer."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W852")
_OF_PAIRS = ".cta_group::2"
_CLUSTER = ".reqnctapercluster"
_OF_ALLOCATION = (Verb.ALLOCATES, Verb.FREES, Verb.RELINQUISHES)
_OF_WORK = ((Verb.STARTS, "tensor-work"), (Verb.COMPLETES, "tensor-work"))


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `tcgen05` instruction for a pair of CTAs in a kernel whose clusters have an odd number of CTAs.

    The pair are two CTAs of a cluster whose ranks differ in the last bit only. With an odd number the last CTA has no
    peer: an allocation waits for one, and an access of its Tensor Memory is undefined.

    ```ptx
    //- sm_100a ptx 8.6 module
    .visible .entry kernel() .reqnctapercluster 3
    {
        tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
    //                                 ^^^^^^^^^^^^^ warning[W852]: clusters of 3 CTAs, because of '.reqnctapercluster'; '.cta_group::2' needs pairs
    // ptxas: accepts it
        ret;
    }
    ```

    **Right:** `.reqnctapercluster 2`, or `.cta_group::1` in all `tcgen05` instructions of the kernel.

    ---

    Reported at the first such instruction. Without `.reqnctapercluster` the launch decides how many CTAs there are. PTX
    ISA, "CTA pair".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    sizes = kernel.head().get(_CLUSTER)
    if not sizes:
        return
    count = prod(map(declared_number, sizes))
    if not count % 2:
        return
    for step in _tensor_steps(kernel):
        context = kernel.context(step)
        if _OF_PAIRS in step.opcode and context.instruction is not None:
            span = context.span(context.instruction.opcode_tokens[step.opcode.index(_OF_PAIRS)])
            what = "clusters of one CTA" if count == 1 else f"clusters of {count} CTAs"
            message = f"{what}, because of '{_CLUSTER}'; '{_OF_PAIRS}' needs pairs"
            yield PlacedFinding(step.place, RULE.at(span, message))
            return


def _tensor_steps(kernel: Kernel) -> list[Step]:
    """The instructions of Tensor Memory that have a group of CTAs, in the order of the text."""
    found = [step for verb in _OF_ALLOCATION for step in kernel.facts.steps(verb)]
    found += [step for verb, kind in _OF_WORK for step in kernel.facts.steps(verb, kind)]
    return sorted(found, key=lambda one: (one.node, one.statement))
