"""The facts about order of the instructions of a kernel, as their pages have them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Set

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import InstructionForm, PlaceKind, Slot
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.ordering import TENSOR_MEMORY, Ordering, OrderingFact, Verb
from ptx_lsp.process_cache import memoized

_ELSEWHERE = frozenset({".global", ".param", ".local", ".const", ".param::entry", ".param::func"})
"""The state spaces in an opcode that exclude shared memory."""

_OPCODES_IN_A_STEP = 64
_STEPS_IN_A_STEP = 64
_ACCESSES = frozenset({(Verb.READS, ""), (Verb.WRITES, "")})


@memoized(1024)
def possible_facts(opcode: tuple[str, ...]) -> frozenset[tuple[Verb, str]]:
    """The facts without operands of all forms that instructions with this opcode can have."""
    found: set[tuple[Verb, str]] = set()
    words = frozenset(opcode)
    for page in catalogue().candidates(opcode) if opcode else ():
        for needed, facts in _ordered_forms(page):
            if not any(map(words.isdisjoint, needed)):
                found.update((fact.verb, fact.what) for fact in facts if fact.holds(opcode))
    return frozenset(found)


@memoized(512)
def _ordered_forms(page: InstructionPage) -> tuple[tuple[tuple[frozenset[str], ...], Ordering], ...]:
    """The forms of a page that have facts: of each the places that must have one of some words, and the facts."""
    return tuple(
        (
            tuple(frozenset(filter(None, slot.choices)) for slot in form.slots[1:] if _is_needed(slot)),
            form.ordering,
        )
        for form in page.forms
        if form.ordering
    )


def _is_needed(slot: Slot) -> bool:
    """Whether an opcode must have a word for a place of a form."""
    return slot.kind is PlaceKind.QUALIFIER and None not in slot.choices


def facts_of(match: Match, opcode: tuple[str, ...]) -> Ordering:
    """The facts of the form that an instruction matches, those that hold for its opcode."""
    facts = match.form.ordering
    return facts if all(fact.holds(opcode) for fact in facts) else tuple(one for one in facts if one.holds(opcode))


def is_in_tensor_memory(match: Match, role: str) -> bool:
    """Whether an operand is an address in Tensor Memory, by the facts of the form."""
    facts = match.form.ordering
    if not any(fact.what in TENSOR_MEMORY or fact.verb is Verb.FREES for fact in facts):
        return False
    accesses = (Verb.READS, Verb.WRITES, Verb.FREES)
    return any(role in fact.operands for fact in facts if fact.verb in accesses)


class OrderingFacts:
    """The facts about order of one kernel's instructions.

    Args:
        opcodes: the opcodes of all its instructions.
        steps: finds those that have one of some opcodes and can be executed, in the order of the text.
        match: finds the form that an instruction fits.

    """

    def __init__(
        self,
        opcodes: frozenset[tuple[str, ...]],
        steps: Callable[[Set[tuple[str, ...]]], Iterable[Step]],
        match: Callable[[Step], Match | None],
    ) -> None:
        self._all = steps
        self._match = match
        self._steps: dict[tuple[Verb, str], list[Step]] = {}
        self._of: dict[tuple[int, int], Ordering] = {}
        self._of_forms: dict[tuple[int, tuple[str, ...]], tuple[InstructionForm, Ordering]] = {}
        self._having: dict[tuple[Verb, str], set[tuple[str, ...]]] = {}
        self._unread = iter(opcodes)
        self._asked: dict[frozenset[tuple[str, ...]], list[Step]] = {}
        self._known: tuple[frozenset[tuple[str, ...]], list[Step]] = frozenset(), []
        """The instructions with some opcodes, of which others are asked for together."""

    def of(self, step: Step) -> Ordering:
        """The facts of an instruction; none if it fits no form."""
        key = (step.node, step.statement)
        found = self._of.get(key)
        if found is None:
            match = self._match(step) if possible_facts(step.opcode) else None
            found = self._of[key] = self._of_match(match, step.opcode) if match is not None and match.fits else ()
        return found

    def _of_match(self, match: Match, opcode: tuple[str, ...]) -> Ordering:
        """:func:`facts_of`; the same object for all instructions with one form and opcode."""
        key = id(match.form), opcode
        known = self._of_forms.get(key)
        if known is None:
            known = self._of_forms[key] = match.form, facts_of(match, opcode)  # with the form, whose identity it has
        return known[1]

    def preparing(self) -> Iterator[None]:
        """Find the opcodes that may have each fact, in steps of a few milliseconds."""
        for number, opcode in enumerate(self._unread):
            for fact in possible_facts(opcode):
                self._having.setdefault(fact, set()).add(opcode)
            if not number % _OPCODES_IN_A_STEP:
                yield

    def finding_steps(self) -> Iterator[None]:
        """Find the instructions with each fact but those that only access memory, in steps of a few milliseconds."""
        yield from self.preparing()
        found: dict[tuple[Verb, str], list[Step]] = {fact: [] for fact in self._having if fact not in _ACCESSES}
        opcodes = frozenset().union(*(self._having[fact] for fact in found))
        steps: list[Step] = []
        lists: dict[tuple[int, tuple[str, ...]], list[list[Step]]] = {}
        """Those to which an instruction belongs, by the identity of its facts and its opcode."""
        for number, step in enumerate(self._all(opcodes)):
            steps.append(step)
            facts, opcode = self.of(step), step.opcode
            if (id(facts), opcode) not in lists:
                about = {(one.verb, one.what) for one in facts}
                lists[id(facts), opcode] = [found[one] for one in about if one in found and opcode in self._having[one]]
            for one in lists[id(facts), opcode]:
                one.append(step)
            if not number % _STEPS_IN_A_STEP:
                yield
        self._steps.update(found)
        self._known = opcodes, steps

    def opcodes_about(self, objects: Set[str]) -> Set[tuple[str, ...]]:
        """The opcodes that may have facts with some objects."""
        for _ in self.preparing():
            pass
        return frozenset().union(*(having for (_, what), having in self._having.items() if what in objects))

    def _opcodes_with(self, verb: Verb, what: str) -> Set[tuple[str, ...]]:
        """The opcodes that may have a fact."""
        for _ in self.preparing():
            pass
        return self._having.get((verb, what), frozenset())

    def find(self, step: Step, verb: Verb, what: str = "") -> OrderingFact | None:
        """The fact of an instruction with this verb and object."""
        return next((one for one in self.of(step) if one.verb is verb and one.what == what), None)

    def has(self, verb: Verb, *objects: str) -> bool:
        """Whether some instruction of the kernel may have such a fact; a look at its opcodes."""
        return any(self._opcodes_with(verb, what) for what in objects or ("",))

    def steps(self, verb: Verb, what: str = "") -> list[Step]:
        """The instructions that can be executed and have such a fact, in the order of the text."""
        found = self._steps.get((verb, what))
        if found is None:
            steps = self.having_one_of(self._opcodes_with(verb, what))
            found = [step for step in steps if self.find(step, verb, what) is not None]
            self._steps[verb, what] = found
        return found

    def possible(self, verb: Verb, what: str = "") -> list[Step]:
        """The instructions whose opcode may have such a fact, whether they fit a form or not."""
        return self.having_one_of(self._opcodes_with(verb, what))

    def shared_accesses(self, verb: Verb) -> list[Step]:
        """The instructions that read, or write, memory that may be shared memory, in the order of the text."""
        return self.having_one_of(self._of_shared_memory(verb))

    def finding_shared_accesses(self, verb: Verb) -> Generator[None, None, list[Step]]:
        """:meth:`shared_accesses` in steps of a few milliseconds."""
        return (yield from self.finding_having_one_of(self._of_shared_memory(verb)))

    def _of_shared_memory(self, verb: Verb) -> Set[tuple[str, ...]]:
        return frozenset(opcode for opcode in self._opcodes_with(verb, "") if _may_be_shared(opcode, verb))

    def finding_global_accesses(self, verb: Verb) -> Generator[None, None, list[Step]]:
        """The instructions that read, or write, global memory by their opcode, in the order of the text."""
        opcodes = frozenset(one for one in self._opcodes_with(verb, "") if accessed_space(one, verb) == ".global")
        return (yield from self.finding_having_one_of(opcodes))

    def finding_having_one_of(self, opcodes: Set[tuple[str, ...]]) -> Generator[None, None, list[Step]]:
        """The instructions with some opcodes, found in steps of a few milliseconds."""
        opcodes = frozenset(opcodes)
        if not opcodes <= self._known[0] and opcodes not in self._asked:
            found: list[Step] = []
            for step in self._all(opcodes):
                found.append(step)
                if not len(found) % _STEPS_IN_A_STEP:
                    yield
            self._asked[opcodes] = found
        return self.having_one_of(opcodes)

    def having_one_of(self, opcodes: Set[tuple[str, ...]]) -> list[Step]:
        """The instructions with some opcodes."""
        if not opcodes:
            return []
        if opcodes <= self._known[0]:
            return [step for step in self._known[1] if step.opcode in opcodes]
        opcodes = frozenset(opcodes)
        if opcodes not in self._asked:
            self._asked[opcodes] = [*self._all(opcodes)]
        return [*self._asked[opcodes]]

    def roles(self, step: Step, *verbs: Verb) -> Iterable[str]:
        """The operands that facts with these verbs name."""
        return [name for fact in self.of(step) if fact.verb in verbs for name in fact.operands]


@memoized(512)
def accessed_space(opcode: tuple[str, ...], verb: Verb) -> str:
    """The state space of what an instruction reads, or writes, without `::`; empty if its opcode names none."""
    spaces = [word.partition("::")[0] for word in opcode if word in _ELSEWHERE or word.startswith(".shared")]
    if not spaces:
        return ""
    return spaces[0] if verb is Verb.WRITES else spaces[-1]  # a copy names its destination first


def _may_be_shared(opcode: tuple[str, ...], verb: Verb) -> bool:
    """Whether the address that an instruction reads, or writes, may be one of shared memory."""
    if any(one is Verb.STARTS and what in TENSOR_MEMORY for one, what in possible_facts(opcode)):
        return False
    return accessed_space(opcode, verb) in ("", ".shared")


def is_generic(opcode: tuple[str, ...]) -> bool:
    """Whether an access names no state space."""
    return not accessed_space(opcode, Verb.READS)
