"""Instructions that take part in synchronization: what each does, and the barrier or work that it does it to.

What they do are the facts about order of their pages; no instruction is named here.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.synchronization.ordering_facts import facts_of, possible_facts
from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.ordering import BYTES, PHASE, THREADS, WORK, OrderingFact, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Operand

SIGNALS = frozenset({(Verb.ARRIVES, PHASE), (Verb.ARRIVES, BYTES), (Verb.STARTS, BYTES)})
"""The facts that bring a phase of an mbarrier nearer to its end; each ``completes`` does too."""
_ON_MBARRIER = frozenset({PHASE, BYTES})
_OF_WORK = frozenset({Verb.STARTS, Verb.COMMITS, Verb.WAITS, Verb.COMPLETES, Verb.FENCES})
_EXACT = frozenset(
    {Verb.INITIALIZES, Verb.INVALIDATES, Verb.EXPECTS, Verb.ARRIVES, Verb.COMMITS, Verb.COMPLETES, Verb.WAITS}
)


class SyncKind(NamedTuple):
    """A kind of synchronization: ``phase`` of an mbarrier, ``threads`` at a barrier, or a kind of asynchronous work."""

    name: str

    @property
    def is_work(self) -> bool:
        """Whether it is asynchronous work, with its commits and waits."""
        return self.name not in (PHASE, THREADS)


class Participant(NamedTuple):
    """An instruction, and what it does to one barrier or one kind of work."""

    step: Step
    kind: SyncKind
    facts: tuple[OrderingFact, ...]
    """The effects of the instruction, from its page; not empty."""
    operand: Operand | None
    """The operand that names the barrier; None of work, and of barriers without a name."""

    @property
    def is_wait(self) -> bool:
        """Whether it waits."""
        return any(fact.verb is Verb.WAITS for fact in self.facts)

    @property
    def is_signal(self) -> bool:
        """Whether a wait may end by it; a barrier at which threads meet is both."""
        if self.kind.name == THREADS:
            return any(fact.verb in (Verb.ARRIVES, Verb.WAITS) for fact in self.facts) and not self.is_split_wait
        if self.kind.is_work:
            return self.does(Verb.COMMITS) or self.does(Verb.STARTS)
        return any(fact.verb is Verb.COMPLETES or (fact.verb, fact.what) in SIGNALS for fact in self.facts)

    @property
    def is_split_wait(self) -> bool:
        """Whether it waits at a barrier without a name, where others arrive."""
        return self.kind.name == THREADS and self.operand is None and self.is_wait

    def does(self, verb: Verb) -> bool:
        """Whether a fact has this verb."""
        return any(fact.verb is verb for fact in self.facts)


def takes_part(opcode: tuple[str, ...]) -> bool:
    """Whether instructions with this opcode may take part; a look at a table."""
    return any(_kind(OrderingFact(verb, what)) is not None for verb, what in possible_facts(opcode))


def _kind(fact: OrderingFact) -> SyncKind | None:
    """The kind of synchronization that a fact is about."""
    if fact.what in _ON_MBARRIER and (fact.verb in _EXACT or fact.verb is Verb.STARTS):
        return SyncKind(PHASE)
    if fact.what == THREADS and fact.verb in _EXACT:
        return SyncKind(THREADS)
    if fact.what in WORK and fact.verb in _OF_WORK:
        return SyncKind(fact.what)
    return None


def participants_of(context: StatementContext, step: Step) -> list[Participant]:
    """The parts that an instruction takes, one for each barrier or kind of work; none if it fits no form."""
    match, tree = context.match, context.instruction
    if match is None or not match.fits or tree is None:
        return []
    operands = dict(zip(match.roles, tree.operands, strict=False))
    found: dict[tuple[SyncKind, str], list[OrderingFact]] = {}
    for fact in facts_of(match, tree.opcode):
        kind = _kind(fact)
        if kind is not None:
            found.setdefault((kind, "" if kind.is_work else fact.operands[0] if fact.operands else ""), []).append(fact)
        if fact.verb is Verb.COMPLETES and fact.operands:
            found.setdefault((SyncKind(PHASE), fact.operands[0]), []).append(fact)
    return [
        Participant(step, kind, tuple(facts), operands.get(name))
        for (kind, name), facts in found.items()
        if not (kind.name == PHASE and name not in operands)
    ]


class Participants:
    """The participants of one function that can be executed, in the order of the text."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self.all: list[Participant] = []
        self.at: dict[tuple[int, int], list[Participant]] = {}
        """By node and statement."""
        self.nodes: dict[int, list[Participant]] = {}
        """By node, in order."""

    @once
    def _numbers(self) -> frozenset[int]:
        """The shapes of instructions that may take part."""
        every = set().union(*(chunk.shapes for chunk in self._steps.graph.function.chunks))
        return frozenset(number for number in every if SHAPES[number].opcode and takes_part(SHAPES[number].opcode))

    def finding(self) -> Iterator[None]:
        """Find them, in steps of some milliseconds."""
        graph = self._steps.graph
        reachable = graph.reachable
        yield
        for chunk in graph.function.chunks:
            if self._numbers.isdisjoint(chunk.shapes):
                continue
            for index, number in enumerate(chunk.shapes):
                node = graph.node_at(chunk, index) if number in self._numbers else None
                if node is not None and node.number in reachable:
                    self._add(self._steps.at(node.number, index))
            yield

    def _add(self, step: Step) -> None:
        found = participants_of(self._steps.context(step), step)
        if found:
            self.all += found
            self.at[step.node, step.statement] = found
            self.nodes.setdefault(step.node, []).extend(found)
