"""W821 ignored-wait."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import chain

from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier
from ptx_lsp.analysis.synchronization.before_and_after import LeadingTo
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, MemoryLocation
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import PHASE, Verb

RULE = warning("W821")
_DEEPEST = 3
"""So many computations with the result are looked through."""
_NODES_IN_A_STEP = 64
_READERS_IN_A_STEP = 256


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An `mbarrier.try_wait` or `test_wait` whose result no instruction reads.

    They do not block until the phase is complete: `test_wait` returns at once, `try_wait` after a time limit, and the
    predicate can be false. The code after it then uses data that has not arrived.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    // <--- warning[W821]: the result is never read and the phase may be incomplete; loop until it is true
    ret;
    ```

    **Right:** a loop: `WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra WAIT;`

    ---

    A result that is only copied to registers which no instruction reads, or by which a jump leads to the next
    instruction, is not read either. Not reported if another wait, in a loop, follows that may be for the same mbarrier:
    CUTLASS tries once before it waits. Not reported in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    waits = [step for step in kernel.facts.steps(Verb.WAITS, PHASE) if step.writes]
    ignored: dict[Step, None] = {}
    effects = _Effects(kernel)
    if waits:
        yield from effects.finding({answer for step in waits for answer in step.writes})
    for step in waits:
        if not any(effects.has(step, answer) for answer in step.writes):
            ignored[step] = None
        yield None
    repeated = [one for one in waits if one not in ignored and kernel.leads(one, one)] if ignored else []
    others = ByLocation((barrier(kernel, one), one) for one in repeated)
    followed: dict[MemoryLocation | None, LeadingTo] = {}
    for step in ignored:
        yield None
        place = barrier(kernel, step)
        if place not in followed:
            followed[place] = LeadingTo(kernel.graph, others.maybe_same(place))
        if step not in followed[place]:
            message = "the result is never read and the phase may be incomplete; loop until it is true"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))


class _Effects:
    """The instructions through which values in registers can have an effect: by the values, or by copies of them."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._steps: dict[str, list[Step]] = {}
        self._before: dict[str, LeadingTo] = {}

    def finding(self, registers: set[str]) -> Iterator[None]:
        """Find them for some registers, in steps of a few milliseconds."""
        levels: list[dict[str, list[Step]]] = []
        """The readers of the registers, then those of the registers that these copy them to, and so on."""
        while registers and len(levels) <= _DEEPEST:
            levels.append((yield from self._reading(registers)))
            registers = set()
            for number, step in enumerate(chain.from_iterable(levels[-1].values()), 1):
                if self._is_copy(step):
                    registers.update(step.writes)
                if not number % _READERS_IN_A_STEP:
                    yield
        is_last = True
        for level in reversed(levels):
            found = {}
            for register, steps in level.items():
                yield
                found[register] = [step for step in steps if is_last or not self._is_copy(step) or self._goes_on(step)]
            self._steps, self._before, is_last = found, {}, False

    def _goes_on(self, copy: Step) -> bool:
        return any(self.has(copy, name) for name in copy.writes)

    def has(self, step: Step, register: str) -> bool:
        """Whether the value that an instruction writes to one of the registers can have an effect."""
        if register not in self._before:
            self._before[register] = LeadingTo(self._kernel.graph, self._steps.get(register, ()))
        return step in self._before[register]

    def _reading(self, registers: set[str]) -> Generator[None, None, dict[str, list[Step]]]:
        """The instructions that read registers, but for jumps that lead to the next instruction in any case."""
        kernel, graph = self._kernel, self._kernel.graph
        found: dict[str, list[Step]] = {}
        names = {name_of(register) for register in registers}
        for node in graph.nodes:
            if not node.number % _NODES_IN_A_STEP:
                yield
            if names.isdisjoint(node.piece.exposed) and names.isdisjoint(node.piece.written):
                continue
            is_jump = node.piece.control is Control.JUMP and kernel.path_values.branches.of(node.number) is None
            for step in kernel.steps.of(node.number):
                if is_jump and step.statement == node.piece.end - 1:
                    continue
                for register in registers.intersection(step.reads + step.updates):
                    found.setdefault(register, []).append(step)
        return found

    def _is_copy(self, step: Step) -> bool:
        effect = self._kernel.graph.effects.of(step.chunk, step.statement)
        return effect.results_only and not step.guarded and bool(step.writes) and not step.updates
