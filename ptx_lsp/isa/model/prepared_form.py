"""Forms made ready for questions: look-ups and tests that are built once, when a form is first asked."""

from __future__ import annotations

import itertools

from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.deviation import by_behaviour
from ptx_lsp.isa.model.form import InstructionForm, PlaceKind, Words
from ptx_lsp.isa.model.form_conditions import FormTest, RuleReader, SlotValues
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.shared import Shared
from ptx_lsp.isa.model.table_index import TableIndex

NOT_WRITTEN = ("-",)
"""The cell of a row for statements without the operand."""


class PreparedForm:
    """A form with what matching needs to know about it."""

    def __init__(self, form: InstructionForm, shared: Shared) -> None:
        self.form = form
        self.shared = shared
        self.order = shared.order
        self.slots = form.slots
        self.choices = tuple(slot.choices for slot in form.slots)
        self.qualifiers = tuple(self._places(PlaceKind.QUALIFIER))
        self.selectors = tuple(self._places(PlaceKind.SELECTOR))
        self.options = tuple(self._places(PlaceKind.OPTION))
        self.deviations = by_behaviour(form.deviations)

    def _places(self, kind: PlaceKind) -> list[int]:
        return [place for place, slot in enumerate(self.form.slots) if slot.kind is kind]

    @once
    def checks(self) -> tuple[FormTest, ...]:
        """The rules and tables."""
        return RuleReader(self.form).checks()

    @once
    def homes(self) -> dict[str, tuple[int, ...]]:
        """The places that each qualifier can fill."""
        homes: dict[str, list[int]] = {}
        for place in self.qualifiers:
            for word in self.choices[place]:
                if word is not None:
                    homes.setdefault(word, []).append(place)
        return {word: tuple(places) for word, places in homes.items()}

    @once
    def ordered(self) -> dict[str, tuple[int, ...]]:
        """For each order class the places that a word of it can fill, in order."""
        ordered: dict[str, dict[int, None]] = {}
        for place in self.qualifiers:
            for word in self.choices[place]:
                name = self.order.get(word) if word is not None else None
                if name is not None:
                    ordered.setdefault(name, {})[place] = None
        return {name: tuple(places) for name, places in ordered.items()}

    @once
    def strict(self) -> frozenset[int]:
        """The places that must be filled, and by a word of an ordered class."""
        return frozenset(
            place
            for place in self.qualifiers
            if all(word is not None and word in self.order for word in self.choices[place])
        )

    @once
    def counts(self) -> frozenset[int]:
        """The numbers of operands that can be written."""
        return frozenset(
            sum(1 for operand in self.form.operands if not operand.option or operand.option in chosen)
            for chosen in self.option_sets
        )

    @once
    def option_sets(self) -> tuple[frozenset[str], ...]:
        """The sets of optional operands that can be written, fullest first."""
        names = [self.slots[place].name for place in self.options]
        return tuple(
            frozenset(name for name, there in zip(names, pattern, strict=True) if there)
            for pattern in itertools.product((True, False), repeat=len(names))
        )

    @once
    def _operand_tables(self) -> list[tuple[list[tuple[int, str]], TableIndex]]:
        """The tables with operand columns: those columns, and the rows by the words of the others."""
        tables = []
        for table in self.form.tables:
            operands = [(at, name) for at, name in enumerate(table.columns) if not name.startswith(".")]
            if operands:
                tables.append((operands, TableIndex(table, self.form.slot_numbers)))
        return tables

    def operand_rows(self, values: SlotValues, level: LanguageLevel) -> dict[str, list[Words]]:
        """The kinds of operands in the rows that hold for these values."""
        found: dict[str, list[Words]] = {}
        for operands, index in self._operand_tables:
            for row in index.rows(values):
                if level.allows(row.gate):
                    for at, name in operands:
                        if row.cells[at] != NOT_WRITTEN:
                            found.setdefault(name, []).append(row.cells[at])
        return found

    def row_gates(self, values: SlotValues, name: str) -> list[Gate]:
        """The gates of the rows that say something about an operand under these values."""
        return [
            row.gate
            for operands, index in self._operand_tables
            if any(name == column for _, column in operands)
            for row in index.rows(values)
        ]

    def spell(self, values: SlotValues) -> str:
        """The opcode in the order of the page."""
        return "".join(
            word for word, slot in zip(values, self.slots, strict=True) if word and slot.kind <= PlaceKind.QUALIFIER
        )

    @once
    def possible_names(self) -> frozenset[str]:
        """The names of the page that spellings of this form can begin with."""
        depth = max(name.count(".") for name in self.form.names)
        pools = [[word or "" for word in self.choices[place]] for place in (0, *self.qualifiers[:depth])]
        return frozenset(self.name_of("".join(words)) for words in itertools.product(*pools))

    def name_of(self, text: str) -> str:
        """The longest of the page's names that an opcode begins with; empty if none."""
        best = ""
        for name in self.form.names:
            if len(name) > len(best) and (text == name or text.startswith(name + ".")):
                best = name
        return best
