"""Barriers and asynchronous work as text, for readers: names, what instructions do, and their partners."""

from __future__ import annotations

import re
from collections.abc import Callable

from ptx_lsp.analysis.cursor.counterparts import made_by
from ptx_lsp.analysis.cursor.expressions import ExpressionReader, legend
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.references.reaching_definitions import reaching
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.value_sources import Write, has_the_guard_of
from ptx_lsp.analysis.synchronization.barrier_objects import BarrierObjects, Member, SyncObject
from ptx_lsp.isa.model.ordering import ALL, BYTES, PHASE, THREADS, WORK, OrderingFact, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.names.demangle import names_within
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

_VERBS: dict[tuple[Verb, str], str] = {
    (Verb.INITIALIZES, PHASE): "initializes",
    (Verb.INVALIDATES, PHASE): "invalidates",
    (Verb.EXPECTS, BYTES): "expects bytes",
    (Verb.ARRIVES, PHASE): "arrives",
    (Verb.ARRIVES, BYTES): "completes bytes",
    (Verb.ARRIVES, THREADS): "arrives",
    (Verb.STARTS, BYTES): "starts work that completes bytes",
    (Verb.WAITS, PHASE): "waits",
    (Verb.WAITS, THREADS): "waits",
}
"""The effects of instructions on a barrier; the operands follow in brackets."""
_OF_WORK = {
    Verb.STARTS: "starts",
    Verb.COMMITS: "commits a group",
    Verb.COMPLETES: "commits to an mbarrier",
    Verb.WAITS: "waits",
    Verb.FENCES: "fence",
}
_OPERANDS: dict[tuple[Verb, str], tuple[str, str]] = {
    (Verb.INITIALIZES, PHASE): ("{} arrival", "{} arrivals"),
    (Verb.EXPECTS, BYTES): ("{} byte", "{} bytes"),
    (Verb.ARRIVES, PHASE): ("{} arrival", "{} arrivals"),
    (Verb.ARRIVES, BYTES): ("{} byte", "{} bytes"),
    (Verb.WAITS, PHASE): ("parity {}", "parity {}"),
    (Verb.WAITS, THREADS): ("{} thread", "{} threads"),
    (Verb.ARRIVES, THREADS): ("{} thread", "{} threads"),
}
"""The second operand of a fact, for 1 and for other numbers."""
_MASKED = re.compile(r"`\((.*)\) & \d+`")
_MOST_ADDRESSES = 3
"""So many addresses that a register may hold are shown."""
_COMMITTED = "arrives once earlier work is complete"


class Relation(NamedTuple):
    """Instructions that do one thing to a barrier or to work."""

    words: str
    """Such as ``waited for``, before ``in line 12``."""
    members: tuple[Member, ...]


class BarrierWriter:
    """Writes about the barriers of one function, which are found; to be kept for one answer."""

    def __init__(self, semantics: Semantics, function: Function, barriers: BarrierObjects) -> None:
        self._semantics = semantics
        self._function = function
        self._barriers = barriers
        self._flow = semantics.flow(function)
        self._reader = ExpressionReader(semantics, function)

    def context(self, member: Member) -> StatementContext:
        """The instruction in its surroundings."""
        return StatementContext(self._semantics.module, self._function, member.step.chunk, member.step.statement)

    def title(self, found: SyncObject) -> str:
        """The name of a barrier or of work: ``mbarrier `smem + 8```."""
        if found.kind.is_work:
            return WORK[found.kind.name]
        if found.kind.name == THREADS:
            if found.number is not None:
                return f"barrier {found.number}"
            operand = found.members[0].participant.operand
            context = self.context(found.members[0])
            return f"barrier `{context.text_of(operand)}`" if operand is not None else f"`{_family(found)}`"
        first = min(found.members, key=lambda one: (one.is_elsewhere, one.offset is None, one.offset or 0))
        address = self._address(first)[0]
        if not found.stride:
            return f"mbarrier {address}" if address else "mbarriers whose address is not known"
        if found.size > 1:
            return f"array of {found.size} mbarriers at {address}"
        count = len(found.offsets)
        return f"array of mbarriers at {address}" + (f", {count} known by constant addresses" if count > 1 else "")

    def address(self, member: Member, link: Callable[[int], str]) -> tuple[str, str]:
        """The address of the mbarrier that an instruction names, and what its counters count; empty without one."""
        if member.is_elsewhere and (mapped := self._mapped(member)):
            return mapped, ""
        text, counters = self._address(member, link)
        if member.is_elsewhere:  # a mask changes the number of the CTA only
            text = _MASKED.sub(r"`\1`", text) + ", may be in another CTA"
        return text, counters

    def _address(self, member: Member, link: Callable[[int], str] = str) -> tuple[str, str]:
        operand = member.participant.operand
        if operand is None or member.participant.kind.name != PHASE:
            return "", ""
        context = self.context(member)
        found = self._reader.address(context, operand)
        if found is not None:
            counters = legend(self._semantics, found, link)
            return f"`{found.text}`", counters.replace("iteration of the loop", "loop").replace(", from 0", "")
        if one_of := self._one_of(context, operand):
            return one_of, ""
        text = names_within(" ".join(context.text_of(operand).split()))
        return f"`{text.removeprefix('[').removesuffix(']').strip()}`", ""

    def _one_of(self, context: StatementContext, operand: Operand) -> str:
        """The addresses one of which a register holds, ``a` or `b``; empty if they are not known."""
        base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
        if base.kind is not OperandKind.NAME or base.name < 0 or base.offset is not None:
            return ""
        name = context.word(base.name)
        node = self._flow.graph.node_at(context.chunk, context.index)
        if node is None or node.number not in self._flow.graph.reachable:
            return ""
        step = self._flow.steps.at(node.number, context.index)
        register = self._flow.graph.registers.key(name, node.scope)
        writes = self._flow.steps.definitions(step, register, at_any_cost=True)
        texts: dict[str, None] = {}
        for one in writes:
            made = StatementContext(self._semantics.module, self._function, one.chunk, one.statement)
            found = self._reader.register(made, name, after=True)
            if found is None or not found.is_known:
                return ""
            texts[f"`{found.text}`"] = None
        return " or ".join(texts) if len(texts) <= _MOST_ADDRESSES else ""

    def _mapped(self, member: Member) -> str:
        """The address in this CTA of which an instruction names the counterpart in another one; empty if unknown."""
        operand = member.participant.operand
        base = operand.parts[0] if operand is not None and operand.parts else operand
        context = self.context(member)
        if base is None or base.kind is not OperandKind.NAME or base.name < 0:
            return ""
        name = context.word(base.name)
        made = reaching(self._semantics, context, name)
        source = self._flow.expressions.values.sources.before(context, name) if not made else None
        if isinstance(source, Write) and has_the_guard_of(source, context):
            made = (StatementContext(context.module, context.function, source.chunk, source.statement),)
        found = made_by(made[0]) if len(made) == 1 else None
        offset = evaluate(context.statement, base.offset) if base.offset is not None else 0
        if found is None or not isinstance(offset, int):
            return ""
        place = self._written(made[0], found.place)
        more = f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else ""
        rank = f" of CTA `{self._written(made[0], found.rank)}`" if found.rank is not None else ", in another CTA"
        return f"`{place}{more}`{rank}"

    def does(self, member: Member) -> str:
        """The effects of an instruction with its numbers: ``waits (parity 0)``."""
        found = dict.fromkeys(self._fact(member, fact) for fact in member.participant.facts)
        # A commit arrives once, though it both completes work and arrives.
        return ", ".join(one for one in found if one != "arrives" or _COMMITTED not in found)

    def _fact(self, member: Member, fact: OrderingFact) -> str:
        if fact.verb is Verb.COMPLETES and member.participant.kind.name == PHASE:
            return _COMMITTED
        context = self.context(member)
        if member.participant.kind.is_work:
            return self._of_work(context, fact)
        text = _VERBS.get((fact.verb, fact.what), fact.verb.value)
        if len(fact.operands) > 1 and (fact.verb, fact.what) in _OPERANDS:
            number = self._value(context, fact.operands[1])
            one, several = _OPERANDS[fact.verb, fact.what]
            text += f" ({(one if number == '1' else several).format(number)})" if number else ""
        return text

    def _of_work(self, context: StatementContext, fact: OrderingFact) -> str:
        text = _OF_WORK.get(fact.verb, fact.verb.value)
        if fact.verb is not Verb.WAITS:
            return text
        if fact.operands == (ALL,) or not fact.operands:
            return f"{text} for all"
        number = self._value(context, fact.operands[0])
        if number == "0":
            return f"{text} for all groups"
        groups = "group is" if number == "1" else "groups are"
        return f"{text} until at most {number} {groups} unfinished"

    def _value(self, context: StatementContext, role: str) -> str:
        """The operand with a role: its number, its expression, else as written; empty if it is left out."""
        match, tree = context.match, context.instruction
        operand = dict(zip(match.roles, tree.operands, strict=False)).get(role) if match and tree else None
        if operand is None:
            return ""
        number = evaluate(context.statement, operand)
        if number is None:
            value = self._flow.expressions.values.operand(context, operand)
            number = value.number if value is not None and not value.terms else None
        return str(number) if number is not None else f"`{self._written(context, operand)}`"

    def _written(self, context: StatementContext, operand: Operand) -> str:
        name = context.word(operand.name) if operand.kind is OperandKind.NAME and operand.name >= 0 else ""
        found = self._reader.register(context, name) if name else None
        return found.text if found is not None and found.is_known else context.text_of(operand)

    def relations(self, found: SyncObject, own: Member) -> list[Relation]:
        """The others that take part with an instruction, by what they do; without those that cannot meet it."""
        if found.kind.is_work:
            partners = self._barriers.partners(found, own)
            is_wait = own.participant.is_wait
            groups = [
                ("started", [one for one in partners if one.participant.does(Verb.STARTS)]),
                ("committed", [one for one in partners if _commits(one) and not is_wait]),
                ("waits for the work committed", [one for one in partners if _commits(one) and is_wait]),
                ("waited for", [one for one in partners if one.participant.is_wait]),
            ]
        else:
            others = [one for one in found.members if one.step != own.step and one.may_meet(own)]
            partners = [one for one in others if one.participant.is_signal]
            groups = [
                ("initialized", [one for one in others if one.participant.does(Verb.INITIALIZES)]),
                ("expects bytes", [one for one in others if one.participant.does(Verb.EXPECTS)]),
                ("signalled", [one for one in partners if not _meets(one)]),
                ("waited for", [one for one in others if one.participant.is_wait and not _meets(one)]),
                ("also waited at", [one for one in others if _meets(one)]),
                ("invalidated", [one for one in others if one.participant.does(Verb.INVALIDATES)]),
            ]
        return [Relation(words, tuple(members)) for words, members in groups if members]


def _commits(one: Member) -> bool:
    return one.participant.does(Verb.COMMITS) or one.participant.does(Verb.COMPLETES)


def _meets(one: Member) -> bool:
    """Whether an instruction arrives at a barrier of threads and waits there."""
    return one.participant.is_wait and one.participant.is_signal


def _family(found: SyncObject) -> str:
    """The words with which the opcodes of all members begin."""
    opcodes = [one.step.opcode for one in found.members]
    common = 0
    while all(len(one) > common and one[common] == opcodes[0][common] for one in opcodes):
        common += 1
    return "".join(opcodes[0][: max(1, min(common, 2))])
