"""Rules and tables as tests over the values of a form's places."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.isa.model.form import Clause, FormRule, InstructionForm, PlaceKind, Table, flatten, literals
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.table_index import TableIndex
from ptx_lsp.named_tuples import NamedTuple

SlotValues = list[str | None]
"""The word in each place of a form; None: nothing."""

Test = Callable[[SlotValues, LanguageLevel], bool]
_Side = Callable[[SlotValues], bool]


class FormTest(NamedTuple):
    """A test, the places it looks at, and the line of the page that it comes from."""

    scope: tuple[int, ...]
    test: Test
    source: FormRule | Table


class RuleReader:
    """Turns the rules and tables of one form into checks."""

    def __init__(self, form: InstructionForm) -> None:
        self._form = form
        self._index = form.slot_numbers
        self._options = {slot.name for slot in form.slots if slot.kind is PlaceKind.OPTION}
        self._operands = {operand.name for operand in flatten(form.operands)}

    def checks(self) -> tuple[FormTest, ...]:
        """All checks of the form.

        A side none of whose words the form has never holds. A rule that asks what is in a place (``.ss is ...``) says
        nothing about a form without that place.
        """
        return (*map(self._rule, self._form.rules), *map(self._table, self._form.tables))

    def knows(self, clause: Clause) -> bool:
        """Whether the form has a part that the clause names."""
        return self._clause(clause)[1] is not None

    def knows_word(self, word: str) -> bool:
        """Whether the form has a part called so: a place, a qualifier or an operand."""
        return word in self._index or self._word(word)[1] is not None

    # A side's test is None where the form has none of its parts: it never holds.

    def _word(self, word: str) -> tuple[set[int], _Side | None]:
        slots = self._form.slots
        if word.startswith("."):
            place = self._index.get(word)
            if place is not None and set(slots[place].choices) - {None} != {word}:
                return {place}, lambda values: values[place] is not None
            where = [at for at, slot in enumerate(slots) if word in slot.choices]
            if not where:
                return set(), None
            return set(where), lambda values: any(values[at] == word for at in where)
        if word in self._options:
            place = self._index[word]
            return {place}, lambda values: values[place] is not None
        return set(), (lambda _: True) if word in self._operands else None

    def _clause(self, clause: Clause) -> tuple[set[int], _Side | None]:
        if clause.subject:
            return self._equality(clause)
        scope: set[int] = set()
        tests: list[_Side] = []
        for word in clause.words:
            places, test = self._word(word)
            if test is not None:
                scope |= places
                tests.append(test)
        if not tests:
            return set(), None
        return scope, tests[0] if len(tests) == 1 else lambda values: any(test(values) for test in tests)

    def _equality(self, clause: Clause) -> tuple[set[int], _Side | None]:
        place = self._index.get(clause.subject)
        if place is None:
            return set(), None
        word = clause.words[0]
        other = self._index.get(word)
        if len(clause.words) == 1 and other is not None and word not in self._form.slots[place].choices:
            return {place, other}, lambda values: values[place] == values[other]
        allowed = set(literals(clause.words))
        return {place}, lambda values: values[place] in allowed

    def _side(self, clauses: tuple[Clause, ...]) -> tuple[set[int], _Side | None]:
        scope: set[int] = set()
        tests: list[_Side] = []
        for clause in clauses:
            places, test = self._clause(clause)
            if test is None:
                return set(), None
            scope |= places
            tests.append(test)
        return scope, tests[0] if len(tests) == 1 else lambda values: all(test(values) for test in tests)

    def _rule(self, rule: FormRule) -> FormTest:
        if any(clause.subject and clause.subject not in self._index for clause in (*rule.left, *rule.right)):
            return FormTest((), lambda _values, _context: True, rule)
        left_places, left = self._side(rule.left)
        right_places, right = self._side(rule.right) if rule.right else (set(), None)
        scope = tuple(sorted(left_places | right_places))
        holds, wanted = left or _never, right or _never
        gate = rule.gate
        tests: dict[str, Test] = {
            "iff": lambda values, _: holds(values) == wanted(values),
            "requires": lambda values, _: not holds(values) or wanted(values),
            "excludes": lambda values, _: not (holds(values) and wanted(values)),
            "since": lambda values, level: level.allows(gate) or not holds(values),
            "always": lambda values, _: holds(values),
        }
        return FormTest(scope, tests[rule.verb], rule)

    def _table(self, table: Table) -> FormTest:
        index = TableIndex(table, self._index)

        def test(values: SlotValues, level: LanguageLevel) -> bool:
            return any(level.allows(row.gate) for row in index.rows(values))

        return FormTest(index.places, test, table)


def _never(_: SlotValues) -> bool:
    return False
