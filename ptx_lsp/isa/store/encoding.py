"""The compiled form of the pages: JSON in which equal parts of forms are kept once and series stay series.

``Encoder`` and ``Decoder`` are each other's inverse. The top level is an object with

=========  ==================================================================================================
``words``  cells and kinds: lists of words; a list inside is a vector of unlike elements
``group``  alternatives: number of the words, gate
``table``  columns, then rows: gate and the numbers of the cells' words
``rule``   left, verb, right, gate, message; a side is a list of clauses, a clause a subject and its words
``slot``   name, kind, numbers of the groups
``page``   for each path: names, title, forms; a form is syntax, line, slots, operands, kinds, tables, rules, gates,
           numbers of the groups that are meaningless and of those that are at the end, advice (number of the table,
           message), what is deprecated (word, gate, what to write instead),
           the places without an order, numbers of the groups that are deviations of ptxas, numbers of the words of
           facts about order
=========  ==================================================================================================
"""

from __future__ import annotations

import json
from typing import Any

from ptx_lsp.isa.model.deviation import Deviation
from ptx_lsp.isa.model.form import (
    Advice,
    Clause,
    Deprecated,
    FormOperand,
    FormRule,
    Group,
    InstructionForm,
    PlaceKind,
    Slot,
    Table,
    TableRow,
    Words,
)
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.ordering import OrderingFact
from ptx_lsp.isa.model.shared import Shared

Json = Any
"""Whatever JSON can hold."""


class Encoder:
    """Collects the parts of forms, each once."""

    def __init__(self) -> None:
        self.parts: dict[str, list[Json]] = {"words": [], "group": [], "table": [], "rule": [], "slot": []}
        self._numbers: dict[tuple[str, str], int] = {}

    def page(self, instruction: InstructionPage) -> Json:
        """One page; its parts go into ``parts``."""
        forms = [self._form(form) for form in instruction.forms]
        return [list(instruction.names), instruction.title, forms]

    def _number(self, part: str, value: Json) -> int:
        key = (part, json.dumps(value))
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.parts[part])
            self.parts[part].append(value)
        return number

    def _form(self, form: InstructionForm) -> Json:
        return [
            form.syntax,
            form.line,
            [
                self._number("slot", [slot.name, int(slot.kind), [self._group(group) for group in slot.groups]])
                for slot in form.slots
            ],
            [self._operand(operand) for operand in form.operands],
            {name: self._number("words", words) for name, words in form.kinds.items()},
            [self._table(table) for table in form.tables],
            [
                self._number("rule", [_sides(rule.left), rule.verb, _sides(rule.right), str(rule.gate), rule.message])
                for rule in form.rules
            ],
            [str(gate) for gate in form.gates],
            [self._group(group) for group in form.meaningless],
            [self._group(group) for group in form.trailing],
            [[self._table(advice.table), advice.message] for advice in form.advice],
            [[one.word, str(one.gate), one.instead] for one in form.deprecated],
            list(form.loose),
            [self._deviation(one) for one in form.deviations],
            [self._number("words", one.written) for one in form.ordering],
        ]

    def _deviation(self, one: Deviation) -> int:
        return self._group(Group(one.written, one.gate))

    def _group(self, group: Group) -> int:
        return self._number("group", [self._number("words", group.words), str(group.gate)])

    def _table(self, table: Table) -> int:
        rows = [[str(row.gate), *[self._number("words", cell) for cell in row.cells]] for row in table.rows]
        return self._number("table", [list(table.columns), *rows])

    def _operand(self, operand: FormOperand) -> Json:
        parts = [self._operand(part) for part in operand.parts]
        fields = [operand.kind, operand.name, parts, operand.sign, operand.selector, operand.pair, operand.option]
        while not fields[-1]:
            fields.pop()
        return fields


class Decoder:
    """Makes forms of the stored parts; each part is made once, when it is first needed."""

    def __init__(self, stored: dict[str, Json], shared: Shared) -> None:
        self._stored = stored
        self._shared = shared
        self._made: dict[tuple[str, int], Any] = {}

    def instruction(self, path: str) -> InstructionPage:
        """The instruction of one page."""
        names, title, forms = json.loads(self._stored["page"][path][1])
        made = tuple(self._form(form, tuple(names)) for form in forms)
        return InstructionPage(tuple(names), title, path, made, self._shared)

    def _form(self, stored: Json, names: tuple[str, ...]) -> InstructionForm:
        syntax, line, slots, operands, kinds, tables, rules, gates, *lists = stored
        meaningless, trailing, advice, old, loose, deviations, ordering = lists
        return InstructionForm(
            syntax,
            line,
            tuple(map(self._slot, slots)),
            tuple(map(_operand, operands)),
            {name: self._words(number) for name, number in kinds.items()},
            tuple(map(self._table, tables)),
            tuple(map(self._rule, rules)),
            tuple(map(Gate.parse, gates)),
            names,
            tuple(map(self._group, meaningless)),
            tuple(map(self._group, trailing)),
            tuple(Advice(self._table(number), message) for number, message in advice),
            tuple(Deprecated(word, Gate.parse(gate), instead) for word, gate, instead in old),
            tuple(loose),
            tuple(map(self._deviation, deviations)),
            tuple(OrderingFact.parse(tuple(map(str, self._words(number)))) for number in ordering),
        )

    def _words(self, number: int) -> Words:
        key = ("words", number)
        if key not in self._made:
            self._made[key] = _words(self._stored["words"][number])
        made: Words = self._made[key]
        return made

    def _slot(self, number: int) -> Slot:
        key = ("slot", number)
        if key not in self._made:
            name, kind, groups = self._stored["slot"][number]
            self._made[key] = Slot(name, PlaceKind(kind), tuple(map(self._group, groups)))
        made: Slot = self._made[key]
        return made

    def _group(self, number: int) -> Group:
        words, gate = self._stored["group"][number]
        return Group(tuple(map(str, self._words(words))), Gate.parse(gate))

    def _deviation(self, number: int) -> Deviation:
        key = ("deviation", number)
        if key not in self._made:
            self._made[key] = Deviation.parse(*self._group(number))
        made: Deviation = self._made[key]
        return made

    def _table(self, number: int) -> Table:
        key = ("table", number)
        if key not in self._made:
            columns, *rows = self._stored["table"][number]
            made_rows = tuple(TableRow(tuple(map(self._words, cells)), Gate.parse(gate)) for gate, *cells in rows)
            self._made[key] = Table(tuple(columns), made_rows)
        made: Table = self._made[key]
        return made

    def _rule(self, number: int) -> FormRule:
        key = ("rule", number)
        if key not in self._made:
            left, verb, right, gate, message = self._stored["rule"][number]
            self._made[key] = FormRule(_clauses(left), verb, _clauses(right), Gate.parse(gate), message)
        made: FormRule = self._made[key]
        return made


def encode_shared(shared: Shared) -> Json:
    """The lists that all forms share."""
    return [shared.order, sorted(shared.free), sorted(shared.repeatable), sorted(shared.meaningless), shared.holders]


def decode_shared(stored: Json) -> Shared:
    """The inverse of :func:`encode_shared`."""
    order, free, repeatable, meaningless, holders = stored
    return Shared(order, frozenset(free), frozenset(repeatable), frozenset(meaningless), holders)


def _sides(clauses: tuple[Clause, ...]) -> Json:
    return [[clause.subject, *clause.words] for clause in clauses]


def _clauses(stored: Json) -> tuple[Clause, ...]:
    return tuple(Clause(tuple(words), subject) for subject, *words in stored)


def _words(stored: Json) -> Words:
    return tuple(word if isinstance(word, str) else tuple(map(_words, word)) for word in stored)


def _operand(stored: Json) -> FormOperand:
    fields = list(stored)
    if len(fields) > 2:
        fields[2] = tuple(map(_operand, fields[2]))
    return FormOperand(*fields)
