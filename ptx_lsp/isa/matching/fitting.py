"""Comparison of written operands with a form whose places are filled.

General facts of ptxas that no page repeats: a predicate that is read may be negated; what is written is never a
constant; the name of a function passes for any value; a constant expression with a name in it passes for any integer.
"""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.isa.matching import addresses, texture_operands
from ptx_lsp.isa.matching.filled_form import FilledForm
from ptx_lsp.isa.matching.scalars import constant_fits
from ptx_lsp.isa.matching.unchecked import is_raw, is_raw_word
from ptx_lsp.isa.matching.values import alternative_fits, kind_fits
from ptx_lsp.isa.matching.vectors import CONSTANTS, elements_fit
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.operand_pattern import Alternative
from ptx_lsp.isa.model.prepared_form import PreparedForm

_SHORT_INTEGERS = (".b8", ".u8", ".s8", ".b16", ".u16", ".s16")


class Fitting(FilledForm):
    """Compares written operands with one form under given values of its places."""

    # ---- whole operands

    def fits(self, operands: Iterable[FormOperand], written: tuple[ActualOperand, ...]) -> bool:
        """Whether each written operand fits; the numbers of both must agree."""
        return all(map(self.accepts, operands, written))

    def accepts(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether one written operand fits, with its sign, selector and pair."""
        if written.kind == "unknown":
            return True
        if self.is_written(operand):
            if self._is_constant_result(operand, written):
                return True
            if not self._can_be_written(operand, written):
                return False
        elif not self._sinks_fit(operand, written):
            return False
        if written.selector and (written.kind in CONSTANTS or written.kind == "function"):
            return False
        if written.selector != (self.value(operand.selector) or "" if operand.selector else ""):
            return False
        if written.kind != "vector" and self.deviates("raw-words", operand.name) and is_raw_word(written):
            return True
        if (
            written.kind == "register"
            and written.type in _SHORT_INTEGERS
            and self.deviates("short-values", operand.name)
        ):
            return True
        return self._sign_fits(operand, written) and self._pair_fits(operand, written) and self.body(operand, written)

    def body(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether an operand fits, signs and what follows it aside."""
        kind = operand.kind
        if kind == "name":
            if self.deviates("texture"):
                return texture_operands.fits(self, operand.name, written)
            return any(kind_fits(self, wanted, written) for wanted in self.kinds(operand.name))
        if kind == "number":
            number = int(operand.name)
            return written.kind == "integer" and constant_fits(self, ((number, number, 1),), written.value)
        if kind in ("sink", "arguments"):
            return written.kind == kind
        if written.kind != kind:
            return kind == "address" and addresses.bare_fits(self, operand, written)
        parts = self.operands(operand.parts)
        if len(parts) != len(written.parts):
            return False
        if kind == "vector":
            return self._named_elements_fit(parts, written)
        if (written.offset or written.parts[0].offset) and not addresses.takes_offset(self, operand, written):
            return False
        return self.base(operand, written.parts[0]) and self.fits(parts[1:], written.parts[1:])

    def _named_elements_fit(self, parts: list[FormOperand], written: ActualOperand) -> bool:
        """Whether elements that the page names one by one fit."""
        if self.deviates("common-type"):
            return elements_fit(self, self.kinds(parts[0].name)[0].alternatives[0], written.parts, wider=False)
        if written.parts[0].kind == "integer" and self.deviates("sizes-after-constant"):
            second = written.parts[1]
            integer = second.kind in ("register", "special") and second.type[1:2] in ("b", "u", "s")
            whole = integer and not second.sign
            return self.fits(parts[:1], written.parts[:1]) and (whole or self.fits(parts[1:], written.parts[1:]))
        return self.fits(parts, written.parts)

    def _can_be_written(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether the instruction can write it: no constant, no address of a variable, nothing with a sign."""
        if written.kind == "integer" and self.deviates("ignored-result", operand.name):
            return True
        if written.sign:
            return False
        if written.kind == "vector":
            return all(part.kind in ("register", "sink", "special", "unknown") for part in written.parts)
        return written.kind in ("register", "sink", "unknown", "arguments")

    def _is_constant_result(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether ptxas takes a constant for a result here."""
        if written.kind not in ("integer", "function") or written.sign or written.selector:
            return False
        if operand.selector and self.value(operand.selector):
            return False
        return self.deviates("constant-results" if written.kind == "integer" else "function-results")

    def _sinks_fit(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether only results are discarded, element by element, unless the page says otherwise.

        What is passed to a function is compared with its declaration instead.
        """
        return (
            operand.kind == "arguments"
            or not any(part.kind == "sink" for part in written.parts)
            or any(wanted.sinks for kind in self.kinds(operand.name) for wanted in kind.alternatives)
        )

    def _sign_fits(self, operand: FormOperand, written: ActualOperand) -> bool:
        if not written.sign or written.sign == operand.sign:
            return True
        if written.type == ".pred" and self.deviates("signed-predicates"):
            return True
        if written.sign != "!":
            return False
        alternatives = [alternative for kind in self.kinds(operand.name) for alternative in kind.alternatives]
        return any(
            written.type == ".pred" and is_raw(self, one) or one.type and self.value(one.type) == ".pred"
            for one in alternatives
        )

    def _pair_fits(self, operand: FormOperand, written: ActualOperand) -> bool:
        pair = written.pair
        if pair is None or not self.wants_pair(operand):
            return pair is None and not self.wants_pair(operand)
        if pair.kind == "unknown":
            return True
        if pair.kind == written.kind == "sink":
            return False
        return pair.kind in ("register", "sink") and any(
            kind_fits(self, wanted, pair) for wanted in self.kinds(operand.pair)
        )

    # ---- parts of operands

    def base(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether the address itself fits: a register, or a variable in the right state space."""
        return addresses.base_fits(self, operand, written)

    def spaces(self, operand: FormOperand) -> list[Alternative]:
        """The kinds of an address; without a line of its own, what the form's state space says, or generic."""
        return addresses.spaces(self, operand)

    @property
    def only_shared(self) -> bool:
        """Whether names as generic addresses must be of shared variables."""
        return self.deviates("unshared")

    def address_fits(self, wanted: Alternative, written: ActualOperand) -> bool:
        """Whether an address of one kind can be what is written."""
        return addresses.address_fits(self, wanted, written)

    def alternative(self, wanted: Alternative, written: ActualOperand, wider: bool) -> bool:
        """Whether a value of one kind can be what is written."""
        return alternative_fits(self, wanted, written, wider)


def selectors_of(
    form: PreparedForm, operands: list[FormOperand], written: tuple[ActualOperand, ...], values: SlotValues
) -> bool:
    """Fill the places of selectors with what is written; False if one cannot stand there: its place stays empty."""
    good = True
    for place in form.selectors:
        name = form.slots[place].name
        found = next(
            (given.selector for operand, given in zip(operands, written, strict=True) if operand.selector == name), ""
        )
        values[place] = found or None
        if values[place] not in form.choices[place]:
            values[place], good = None, False
    return good
