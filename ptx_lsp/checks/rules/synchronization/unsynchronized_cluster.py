"""W823 unsynchronized-cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.before_and_after import Leaving
from ptx_lsp.analysis.synchronization.kernel import Kernel, opcodes_of
from ptx_lsp.analysis.synchronization.memory_locations import MappedAddresses
from ptx_lsp.analysis.synchronization.ordering_facts import is_generic, possible_facts
from ptx_lsp.checks.support.cluster_barriers import wrong_order
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import BYTES, CLUSTER, PHASE, THREADS, Verb
from ptx_lsp.stepwise import chosen, collected

RULE = warning("W823")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A kernel that accesses the shared memory of other CTAs and never synchronizes with them.

    Another CTA of the cluster may not have started yet, or may have exited: its shared memory is then not valid. After
    `barrier.cluster` all of them have started; a second one at the end keeps their shared memory valid.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 4 .b32 box;
    mov.u32 %r1, box;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    st.shared::cluster.b32 [%r2], %r3;
    // <--- warning[W823]: no 'barrier.cluster' in this kernel; the other CTA may not be running
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 4 .b32 box;
    mov.u32 %r1, box;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    st.shared::cluster.b32 [%r2], %r3;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ret;
    ```

    ---

    Reported if `.reqnctapercluster` shows that there are other CTAs, or if `mapa` has a constant rank other than 0: an
    access to which a path leads on which nothing shows that the other CTA has started (`barrier.cluster.wait`, a wait
    for an mbarrier, an acquire), and a load, store or atomic operation from which a path leads to the end of the kernel
    on which nothing lets the other CTA know that it is done (`barrier.cluster.arrive`, an arrival on an mbarrier, a
    release). A generic access counts if its address is the result of a `mapa` on all paths, moved or not. Not reported
    in functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known or not (yield from _finding_others(kernel)):
        return
    mapped = MappedAddresses(kernel.steps)
    accesses: list[Step] = []
    for step in (yield from _all_with(kernel, _ACCESSING)):
        yield None
        if _is_access(kernel, mapped, step):
            accesses.append(step)
    if not accesses:
        return
    facts = kernel.facts
    strong = yield from _all_with(kernel, _SYNCHRONIZING)
    begun = [*facts.steps(Verb.WAITS, PHASE), *facts.steps(Verb.WAITS, CLUSTER)]
    known = frozenset(accesses)
    begun += [step for step in strong if _may_see(step) and step not in known]
    early = _first(kernel, begun, accesses)
    if early is not None and (yield from wrong_order(kernel)) is None:  # else a half of a barrier is missing
        message = "the other CTA may not have started; 'barrier.cluster' must come before this on each path"
        if not any(facts.steps(verb, CLUSTER) for verb in (Verb.ARRIVES, Verb.WAITS)):
            message = "no 'barrier.cluster' in this kernel; the other CTA may not be running"
        yield PlacedFinding(early.place, RULE.at(kernel.context(early).opcode_span(), message))
        return
    ended = [*facts.steps(Verb.ARRIVES, PHASE), *facts.steps(Verb.ARRIVES, CLUSTER)]
    ended += filter(_is_strong, strong)
    leaving = Leaving(kernel.graph, ended)
    for step in accesses:
        is_plain = not possible_facts(step.opcode).isdisjoint(_PLAIN) and not _is_strong(step)
        if is_plain and step in leaving:
            message = "the other CTA may have ended; 'barrier.cluster' must follow this on each path to the end"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
            return


_PLAIN = frozenset({(Verb.READS, ""), (Verb.WRITES, "")})
_OF_MBARRIERS = frozenset({(Verb.ARRIVES, PHASE), (Verb.ARRIVES, BYTES), (Verb.EXPECTS, BYTES)})
_ACCESSING = _PLAIN | _OF_MBARRIERS
_SYNCHRONIZING = _PLAIN | {(Verb.FENCES, THREADS)}
_ASYNCHRONOUS = frozenset({(Verb.PROXY, "async"), (Verb.COMPLETES, "tensor-work")})
_REMOTE = ".shared::cluster"
_STRONG = frozenset({".acquire", ".release", ".acq_rel", ".sc", ".gl", ".sys", ".gpu", ".cluster", ".volatile"})


def _is_strong(step: Step) -> bool:
    """Whether an instruction may signal another CTA, or see its signal."""
    return not _STRONG.isdisjoint(step.opcode)


def _may_see(step: Step) -> bool:
    """Whether an instruction may see a signal of another CTA; what only releases sees none."""
    return _is_strong(step) and (".release" not in step.opcode or (Verb.READS, "") in possible_facts(step.opcode))


def _is_access(kernel: Kernel, mapped: MappedAddresses, step: Step) -> bool:
    """Whether a thread itself accesses shared memory of another CTA: by its space, or by a generic address."""
    if not possible_facts(step.opcode).isdisjoint(_ASYNCHRONOUS):
        return False
    if _REMOTE in step.opcode or not is_generic(step.opcode):
        return _REMOTE in step.opcode
    roles = kernel.facts.roles(step, Verb.READS, Verb.WRITES)
    operands = (kernel.operand(step, role) for role in roles)
    return any(operand is not None and mapped.has(step, operand) for operand in operands)


def _all_with(kernel: Kernel, facts: frozenset[tuple[Verb, str]]) -> Generator[None, None, list[Step]]:
    """The instructions that may have one of some facts, in the order of the text."""
    having = chosen(lambda opcode: not possible_facts(opcode).isdisjoint(facts), opcodes_of(kernel))
    opcodes = frozenset((yield from collected(having)))
    return (yield from kernel.facts.finding_having_one_of(opcodes))


def _first(kernel: Kernel, stops: list[Step], uses: list[Step]) -> Step | None:
    """The first of some instructions to which a path leads from the start of the kernel without one of some others."""
    first: dict[int, int] = {}
    for step in stops:
        first[step.node] = min(step.statement, first.get(step.node, step.statement))
    waiting, seen = [0], {0}
    while waiting:
        number = waiting.pop()
        for following in kernel.graph.nodes[number].successors if number not in first else ():
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return next((one for one in uses if one.node in seen and one.statement < first.get(one.node, len(one.chunk))), None)


def _finding_others(kernel: Kernel) -> Generator[None, None, bool]:
    """Whether the text shows that the cluster has more than one CTA."""
    if set(kernel.head().get(".reqnctapercluster", ())) - {"1"}:
        return True
    for step in kernel.facts.steps(Verb.MAPS):
        yield
        if kernel.constant(step, "b"):
            return True
    return False
