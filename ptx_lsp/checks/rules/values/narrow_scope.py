"""W639 narrow-scope."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.branch_guards import is_negated
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.analysis.synchronization.path_results import maker_of
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mismatches import would_do
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.ordering import THREADS, Verb
from ptx_lsp.stepwise import chosen, collected

RULE = warning("W639")
_NARROW, _WIDE = ".cta", ".gpu"
_FLAGS = frozenset({(Verb.READS, ""), (Verb.WRITES, ""), (Verb.ORDERS, THREADS)})
"""The facts of accesses of a flag."""
_GLOBAL = ".global"
_NEAR = (".shared", ".local", ".param", ".const")
_OF_THE_CTA = ("%ctaid", "%clusterid")
"""The special registers that have one value in a CTA, and different ones in others."""
_OF_THE_GRID = ("%nctaid", "%nclusterid")
"""Those that have one value in the grid."""
_MOST_ACCESSES = 32
_MOST_NODES = 4
"""So many nodes can make a block of a loop."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A flag in global memory that another CTA waits for, with the scope `.cta` on either side.

    The scope says which threads can rely on the operation. Beyond it the store may never be seen, and what was written
    before it may not be there when it is: the loop hangs, or old data are read.

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
        mov.u32 %r1, %ctaid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra WAIT;
        st.global.u32 [%rd1], 42;
        st.release.cta.global.u32 [%rd1+4], 1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[W639]: the scope is '.cta', but another CTA waits for this store (line 17)
    // ptxas: accepts it
        ret;
    WAIT:
        ld.acquire.gpu.global.u32 %r2, [%rd1+4];
        setp.eq.u32 %p2, %r2, 0;
        @%p2 bra WAIT;
        ld.global.u32 %r3, [%rd1];
        st.global.u32 [%rd1+8], %r3;
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
        mov.u32 %r1, %ctaid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra WAIT;
        st.global.u32 [%rd1], 42;
        st.release.gpu.global.u32 [%rd1+4], 1;
        ret;
    WAIT:
        ld.acquire.gpu.global.u32 %r2, [%rd1+4];
        setp.eq.u32 %p2, %r2, 0;
        @%p2 bra WAIT;
        ld.global.u32 %r3, [%rd1];
        st.global.u32 [%rd1+8], %r3;
        ret;
    ```

    **Fixes offered:** `.gpu` for `.cta`.

    ---

    Reported in kernels, if the store and the loop access one address that all CTAs have, and a branch that depends on
    `%ctaid` separates them: no CTA executes both. Also reported if the loop compares the flag with `%nctaid`, so that
    it waits for all CTAs. A fence with the scope `.cta` is not reported: it may be for other threads. PTX ISA, memory
    consistency model, "Scope" and "Morally strong operations".
    """
    symbol = flow.function.symbol
    if symbol is None or symbol.type != ".entry":
        return
    flags = chosen(_may_be_flag, flow.full_opcodes)
    opcodes = frozenset((yield from collected(flags)))
    if not any(_NARROW in opcode for opcode in opcodes) or not flow.graph.is_whole:
        return
    kernel = flow.kernel
    everywhere = range(len(flow.graph.nodes))
    accesses = list(islice(flow.steps.having(opcodes, everywhere), _MOST_ACCESSES + 1))
    if len(accesses) > _MOST_ACCESSES:
        return
    yield None
    search = _Search(flow, kernel.path_values.of_thread(None))
    waits = [step for step in accesses if search.waits(step)]
    reported: set[tuple[int, int]] = set()
    for store in accesses if waits else ():
        if (Verb.WRITES, "") not in possible_facts(store.opcode):
            continue
        for wait in waits:
            yield None
            if wait is store or not search.is_same(store, wait) or not search.are_apart(store, wait):
                continue
            for step, other, what in (
                (store, wait, "another CTA waits for this store"),
                (wait, store, "this loop waits for a store of another CTA"),
            ):
                if _NARROW in step.opcode and (step.node, step.statement) not in reported:
                    reported.add((step.node, step.statement))
                    yield _finding(flow, step, other, what)


def _may_be_flag(opcode: tuple[str, ...]) -> bool:
    facts = possible_facts(opcode)
    return facts <= _FLAGS and (Verb.ORDERS, THREADS) in facts and not any(word.startswith(_NEAR) for word in opcode)


class _Search:
    """Accesses of one flag, and the CTAs that execute them."""

    def __init__(self, flow: Flow, values: PathValues) -> None:
        self._flow = flow
        self._values = values

    def waits(self, step: Step) -> bool:
        """Whether an access is in a loop that its result ends."""
        return (Verb.READS, "") in possible_facts(step.opcode) and self._condition(step) is not None

    def is_same(self, one: Step, other: Step) -> bool:
        """Whether two accesses are of one address, which all CTAs have."""
        first, second = self._address(one), self._address(other)
        return first is not None and first == second and self._is_of(first, ())

    def are_apart(self, store: Step, wait: Step) -> bool:
        """Whether the one is executed by a CTA that does not execute the other, or by all that the other waits for."""
        condition = self._condition(wait)
        if condition is not None and self._names(condition, _OF_THE_GRID):
            return True
        there = dict(self._decisions(wait))
        return any(there.get(token, holds) != holds for token, holds in self._decisions(store))

    def _address(self, step: Step) -> LinearValue | None:
        kernel = self._flow.kernel
        operand = kernel.operand(step, *kernel.facts.roles(step, Verb.READS, Verb.WRITES))
        return None if operand is None else self._values.on_any_path(step, operand)

    def _condition(self, step: Step) -> LinearValue | None:
        """The predicate of a branch of a loop that compares the result of an access."""
        graph = self._flow.graph
        if not graph.reachability.leads(step.node, step.node):
            return None
        number, branch = step.node, self._values.branches.of(step.node)
        for _ in range(_MOST_NODES):
            following = graph.nodes[number].successors
            if branch is not None or len(following) != 1 or len(graph.nodes[following[0]].predecessors) > 1:
                break
            number, branch = following[0], self._values.branches.of(following[0])
        if branch is None:
            return None
        value = self._values.guard(branch)
        return value if (step.node, step.statement) in self._makers(value) else None

    def _makers(self, value: LinearValue) -> set[tuple[int, int]]:
        """The instructions whose results a value is computed from."""
        return {maker for key in self._keys(value) if (maker := maker_of(key)) is not None}

    def _decisions(self, step: Step) -> Iterator[tuple[int, bool]]:
        """Predicates with one value in a CTA that decide whether an instruction is executed, and these values."""
        dominance, nodes, number = self._flow.graph.dominance, self._flow.graph.nodes, step.node
        while (above := dominance.immediate(number)) is not None and above != number:
            others = [one for one in nodes[number].predecessors if one != above]
            branch = self._values.branches.of(above)
            is_edge = nodes[above].successors.count(number) == 1
            if branch is not None and is_edge and all(dominance.dominates(number, one) for one in others):
                yield from self._decision(self._values.guard(branch), holds=branch.value_on(number))
            number = above
        if step.guarded:
            value = self._values.register_at(-1, step, step.reads[0])
            yield from self._decision(value, holds=not is_negated(step))

    def _decision(self, value: LinearValue, *, holds: bool) -> Iterator[tuple[int, bool]]:
        if len(value.terms) == 1 and self._is_of(value, _OF_THE_CTA) and self._names(value, _OF_THE_CTA):
            token, factor = value.terms[0]
            if abs(factor) == 1:
                yield token, bool((int(holds) - value.number) * factor)

    def _is_of(self, value: LinearValue, specials: tuple[str, ...]) -> bool:
        """Whether a value is computed only from parameters, global variables, and some special registers."""
        return all(
            isinstance(key, tuple)
            and (
                str(key[1]).startswith((*specials, *_OF_THE_GRID))
                if key[0] == "special"
                else isinstance(key[1], Symbol) and key[1].space == _GLOBAL
                if key[0] == "symbol"
                else key[0] == "parameter" or any(True for _ in self._inner(key))
            )
            for key in self._keys(value)
        )

    def _names(self, value: LinearValue, specials: tuple[str, ...]) -> bool:
        keys = [key for key in self._keys(value) if isinstance(key, tuple)]
        return any(key[0] == "special" and str(key[1]).startswith(specials) for key in keys)

    def _keys(self, value: LinearValue) -> Iterator[Hashable]:
        """The keys of all unknown things that a value is computed from."""
        waiting, seen = [value], {value}
        while waiting:
            for number, _ in waiting.pop().terms:
                key = self._values.unknowns.keys[number]
                yield key
                inner = [one for one in self._inner(key) if one not in seen]
                seen.update(inner)
                waiting += inner

    @staticmethod
    def _inner(key: Hashable) -> Iterator[LinearValue]:
        """The values of the operands of an instruction or a comparison."""
        for part in key if isinstance(key, tuple) else ():
            if isinstance(part, LinearValue):
                yield part
            elif isinstance(part, (tuple, frozenset)):
                yield from (one for one in part if isinstance(one, LinearValue))


def _finding(flow: Flow, step: Step, other: Step, what: str) -> PlacedFinding:
    context = flow.steps.context(step)
    opcode = "".join(_WIDE if word == _NARROW else word for word in step.opcode)
    edit = Edit(context.opcode_span(), opcode)
    fixes = (Fix(f"write '{opcode}'", (edit,)),) if would_do(context, edit) else ()
    finding = RULE.at(context.opcode_span(), f"the scope is '{_NARROW}', but {what}{HERE}", fixes=fixes)
    return PlacedFinding(step.place, finding.related_to(RelatedPlace(other.place, "the other access")))
