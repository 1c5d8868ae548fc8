"""The facts about order of the instructions of a kernel, as their pages have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import InstructionForm, PlaceKind
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.ordering import TENSOR_MEMORY, Ordering, OrderingFact, Verb

_ELSEWHERE = frozenset({".global", ".param", ".local", ".const", ".param::entry", ".param::func"})
"""The state spaces in an opcode that exclude shared memory."""


@lru_cache(maxsize=4096)
def possible_facts(opcode: tuple[str, ...]) -> frozenset[tuple[Verb, str]]:
    """The facts without operands of all forms that instructions with this opcode can have."""
    pages = catalogue().candidates(opcode) if opcode else ()
    forms = [form for page in pages for form in page.forms if form.ordering and _may_be(form, opcode)]
    return frozenset((fact.verb, fact.what) for form in forms for fact in form.ordering if fact.holds(opcode))


def _may_be(form: InstructionForm, opcode: tuple[str, ...]) -> bool:
    """Whether an opcode has a word for each place of a form that must have one."""
    words: frozenset[str | None] = frozenset((*opcode, None))
    places = (slot.choices for slot in form.slots[1:] if slot.kind is PlaceKind.QUALIFIER)
    return not any(words.isdisjoint(choices) for choices in places)


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
        steps: finds those that begin with one of some words and can be executed, in the order of the text.
        context: finds an instruction's surroundings.

    """

    def __init__(
        self,
        opcodes: frozenset[tuple[str, ...]],
        steps: Callable[..., list[Step]],
        context: Callable[[Step], StatementContext],
    ) -> None:
        self._opcodes = opcodes
        self._all = steps
        self._context = context
        self._steps: dict[tuple[Verb, str], list[Step]] = {}

    def of(self, step: Step) -> Ordering:
        """The facts of an instruction; none if it fits no form."""
        match = self._context(step).match if possible_facts(step.opcode) else None
        return facts_of(match, step.opcode) if match is not None and match.fits else ()

    def find(self, step: Step, verb: Verb, what: str = "") -> OrderingFact | None:
        """The fact of an instruction with this verb and object."""
        return next((one for one in self.of(step) if one.verb is verb and one.what == what), None)

    def has(self, verb: Verb, *objects: str) -> bool:
        """Whether some instruction of the kernel may have such a fact; a look at its opcodes."""
        wanted = {(verb, what) for what in objects or ("",)}
        return any(not wanted.isdisjoint(possible_facts(opcode)) for opcode in self._opcodes)

    def steps(self, verb: Verb, what: str = "") -> list[Step]:
        """The instructions that can be executed and have such a fact, in the order of the text."""
        found = self._steps.get((verb, what))
        if found is None:
            opcodes = frozenset(opcode for opcode in self._opcodes if (verb, what) in possible_facts(opcode))
            steps = self._beginning_with(opcodes)
            found = [step for step in steps if self.find(step, verb, what) is not None]
            self._steps[verb, what] = found
        return found

    def possible(self, verb: Verb, what: str = "") -> list[Step]:
        """The instructions whose opcode may have such a fact, whether they fit a form or not."""
        return self._beginning_with(
            frozenset(opcode for opcode in self._opcodes if (verb, what) in possible_facts(opcode))
        )

    def shared_accesses(self, verb: Verb) -> list[Step]:
        """The instructions that read, or write, memory that may be shared memory, in the order of the text."""
        return self._beginning_with(
            frozenset(
                opcode
                for opcode in self._opcodes
                if (verb, "") in possible_facts(opcode) and _may_be_shared(opcode, verb)
            )
        )

    def global_accesses(self, verb: Verb) -> list[Step]:
        """The instructions that read, or write, global memory by their opcode, in the order of the text."""
        return self._beginning_with(
            frozenset(
                opcode for opcode in self._opcodes if (verb, "") in possible_facts(opcode) and ".global" in opcode
            )
        )

    def _beginning_with(self, opcodes: frozenset[tuple[str, ...]]) -> list[Step]:
        """The instructions with some opcodes."""
        words = sorted({opcode[0] for opcode in opcodes})
        return [step for step in self._all(*words) if step.opcode in opcodes] if words else []

    def roles(self, step: Step, *verbs: Verb) -> Iterable[str]:
        """The operands that facts with these verbs name."""
        return [name for fact in self.of(step) if fact.verb in verbs for name in fact.operands]


def _may_be_shared(opcode: tuple[str, ...], verb: Verb) -> bool:
    """Whether the address that an instruction reads, or writes, may be one of shared memory."""
    if any(one is Verb.STARTS and what in TENSOR_MEMORY for one, what in possible_facts(opcode)):
        return False
    spaces = [word for word in opcode if word in _ELSEWHERE or word.startswith(".shared")]
    if len(spaces) > 1:  # a copy: the destination is written first
        spaces = spaces[:1] if verb is Verb.WRITES else spaces[-1:]
    return not spaces or spaces[0].startswith(".shared")


def is_generic(opcode: tuple[str, ...]) -> bool:
    """Whether an access names no state space."""
    return not any(word in _ELSEWHERE or word.startswith(".shared") for word in opcode)
