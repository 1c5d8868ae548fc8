"""The part of a statement that is too new, or gone: the very qualifier, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ptx_lsp.isa.matching.assign import Assignment
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.form import FormRule, Table, literals
from ptx_lsp.isa.model.form_conditions import FormTest, SlotValues
from ptx_lsp.isa.model.gate import EVERY_RELEASE, AcceptancePolicy, Gate, Need
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import ANYWHERE, LanguageLevel
from ptx_lsp.isa.model.match_result import Mismatch, Problem
from ptx_lsp.isa.model.prepared_form import PreparedForm


class GateReasons:
    """Asks every gate of a form under given values, from the widest to the narrowest; the first that is shut counts."""

    def __init__(
        self,
        instruction: InstructionPage,
        form: PreparedForm,
        placed: Assignment,
        roles: list[str],
        module: LanguageLevel,
        refused: Mapping[str, tuple[int, ...]],
    ) -> None:
        self._instruction = instruction
        self._roles = roles
        self._form = form
        self._placed = placed
        self._module = module
        self._refused = refused
        """The operands that do not fit in the module, and where they are: no row for another one is the reason."""

    def mismatches(self, values: SlotValues) -> list[Mismatch]:
        """The needs of the module; one mistake is reported once."""
        found: dict[tuple[Problem, Need | None], Mismatch] = {}
        groups = (self._form_gates(values), self._choices(values), self._checks(values), self._operand_rows(values))
        for group in groups:
            for mismatch in group:
                found.setdefault((mismatch.problem, mismatch.need), mismatch)
            if found:
                break
        return list(found.values())

    def _form_gates(self, values: SlotValues) -> Iterator[Mismatch]:
        for gate in self._form.form.gates:
            if not self._module.allows(gate):
                yield from self._lacking(gate, self._own_word(values))
                return

    def _own_word(self, values: SlotValues) -> int:
        """The qualifier that only forms with closed gates have: it is new with this form."""
        others = [
            form
            for form in self._instruction.prepared[self._form.form.mnemonic]
            if self._module.allows_all(form.form.gates)
        ]
        if others:
            for place, at in sorted(self._placed.items(), key=lambda item: -item[1]):
                word = values[place]
                if at > 0 and word is not None and not any(self._has(form, word) for form in others):
                    return at
        return -1

    def _has(self, form: PreparedForm, word: str) -> bool:
        """Whether the module may use the word in a form."""
        return any(
            next(solutions(form, self._module, {place: word}), None) is not None for place in form.homes.get(word, ())
        )

    def _choices(self, values: SlotValues) -> Iterator[Mismatch]:
        for place, word in enumerate(values):
            gate = self._form.choices[place].get(word)
            if gate is not None and not self._lets_pass(gate):
                yield from self._lacking(gate, self._placed.get(place, -1))

    def _checks(self, values: SlotValues) -> Iterator[Mismatch]:
        for check in self._form.checks:
            if not check.test(values, self._module):
                if isinstance(check.source, FormRule):
                    yield from self._rule(check.source, check, values)
                else:
                    yield from self._table(check.source, values)

    def _rule(self, rule: FormRule, check: FormTest, values: SlotValues) -> Iterator[Mismatch]:
        """A rule with a gate: the parts on its left are too new together."""
        if rule.verb != "since":
            return
        written = sorted(self._placed[place] for place in check.scope if place in self._placed)
        named = {word for clause in rule.left for word in clause.words}
        exact = [at for place, at in self._placed.items() if place in check.scope and values[place] in named]
        order = sorted(exact) or written
        operand = next(((at,) for at, role in enumerate(self._roles) if role in named), ())
        yield from self._lacking(rule.gate, order[0] if order else -1, order[1] if len(order) > 1 else -1, operand)

    def _operand_rows(self, values: SlotValues) -> Iterator[Mismatch]:
        """A value that only a row with a closed gate allows."""
        now = self._form.operand_rows(values, self._module)
        for name, words in self._form.operand_rows(values, ANYWHERE).items():
            if name in self._refused and len(words) > len(now.get(name, [])):
                for gate in self._form.row_gates(values, name):
                    if not self._lets_pass(gate):
                        yield from self._lacking(gate, -1, operand=self._refused[name])
                        return

        for row in (row for rows in self._form.deviations.values() for row in rows):
            path = next((self._refused[name] for name in row.about if name in self._refused), None)
            if path is not None and not self._lets_pass(row.gate):
                yield from self._lacking(row.gate, -1, operand=path)
                return

    def _lets_pass(self, gate: Gate) -> bool:
        """Whether a row is no reason: if no release takes the statement, none is that only some take the row."""
        if self._module.judge is AcceptancePolicy.LATEST:
            return gate.allows(self._module.version, self._module.target)
        return self._module.allows(gate)

    def _table(self, table: Table, values: SlotValues) -> Iterator[Mismatch]:
        """A row that is too new: its qualifier that no open row has, else the last one written."""
        columns = [
            (at, self._form.form.slot_numbers[name]) for at, name in enumerate(table.columns) if name.startswith(".")
        ]
        cells = [[literals(tuple(map(str, row.cells[at]))) for at, _ in columns] for row in table.rows]
        rows = [
            row
            for row, cell in zip(table.rows, cells, strict=True)
            if all(values[place] in words for words, (_, place) in zip(cell, columns, strict=True))
        ]
        if not rows:
            return
        open_cells = [cell for row, cell in zip(table.rows, cells, strict=True) if self._module.allows(row.gate)]
        written = [(column, place) for column, (_, place) in enumerate(columns) if place in self._placed]
        alone = [place for column, place in written if not any(values[place] in cell[column] for cell in open_cells)]
        blamed = alone or [place for _, place in reversed(written)]
        first = rows[0].gate
        gate = Gate(tuple(since for row in rows for since in row.gate.since), first.until, releases=first.releases)
        yield from self._lacking(gate, self._placed[blamed[0]] if blamed else -1)

    def _lacking(self, gate: Gate, at: int, other: int = -1, operand: tuple[int, ...] = ()) -> Iterator[Mismatch]:
        need = gate.why_not(self._module.version, self._module.target, self._module.judge)
        if need is None:
            return
        if need.releases != EVERY_RELEASE:
            yield Mismatch(Problem.SOME_RELEASES, at, operand, need=need, other=other)
            return
        if need.until:
            yield Mismatch(Problem.REMOVED, at, operand, need=need, other=other)
            return
        if need.targets:
            yield Mismatch(Problem.NEWER_TARGET, at, operand, need=Need(targets=need.targets), other=other)
        if need.version is not None and need.version > self._module.version:  # else no release of ptxas reads both
            yield Mismatch(Problem.NEWER_VERSION, at, operand, need=Need(version=need.version), other=other)
