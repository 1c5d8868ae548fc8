"""W853 missing-cta."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W853")
_SIZES = (".reqnctapercluster", ".maxclusterrank")
_MULTICAST = ".multicast::cluster"
_RANK, _MASK = "b", "ctaMask"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A rank of a CTA, or a bit in a mask of CTAs, beyond the size of the cluster that the head of the kernel gives.

    There is no such CTA: an access of the address that `mapa` returns is undefined, and so is a copy to it. Mostly the
    size of the cluster was changed, and the constant was not.

    ```ptx
    //- sm_90 ptx 8.0 module
    .visible .entry kernel() .reqnctapercluster 2
    {
        .reg .b32 %r<2>;
        .shared .align 4 .b32 word;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        mapa.shared::cluster.u32 %r1, word, 2;
    //                                      ^ warning[W853]: there is no CTA 2 in clusters of 2 CTAs, because of '.reqnctapercluster'
    // ptxas: accepts it
        st.shared::cluster.b32 [%r1], 1;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        ret;
    }
    ```

    **Right:** `.reqnctapercluster 4`, or rank 0 or 1.

    ---

    Ranks count from 0; in a mask bit i stands for the CTA of rank i. Reported if the rank or the mask is a constant, or
    computed from constants only: not for the counter of a loop, and not for `%cluster_ctarank` plus a constant. PTX ISA,
    "mapa", "cp.async.bulk".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    head = kernel.head()
    name = next((one for one in _SIZES if head.get(one)), "")
    count = prod(map(declared_number, head[name])) if name else 0
    if not count:
        return
    most = "" if name == _SIZES[0] else "at most "
    what = "clusters of one CTA" if count == 1 else f"clusters of {most}{count} CTAs"
    for step in kernel.facts.steps(Verb.MAPS):
        rank = kernel.constant(step, _RANK)
        if rank is not None and rank >= count:
            message = f"there is no CTA {rank} in {what}, because of '{name}'"
            yield from _at(kernel, step, _RANK, message)
            return
    words = frozenset(opcode[0] for opcode in flow.full_opcodes if _is_multicast(opcode))
    for step in flow.steps.all(words) if words else ():
        mask = kernel.constant(step, _MASK) if _is_multicast(step.opcode) else None
        if mask is not None and mask >> count:
            rank = mask.bit_length() - 1
            message = f"the mask {mask:#x} names CTA {rank}; there is none in {what}, because of '{name}'"
            yield from _at(kernel, step, _MASK, message)
            return


def _is_multicast(opcode: tuple[str, ...]) -> bool:
    return any(word.startswith(_MULTICAST) for word in opcode)


def _at(kernel: Kernel, step: Step, role: str, message: str) -> Iterator[PlacedFinding]:
    operand = kernel.operand(step, role)
    if operand is not None:
        yield PlacedFinding(step.place, RULE.at(kernel.context(step).operand_span(operand), message))
