"""An unfinished instruction completed around the cursor, so that the matcher can evaluate candidates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ptx_lsp.analysis.cursor.possible_forms import PossibleForm, possible_forms
from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.statements.operands import OperandReader
from ptx_lsp.analysis.statements.role_misuse import role_misuses, role_needs
from ptx_lsp.analysis.symbols.special_names import special_code
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.derived_values import once
from ptx_lsp.isa.match import accepts
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.vocabulary.register_types import vector_of
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand
from ptx_lsp.text import Span

PLACEHOLDER = "stand$in$here"
"""An undeclared name that replaces the word at the cursor."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LOOKAHEAD = 2000
"""Number of characters after the cursor that are searched for the end of the statement."""
_COMPONENTS = frozenset(".x .y .z .w .r .g .b .a".split())
_UNKNOWN = ActualOperand("unknown")


class _AcceptedOperands(NamedTuple):
    """Operands with which the statement is accepted, and the policy that accepts them."""

    operands: tuple[ActualOperand, ...]
    policy: AcceptancePolicy


_POLICIES = (AcceptancePolicy.ALL, AcceptancePolicy.LATEST, AcceptancePolicy.ANY)


@dataclass(eq=False)
class CompletedStatement:
    """An instruction with a placeholder that fits everywhere in place of the word at the cursor."""

    place: UnfinishedStatement
    statement: Statement
    tree: Instruction
    path: tuple[int, ...]
    """The path to the operand at the cursor in the tree; -1 steps to the second of a pair."""
    is_whole: bool
    """Whether the text after the cursor is part of the statement; else more operands may follow."""

    @once
    def codes(self) -> dict[int, int]:
        """The operand codes of the used names, by token; 0 for the placeholder and for undeclared names."""
        context, word = self.place.context, self.statement.word
        found = {}
        for token, _ in self.statement.shape.names:
            name = word(token)
            symbol = context.visible(name)
            known = special_code(name, context.module.version, context.module.target) if symbol is None else symbol.code
            found[token] = known
        return found

    @once
    def written(self) -> tuple[ActualOperand, ...]:
        """The operands as written; the one at the cursor is unknown."""
        return OperandReader(self.codes, self.statement, self.statement).read(self.tree)

    @once
    def before(self) -> tuple[ActualOperand, ...]:
        """The complete operands before the cursor."""
        return self.written[: self.path[0]]

    @once
    def operand(self) -> Operand:
        """The innermost operand at the cursor."""
        found = self.tree.operands[self.path[0]]
        for step in self.path[1:]:
            inner = found.pair if step < 0 else found.parts[step]
            assert inner is not None
            found = inner
        return found

    @property
    def is_signed(self) -> bool:
        """Whether a sign precedes the word at the cursor."""
        return bool(self.operand.sign)

    @property
    def is_known(self) -> bool:
        """Whether some form restricts the operand at the cursor."""
        return bool(self._ways)

    def takes(self, candidate: ActualOperand) -> bool:
        """Whether the statement can be valid with ``candidate`` at the cursor, for some continuation.

        Sign, selector and the other text around the cursor are kept. If other operands are invalid, they are
        ignored; if the opcode is invalid, every candidate is accepted.
        """
        if self._is_misused(candidate):
            return False
        module, opcode = self.place.context.module, self.tree.opcode
        return not self._ways or any(
            accepts(opcode, _replaced(way.operands, self.path, candidate), module.version, module.target, way.policy)
            for way in self._ways
        )

    @once
    def _ways(self) -> tuple[_AcceptedOperands, ...]:
        """The accepted operand lists under the strictest policy that accepts the rest of the statement."""
        here = self.path[0]
        alone = tuple(one if at == here else _UNKNOWN for at, one in enumerate(self.written))
        module, opcode = self.place.context.module, self.tree.opcode
        for operands in dict.fromkeys((self.written, alone)):
            variants = [
                (*padded, *[_UNKNOWN] * more)
                for padded in _padded(operands, self.path, self._lengths)
                for more in self._more
            ]
            for policy in _POLICIES:
                found = [one for one in variants if accepts(opcode, one, module.version, module.target, policy)]
                if found:
                    return tuple(_AcceptedOperands(one, policy) for one in found)
        return ()

    @once
    def forms(self) -> tuple[PossibleForm, ...]:
        """The forms of the opcode, or of its completions."""
        module = self.place.context.module
        return possible_forms(self.tree.opcode, module.version, module.target)

    @once
    def _lengths(self) -> frozenset[int]:
        """The possible lengths of the vectors and brackets of the operand at the cursor."""
        at = self.path[0]
        return frozenset(
            length
            for form in self.forms
            for fitting in form.fittings
            for operand in fitting.operands()[at : at + 1]
            for length in lengths(fitting, operand)
        )

    @once
    def _more(self) -> tuple[int, ...]:
        """The possible numbers of further operands."""
        count = len(self.written)
        counts = {len(fitting.operands()) for form in self.forms for fitting in form.fittings}
        if count in counts and self.is_whole or self.path[0] != count - 1:
            return (0,)
        return tuple(sorted(one - count for one in counts if one >= count)) or (0,)

    def _is_misused(self, candidate: ActualOperand) -> bool:
        module = self.place.context.module
        here = self.operand.name

        def meaning(token: int) -> ActualOperand:
            return candidate if token == here else OPERANDS[self.codes.get(token, 0)]

        return any(role_misuses(self.tree, meaning, module.version)) or any(
            role_needs(self.tree, meaning, module.version, module.target)
        )


def complete_statement(place: UnfinishedStatement) -> CompletedStatement | None:
    """Complete the instruction at the cursor; None if that fails, or the cursor is not in an operand."""
    before = place.text[: place.typed.start - place.start]
    closing = "".join(_CLOSING[mark] for mark, _ in reversed(place.path) if mark)
    for rest, is_whole in ((_rest(place), True), (f"{closing};", False)):
        if rest is None:
            continue
        statement = Statement(f"{before}{PLACEHOLDER}{rest}")
        tree = statement.shape.tree
        if statement.shape.errors or not isinstance(tree, Instruction):
            continue
        path = next((path for path in _paths(tree.operands) if _leads_to_placeholder(path, tree, statement)), None)
        if path is not None:
            return CompletedStatement(place, statement, tree, path, is_whole)
    return None


def _rest(place: UnfinishedStatement) -> str | None:
    """The text after the word at the cursor, through the next semicolon; None if there is none nearby."""
    start = place.typed.end
    rest, mark, _ = place.context.module.document.slice(Span(start, start + _LOOKAHEAD)).partition(";")
    return rest + mark if mark else None


def _paths(operands: tuple[Operand, ...], before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    for at, operand in enumerate(operands):
        yield (*before, at)
        yield from _paths(operand.parts, (*before, at))
        if operand.pair is not None:
            yield (*before, at, -1)


def _leads_to_placeholder(path: tuple[int, ...], tree: Instruction, statement: Statement) -> bool:
    operand = tree.operands[path[0]]
    for step in path[1:]:
        inner = operand.pair if step < 0 else operand.parts[step]
        assert inner is not None
        operand = inner
    return operand.name >= 0 and not operand.parts and statement.word(operand.name) == PLACEHOLDER


def lengths(fitting: Fitting, operand: FormOperand) -> Iterator[int]:
    """The possible numbers of elements of an operand of a form, including nested operands."""
    if operand.kind in ("vector", "address"):
        parts = fitting.operands(operand.parts)
        yield len(parts)
        for part in parts:
            yield from lengths(fitting, part)
    for kind in fitting.kinds(operand.name):
        for wanted in kind.alternatives:
            length = fitting.count(wanted.length) if wanted.length is not None else len(wanted.elements)
            if length:
                yield length


def _padded(
    operands: tuple[ActualOperand, ...], path: tuple[int, ...], sizes: frozenset[int]
) -> Iterator[tuple[ActualOperand, ...]]:
    """The operands, with unknown elements appended to the vectors and brackets around the end of the path."""
    yield operands
    at, *rest = path
    if not rest or rest[0] < 0:
        return
    old = operands[at]
    for parts in _padded(old.parts, tuple(rest), sizes):
        fuller = [size for size in sizes if size > len(parts)] if rest[0] == len(old.parts) - 1 else []
        for size in (len(parts), *sorted(fuller)):
            if parts is not old.parts or size > len(parts):
                padding = (_UNKNOWN,) * (size - len(parts))
                yield (*operands[:at], old._replace(parts=(*parts, *padding)), *operands[at + 1 :])


def _replaced(
    operands: tuple[ActualOperand, ...], path: tuple[int, ...], candidate: ActualOperand
) -> tuple[ActualOperand, ...]:
    """The operands with ``candidate`` at the end of the path; sign, selector and pair are kept."""
    at, *rest = path
    old = operands[at]
    if not rest:
        vector = vector_of(candidate.type)
        if vector is not None and old.selector in _COMPONENTS:
            candidate, old = candidate._replace(type=vector[1]), old._replace(selector="")
        selector = old.selector or candidate.selector
        new = candidate._replace(sign=old.sign, selector=selector, pair=old.pair or candidate.pair)
        if old.offset:
            new = new._replace(offset=True)
    elif rest[0] < 0:
        new = old._replace(pair=candidate)
    else:
        new = old._replace(parts=_replaced(old.parts, tuple(rest), candidate))
    return (*operands[:at], new, *operands[at + 1 :])
