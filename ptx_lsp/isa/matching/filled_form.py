"""A form whose places are filled: what its operands can be in one module."""

from __future__ import annotations

from ptx_lsp.isa.model.deviation import Deviation
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.operand_pattern import Alternative, Count, OperandPattern, read_kind, shape_of
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.vocabulary.register_types import BITS


class FilledForm:
    """A form under given values of its places, for a module of one version and target."""

    def __init__(self, form: PreparedForm, values: SlotValues, level: LanguageLevel) -> None:
        self.form = form
        self.values = values
        self.level = level
        self.holders = form.shared.holders
        self._index = form.form.slot_numbers
        self._rows = form.operand_rows(values, level)
        self._deviations = form.deviations

    def allows(self, gate: Gate) -> bool:
        """Whether the module passes a gate."""
        return self.level.allows(gate)

    def operands(self, operands: tuple[FormOperand, ...] | None = None) -> list[FormOperand]:
        """The operands that are written under these values."""
        return [
            operand
            for operand in (self.form.form.operands if operands is None else operands)
            if not operand.option or self.values[self._index[operand.option]]
        ]

    def kinds(self, name: str) -> list[OperandPattern]:
        """The kinds of an operand; several if several rows of a table hold."""
        rows = self._rows.get(name)
        if rows is not None:
            return [read_kind(words) for words in rows]
        words = self.form.form.kinds.get(name)
        return [] if words is None else [read_kind(words)]

    def is_written(self, operand: FormOperand) -> bool:
        """Whether the instruction writes the operand."""
        if operand.kind == "arguments":
            return operand is self.form.form.operands[0]
        if operand.kind not in ("name", "vector"):
            return False
        directions = {kind.direction for kind in self.kinds(operand.name)}
        if "out" in directions:
            return True
        return operand is self.form.form.operands[0] and "in" not in directions

    def value(self, word: str) -> str | None:
        """The word in the place called ``word``, or the word itself if no place is called so."""
        place = self._index.get(word)
        return word if place is None else self.values[place]

    def count(self, count: Count) -> int | None:
        """The number of elements of a vector; None if the qualifier that says so is left out."""
        return count.of(shape_of(self.values) if count.base in "mnk" else self.value(count.base))

    def size(self, wanted: Alternative) -> int | None:
        """The bits of the register that an alternative wants."""
        name = self.value(wanted.type) or ""
        return BITS.get(self.holders.get(name, name))

    def selectors(self, operand: FormOperand) -> tuple[str, ...]:
        """The selectors that can follow an operand: ``.b0 .b1 …``; empty if nothing can."""
        place = self._index.get(operand.selector) if operand.selector else None
        return () if place is None else tuple(word for word in self.form.choices[place] if word)

    def wants_pair(self, operand: FormOperand) -> bool:
        """Whether a second result follows the operand here."""
        return bool(operand.pair and self.value(operand.pair))

    # ---- deviations of ptxas

    def deviates(self, behaviour: str, about: str = "") -> bool:
        """Whether ptxas differs so from the manual here: about one operand or type, or in general."""
        rows = self._deviations.get(behaviour)
        return rows is not None and any(self._holds(row, about) for row in rows)

    def listed(self, behaviour: str) -> tuple[Deviation, ...]:
        """The rows of the page about a behaviour, whether or not they hold here."""
        return self._deviations.get(behaviour, ())

    def _holds(self, row: Deviation, about: str) -> bool:
        if row.about and about not in row.about:
            return False
        for words, negated in row.conditions:
            if any(map(self._is_filled, words)) is negated:
                return False
        return self.level.allows(row.gate)

    def _is_filled(self, word: str) -> bool:
        """Whether a place called so is filled, or a qualifier written."""
        place = self._index.get(word)
        return word in self.values if place is None else self.values[place] is not None
