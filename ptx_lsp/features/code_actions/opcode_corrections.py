"""Quick fix: legal opcodes that are similar to one whose finding has no fix."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operands import operand_at, read_operands
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import ActionRequest, CodeAction
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import accepts
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.match_result import Problem

_OF_OPCODES = frozenset({"E301", "E302", "E303", "E304", "E306", "E402", "E403", "E405"})
_OFFERED = 6
"""The maximum number of opcodes offered; with more, none is offered."""
_TRIED = 150
"""The maximum number of opcodes tried; each costs some 10 µs, a first one more."""

Opcode = tuple[str, ...]


def opcode_corrections(request: ActionRequest, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """Offer each opcode that differs in one qualifier and fits the operands, most similar first."""
    context = request.context
    wanting = [one for one in here if one.code in _OF_OPCODES and not one.fixes]
    if context is None or context.instruction is None or not wanting or 0 in context.codes:
        return
    start = request.start_of(context)
    inside = tuple(one for one in wanting if 0 <= one.span.start - start < len(context.statement.text))
    if not inside:
        return
    opcode = context.instruction.opcode
    operands = read_operands(context.statement.shape, context.codes, context.statement, context.statement)
    found = list(_right(context, opcode, operands))
    if len(found) <= _OFFERED:
        for right in found:
            edit = Edit(context.opcode_span().shifted(start), "".join(right))
            yield CodeAction(f"write '{''.join(right)}'", (edit,), inside)


def _right(context: StatementContext, opcode: Opcode, operands: tuple[ActualOperand, ...]) -> Iterator[Opcode]:
    """Yield the candidates that are legal in the module, with qualifiers in the manual's order."""
    module = context.module
    known: set[tuple[str, ...]] = set()
    tried = 0
    for candidate in _candidates(context, opcode):
        key = tuple(sorted(candidate))
        if key in known:
            continue
        known.add(key)
        tried += 1
        if tried > _TRIED:
            return
        if accepts(candidate, operands, module.version, module.target, AcceptancePolicy.ALL):
            yield candidate


def _candidates(context: StatementContext, opcode: Opcode) -> Iterator[Opcode]:
    """Yield opcodes that differ from ``opcode`` in one word; words named in mismatches first."""
    match = context.match
    if match is None:
        for page in catalogue().beginning_with(opcode[:1]):
            for name in page.names:
                first, *others = name.split(".")
                words = tuple(f".{word}" for word in others)
                yield (first, *words, *(word for word in opcode[1:] if word not in words))
        return
    for mismatch in match.mismatches:
        at = mismatch.qualifier
        if mismatch.problem is Problem.CONFLICT:
            for place in (at, mismatch.other):
                if place > 0:
                    yield opcode[:place] + opcode[place + 1 :]
        elif mismatch.problem is Problem.MISSING_QUALIFIER:
            for word in mismatch.wanted:
                yield from _inserted(context, opcode, word)
        elif mismatch.problem is Problem.ORDER:
            yield from _sorted(opcode)
        elif mismatch.problem is Problem.UNKNOWN_QUALIFIER and at > 0:
            for word in mismatch.wanted:
                yield (*opcode[:at], word, *opcode[at + 1 :])
            yield opcode[:at] + opcode[at + 1 :]
        elif mismatch.problem in _OF_OPERANDS:
            yield from _retyped(context, opcode, _bits(context, mismatch.operand))


_OF_OPERANDS = frozenset({Problem.OPERAND_TYPE, Problem.VECTOR_LENGTH, Problem.OPERAND_KIND})


def _sorted(opcode: Opcode) -> Iterator[Opcode]:
    """Yield the words in an order that some form accepts."""
    for page in catalogue().candidates(opcode):
        for form in page.prepared.get(opcode[0], ()):
            if all(word in form.homes for word in opcode[1:]):
                yield (opcode[0], *sorted(opcode[1:], key=lambda word: form.homes[word][0]))


def _inserted(context: StatementContext, opcode: Opcode, word: str) -> Iterator[Opcode]:
    """Yield opcodes with ``word`` inserted where a form has a slot for it: the nearest form, then the others."""
    match = context.match
    assert match is not None
    places = [place for place, slot in enumerate(match.form.slots) if word in slot.choices]
    for place in places[:1]:
        at = sum(1 for own in match.places[1:] if 0 <= own < place) + 1
        yield (*opcode[:at], word, *opcode[at:])
    for form in match.instruction.prepared.get(opcode[0], ()):
        if word in form.homes and all(one in form.homes for one in opcode[1:]):
            at = sum(form.homes[one][0] < form.homes[word][0] for one in opcode[1:]) + 1
            yield (*opcode[:at], word, *opcode[at:])
    yield (*opcode, word)


def _bits(context: StatementContext, path: tuple[int, ...]) -> int:
    """Return the width in bits of the register operand at ``path``; 0 for other operands."""
    operand = operand_at(context.instruction, path)
    meaning = OPERANDS[context.code_of(operand.name)] if operand is not None and operand.name >= 0 else None
    word = catalogue().vocabulary.types.get(meaning.type) if meaning is not None else None
    return word.bits if word is not None and meaning is not None and meaning.kind == "register" else 0


def _retyped(context: StatementContext, opcode: Opcode, bits: int) -> Iterator[Opcode]:
    """Yield opcodes with a slot's word replaced that determines operands: type, vector, space, count.

    Of types, only those as wide as the mismatched register.
    """
    match = context.match
    assert match is not None
    types = catalogue().vocabulary.types
    for at in reversed(range(1, len(opcode))):
        place = match.places[at] if at < len(match.places) else -1
        if place < 0:
            continue
        for word in match.form.slots[place].choices:
            if word is None or word == opcode[at]:
                continue
            if bits and word in types and types[word].bits != bits:
                continue
            yield (*opcode[:at], word, *opcode[at + 1 :])
        if None in match.form.slots[place].choices:
            yield opcode[:at] + opcode[at + 1 :]
