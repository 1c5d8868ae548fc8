"""Do written operands fit a form whose places are filled?

General facts of ptxas that no page repeats: a predicate that is read may be negated; what is written is never a
constant; the name of a function passes for any value; a constant expression with a name in it passes for any integer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ptx_lsp.isa.matching import leniency, matrix_operands, texture_operands
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.form_tests import SlotValues
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.operand_pattern import Alternative, Count, OperandPattern, in_ranges, read_kind, shape_of
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.vocabulary.register_types import BITS, common_type, fits_type, of_any_size, vector_of

REFERENCES = {".texref": "texref", ".samplerref": "samplerref", ".surfref": "surfref"}
"""Kinds of addresses that are names of opaque variables."""

GENERIC_SPACES = frozenset({".global", ".shared", ".local"})
"""The state spaces whose variables ptxas takes as generic addresses."""

CONSTANTS = frozenset({"integer", "float"})

FLOAT_CONSTANTS = {
    ".f32": frozenset({".f32", ".f64", ".b32"}),
    ".f64": frozenset({".f32", ".f64", ".b64"}),
    "": frozenset({".f32", ".f64", ".b32", ".b64"}),
}
"""The types that a floating-point constant fits: ``0f3F800000`` is ``.f32``, all others are ``.f64``."""

_SHORT_VECTOR = 2
_LOW = (1 << 32) - 1
_SMALL_FLOATS = re.compile(r"\.e\dm\d(p4)?x4")
_V1 = Count(".v1", ())
_SINGLES = (".pred", ".f16x2", ".f32")


class Fitting:
    """Compares written operands with one form under given values of its places."""

    def __init__(self, form: PreparedForm, values: SlotValues, level: LanguageLevel) -> None:
        self.form = form
        self.values = values
        self._index = form.form.index
        self._holders = form.shared.holders
        self._rows = form.operand_rows(values, level)
        self._context = level
        self._version = level.version
        self._judge = level.judge

    # ---- what the form wants here

    def allows(self, gate: Gate) -> bool:
        """Whether the module passes a gate."""
        return self._context.allows(gate)

    def operands(self, operands: tuple[FormOperand, ...] | None = None) -> list[FormOperand]:
        """The operands that are written under these values."""
        return [
            operand
            for operand in (self.form.form.operands if operands is None else operands)
            if not operand.option or self.values[self._index[operand.option]]
        ]

    def kinds(self, name: str) -> list[OperandPattern]:
        """What may stand for an operand; several if several rows of a table hold."""
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
        """What stands in the place called ``word``, or the word itself if no place is called so."""
        place = self._index.get(word)
        return word if place is None else self.values[place]

    def count(self, count: Count) -> int | None:
        """How many elements a vector has; None if the qualifier that says so is left out."""
        return count.of(shape_of(self.values) if count.base in "mnk" else self.value(count.base))

    def selectors(self, operand: FormOperand) -> tuple[str, ...]:
        """What can follow an operand: ``.b0 .b1 …``; empty if nothing can."""
        place = self._index.get(operand.selector) if operand.selector else None
        return () if place is None else tuple(word for word in self.form.choices[place] if word)

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
        if self.form.form.mnemonic in ("mma", "wmma"):
            bare = operand.name == "a" and written.kind != "vector"
            if bare and matrix_operands.takes_bare_a(self.form.form.names[0], self.values) and _is_raw_word(written):
                return True
        if operand.name in leniency.SHORT_VALUES and self._is_short_value(written):
            return True
        return self._sign_fits(operand, written) and self._pair_fits(operand, written) and self.body(operand, written)

    def _is_short_value(self, written: ActualOperand) -> bool:
        """Whether ptxas takes a short register for 64 bits: in a load by one CTA alone."""
        index, values = self._index, self.values
        alone = all(name not in index or values[index[name]] is None for name in (".multicast", ".cta_group"))
        short = written.kind == "register" and written.type in (".b8", ".u8", ".s8", ".b16", ".u16", ".s16")
        return short and alone and ".mbarrier::complete_tx::bytes" in values

    def body(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether an operand fits, signs and what follows it aside."""
        kind = operand.kind
        if kind == "name":
            if self.form.form.mnemonic in texture_operands.INSTRUCTIONS:
                return texture_operands.fits(self, operand.name, written)
            return any(self._fits_kind(wanted, written) for wanted in self.kinds(operand.name))
        if kind == "number":
            number = int(operand.name)
            fits = written.value in (None, number) or self._is_cut(((number, number, 1),), written.value)
            return written.kind == "integer" and fits
        if kind in ("sink", "arguments"):
            return written.kind == kind
        if written.kind != kind:
            return kind == "address" and self._bare(operand, written)
        parts = self.operands(operand.parts)
        if len(parts) != len(written.parts):
            return False
        if kind == "vector":
            if self.form.form.mnemonic in leniency.UNIFORM_VECTORS:
                return self._elements(self.kinds(parts[0].name)[0].alternatives[0], written.parts, wider=False)
            if self.form.form.mnemonic == "mma" and written.parts[0].kind == "integer":
                # Behind a constant ptxas looks at no size.
                second = written.parts[1]
                integer = second.kind in ("register", "special") and second.type[1:2] in ("b", "u", "s")
                whole = integer and not second.sign
                return self.fits(parts[:1], written.parts[:1]) and (whole or self.fits(parts[1:], written.parts[1:]))
            return self.fits(parts, written.parts)
        return self.base(operand, written.parts[0]) and self.fits(parts[1:], written.parts[1:])

    def _bare(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether ptxas takes something without brackets for an address."""
        page = self.form.form.names[0]
        if page in leniency.BARE_TENSORS:
            single = len(operand.parts) == 1
            if written.kind == "variable":
                return single or written.space == ".global"
            kinds = ("float", *REFERENCES.values(), "register") if single else ("float", *REFERENCES.values())
            return written.kind in kinds
        if page in leniency.BARE_BARRIERS and operand.name == "mbar":
            if written.kind == "register":
                return written.type[1:2] in ("b", "u", "s") and BITS.get(written.type) in (BITS[".b16"], BITS[".b64"])
            return written.kind == "integer"
        return page == "red" and written.kind == "sink"

    @staticmethod
    def _can_be_written(operand: FormOperand, written: ActualOperand) -> bool:
        """Whether the instruction can write it: no constant, no address of a variable, nothing with a sign."""
        if written.kind == "integer" and operand.name == "reportValue":
            return True  # ptxas does not look
        if written.sign:
            return False
        if written.kind == "vector":
            return all(part.kind in ("register", "sink", "special", "unknown") for part in written.parts)
        return written.kind in ("register", "sink", "unknown", "arguments")

    def _is_constant_result(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether ptxas takes a constant for a result here."""
        page, allows = self.form.form.names[0], self._context.allows
        gate = leniency.CONSTANT_RESULTS.get(page)
        if gate is None or written.sign or written.selector or operand.selector and self.value(operand.selector):
            return False
        if written.kind != "integer" and (written.kind != "function" or page == "vset"):
            return False
        parts = page == "vmad" and self.value(".asel") and self.value(".bsel")
        return allows(gate) or bool(parts) and allows(leniency.CONSTANT_PRODUCTS)

    def _sinks_fit(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Only results can be thrown away, element by element, unless the page says otherwise.

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
        if written.type == ".pred" and self._is_one_of(leniency.FLOATS_PASS | leniency.BARE_TENSORS):
            return True
        if (
            written.sign == "!"
            and written.type == ".pred"
            and any(self._is_raw(alternative) for kind in self.kinds(operand.name) for alternative in kind.alternatives)
        ):
            return True
        return written.sign == "!" and any(
            alternative.type and self.value(alternative.type) == ".pred"
            for kind in self.kinds(operand.name)
            for alternative in kind.alternatives
        )

    def wants_pair(self, operand: FormOperand) -> bool:
        """Whether a second result stands behind the operand here."""
        return bool(operand.pair and self.value(operand.pair))

    def _pair_fits(self, operand: FormOperand, written: ActualOperand) -> bool:
        pair = written.pair
        if pair is None or not self.wants_pair(operand):
            return pair is None and not self.wants_pair(operand)
        if pair.kind == "unknown":
            return True
        if pair.kind == written.kind == "sink":
            return False
        return pair.kind in ("register", "sink") and any(
            self._fits_kind(wanted, pair) for wanted in self.kinds(operand.pair)
        )

    # ---- addresses

    def base(self, operand: FormOperand, written: ActualOperand) -> bool:
        """Whether the address itself fits: a register, or a variable in the right state space."""
        if written.sign:
            return False
        if written.kind == "unknown":
            return True
        if self.form.form.mnemonic in texture_operands.INSTRUCTIONS:
            if texture_operands.is_old_texture(written):
                return True
            if not texture_operands.handle_fits(self, written):
                return False
        spaces = self.spaces(operand)
        if {operand.name, self.form.form.mnemonic} & leniency.UNCHECKED_ADDRESSES and written.kind != "variable":
            return written.kind in ("register", *REFERENCES.values()) or operand.name != "tensorMap"
        return any(
            self.address_fits(wanted, written) and not self._is_short(wanted, written, operand) for wanted in spaces
        )

    def spaces(self, operand: FormOperand) -> list[Alternative]:
        """What an address may be; without a line of its own, what the form's state space says, or generic."""
        kinds = self.kinds(operand.name)
        if kinds:
            return [alternative for kind in kinds for alternative in kind.alternatives]
        order = self.form.order
        space = next(
            (self.values[place] for place in self.form.qualifiers if order.get(self.values[place] or "") == "space"),
            None,
        )
        return [Alternative("type", space or "generic")]

    @property
    def only_shared(self) -> bool:
        """Whether names as generic addresses must be of shared variables."""
        return self._is_one_of(leniency.ONLY_SHARED)

    def address_fits(self, wanted: Alternative, written: ActualOperand) -> bool:
        """Whether an address of one kind can be what is written."""
        word = self.value(wanted.type) or "generic"
        kind = written.kind
        if word in REFERENCES:
            return kind == REFERENCES[word]
        if wanted.exact:
            return kind == "register" and written.type == word
        if word in BITS:
            if kind == "register":
                return fits_type(written.type, word, self._holders)
            return kind == "function" and self._is_one_of(leniency.FUNCTION_ADDRESSES)
        if kind in ("register", "special"):
            if kind == "special" and self._is_one_of(leniency.NO_SPECIAL_ADDRESSES):
                return False
            if word == ".param::func" and self._version >= leniency.BY_NAME_ONLY:
                return False
            return written.type[1:2] in ("b", "u", "s") and written.type != ".b128"
        if kind == "variable":
            spaces = {".shared"} if self.only_shared else GENERIC_SPACES
            generic = written.space.partition("::")[0] in spaces
            return generic if word == "generic" else _same_space(word, written.space)
        if kind in REFERENCES.values():
            return not self._is_one_of(leniency.NO_REFERENCES)
        if kind == "function":
            return self._is_one_of(leniency.FUNCTION_ADDRESSES)
        return kind == "integer" and word == ".local"

    def _is_short(self, wanted: Alternative, written: ActualOperand, operand: FormOperand) -> bool:
        """Whether ptxas finds a register too short for an address."""
        if operand.name == "mbar" and self.form.form.mnemonic != "tcgen05":
            return False
        size = BITS.get(written.type) if written.kind == "register" and wanted.type not in BITS else None
        if size in (BITS[".b8"], BITS[".b16"]):
            generic = self.value(wanted.type) in (None, "generic")
            refusing = leniency.NEVER_SHORT_ADDRESSES | (leniency.NO_SHORT_ADDRESSES if generic else frozenset())
            return self._is_one_of(refusing)
        return size == BITS[".b32"] and self._is_one_of(leniency.LONG_ADDRESSES)

    def _is_one_of(self, names: frozenset[str]) -> bool:
        """Whether the mnemonic, or the first name of the page, is listed."""
        form = self.form.form
        return form.mnemonic in names or form.names[0] in names

    # ---- values

    def _fits_kind(self, kind: OperandPattern, written: ActualOperand) -> bool:
        if written.offset:
            written = _with_constant(written)
        return any(self.alternative(wanted, written, kind.wider) for wanted in kind.alternatives)

    def alternative(self, wanted: Alternative, written: ActualOperand, wider: bool) -> bool:
        """Whether a value of one kind can be what is written."""
        what, kind = wanted.what, written.kind
        if kind == "unknown":
            return True
        if what == "type":
            if wanted.type in REFERENCES:
                # ptxas takes a texture for a sampler.
                return kind == REFERENCES[wanted.type] or wanted.type == ".samplerref" and kind == "texref"
            if self._is_raw(wanted):
                return _is_raw_word(written)
            if wanted.register and kind in CONSTANTS:
                return self._unchecked(wanted, written)
            if wanted.length is not None:
                length = self.count(wanted.length)
                if length is not None:
                    return self._vector(wanted, length, written, wider)
            if kind == "sink":
                return wanted.sinks and wanted.length is None  # of vectors the elements can be thrown away
            if kind == "vector" and len(written.parts) == 1 and self._is_one_of(leniency.BRACED_SINGLES):
                return self._elements(wanted, written.parts, wider)
            if kind == "vector" and self._takes_vector_of_halves(wanted):
                types = {part.type for part in written.parts} - {".pred"}
                return common_type(types) == ".b32" and all(part.kind in ("register", "sink") for part in written.parts)
            return (
                self._scalar(wanted, written, wider)
                or self._unchecked(wanted, written)
                or self._is_old_bf16(wanted, written)
                or self._is_packed_vector(wanted, written)
            )
        if what == "imm":
            if kind == "integer":
                return in_ranges(wanted.ranges, written.value) or self._is_cut(wanted.ranges, written.value)
            return kind == "variable" and written.offset
        if what == "vector" and self._begins_with_constant(written):
            return True
        if what == "vector":
            return (
                kind == "vector"
                and len(written.parts) == len(wanted.elements)
                and not any(part.sign for part in written.parts)
                and self._fit_kinds(wanted.elements, written.parts)
            )
        if what == "special":
            return kind == "special" and self._special(wanted, written)
        if what == "variable":
            space = self.value(wanted.type) if wanted.type else None
            return kind == "variable" and (space is None or _same_space(space, written.space))
        if what == "label":
            return kind == what and not written.offset
        return kind in REFERENCES.values() if what == "texture" else kind == what

    def _is_cut(self, ranges: tuple[tuple[int, int, int], ...], value: int | float | None) -> bool:
        """Whether 32 bits of a constant are in range where ptxas compares no more, or it is too long to tell."""
        if not isinstance(value, int) or not self._is_one_of(leniency.SHORT_CONSTANTS):
            return False
        return abs(value) > _LOW or in_ranges(ranges, value & _LOW)

    def _fit_kinds(self, wanted: tuple[OperandPattern, ...], parts: tuple[ActualOperand, ...]) -> bool:
        parts = tuple(_as_register(part) if part.kind == "special" else part for part in parts)
        return all(map(self._fits_kind, wanted, parts))

    def _size(self, wanted: Alternative) -> int | None:
        """The bits of the register that an alternative wants."""
        name = self.value(wanted.type) or ""
        return BITS.get(self._holders.get(name, name))

    def _is_old_bf16(self, wanted: Alternative, written: ActualOperand) -> bool:
        """Whether this passes for a ``.bf16`` or ``.bf16x2`` in releases that did not look closely."""
        name = self.value(wanted.type) or ""
        return (
            name in leniency.OLD_BF16
            and f"{self.form.form.mnemonic}{name}" not in leniency.NO_OLD_BF16
            and leniency.OLD_BF16_RELEASES.has(self._judge)
            and written.kind == "vector"
            and len(written.parts) <= _SHORT_VECTOR
            and all(part.kind == "register" and part.type == self._holders[name] for part in written.parts)
        )

    def _is_packed_vector(self, wanted: Alternative, written: ActualOperand) -> bool:
        """Whether this is a vector of untyped registers for four small floats: in arithmetic any number does."""
        name = self.value(wanted.type) or ""
        name = self._holders.get(name, name)
        return (
            written.kind == "vector"
            and len(written.parts) in (1, 2, 4)
            and any(value is not None and _SMALL_FLOATS.fullmatch(value) for value in self.values)
            and self._is_one_of(leniency.VECTORS_OF_SMALL_FLOATS)
            and any(part.type == name for part in written.parts)
            and self._elements(Alternative("type", name), written.parts, wider=False)
        )

    def _unchecked(self, wanted: Alternative, written: ActualOperand) -> bool:
        """Whether ptxas hands on an operand that is not what the instruction wants."""
        mnemonic = self.form.form.mnemonic
        if self._is_one_of(leniency.FLOAT_SINGLES) and written.kind == "float":
            return self._size(wanted) == BITS[".b32"] and written.type == ".f32"
        if not self._is_one_of(leniency.UNCHECKED) or not 0 < len(written.parts or (written,)) <= _SHORT_VECTOR:
            return False
        if mnemonic in leniency.FLOATS_PASS and written.kind == "float":
            size = self._size(wanted)
            return size == BITS[".b32"] and written.type == ".f32" or size == BITS[".b16"] and mnemonic == "mma"
        if self._size(wanted) != BITS[".b32"] or not (wanted.register or mnemonic in ("mma", "mbarrier")):
            return False
        if written.kind == "vector":
            if mnemonic == "mbarrier" and any(part.type[1:2] == "f" for part in written.parts):
                return False
            return all(part.kind in ("register", "integer") and not part.sign for part in written.parts)
        return written.type == ".pred" and mnemonic != "mbarrier"

    def _is_raw(self, wanted: Alternative) -> bool:
        """Whether ptxas hands on the two halves of a conversion without a look at them."""
        if self.form.form.mnemonic != "cvt" or self.value(wanted.type) != ".bf16x2":
            return False
        halves = self.values.index(".bf16x2")
        if "scale-factor" in self.values and ".ue5m3x2" in self.values[:halves]:
            return True
        return any(
            word in self.values
            and (word == ".ue8m0x2" or self.values.index(word) < halves)
            and self._context.allows(gate)
            for word, gate in leniency.RAW_HALVES.items()
        )

    def _begins_with_constant(self, written: ActualOperand) -> bool:
        """Whether this is packed behind a constant, where ptxas takes integer registers of any width."""
        parts = written.parts
        return (
            self.form.form.mnemonic == "mov"
            and len(parts) in (2, 4)
            and parts[0].kind == "integer"
            and all(part.kind == "integer" or part.kind == "register" and part.type[1:2] in "bus" for part in parts)
        )

    def _takes_vector_of_halves(self, wanted: Alternative) -> bool:
        """Whether ptxas takes a vector for a result of two halves."""
        return (
            self.form.form.mnemonic == "cvt"
            and self.value(wanted.type) == ".bf16x2"
            and self.values[-1] == ".f32"
            and self._context.allows(leniency.VECTOR_HALVES)
        )

    def _special(self, wanted: Alternative, written: ActualOperand) -> bool:
        name = self.value(wanted.type) if wanted.type else None
        if name is None:
            return True
        narrower = written.narrow or self.form.form.names[0] not in leniency.WHOLE_SPECIALS
        vector = vector_of(written.type)
        if wanted.length is not None or vector is not None:
            # ptxas lets a scalar special register fill a vector.
            length = self.count(wanted.length) if wanted.length is not None else None
            return (
                length is not None
                and (vector is None or vector[0] == length)
                and fits_type(vector[1] if vector else written.type, name, self._holders, wider=narrower)
            )
        return fits_type(written.type, name, self._holders, wider=narrower)

    def _vector(self, wanted: Alternative, length: int, written: ActualOperand, wider: bool) -> bool:
        bare = written.kind in ("register", "float") and vector_of(written.type) is None
        if bare and wanted.length == _V1 and self.form.form.mnemonic in leniency.BARE_SINGLES:
            return written.type in _SINGLES or self._scalar(wanted, written, wider)
        if written.kind == "register":
            vector = vector_of(written.type)
            return (
                vector is not None
                and vector[0] == length
                and self._scalar(wanted, written._replace(type=vector[1]), wider)
            )
        if written.kind != "vector" or len(written.parts) != length:
            return False
        return self._elements(wanted, written.parts, wider)

    def _elements(self, wanted: Alternative, parts: tuple[ActualOperand, ...], wider: bool) -> bool:
        """Whether the elements of a vector fit, by the rules that ptxas has for vectors.

        Registers of one size and unlike types count as untyped. Beside a register, constants of its class may stand,
        and beside a ``.b32`` one even a predicate.
        """
        is_register = len(parts) == 1 and parts[0].kind == "register"
        if is_register and parts[0].type in _SINGLES and self._is_one_of(leniency.LOOSE_SINGLES):
            return self._size(wanted) == BITS[".b32"]
        if len(parts) == 1 and self.form.form.mnemonic == "mma" and self._size(wanted) == BITS[".b64"]:
            return parts[0].kind in CONSTANTS or BITS.get(parts[0].type) == BITS[".b64"]
        if len(parts) == 1 and parts[0].kind == "float":
            return self._unchecked(wanted, parts[0]) or self._scalar(wanted, parts[0], wider)
        shown = [part for part in parts if part.kind not in ("sink", "unknown")]
        if not shown:
            return any(part.kind == "unknown" for part in parts)
        if any(part.sign or part.selector for part in shown):
            return False
        if any(part.kind == "function" for part in shown) and self.form.form.mnemonic in leniency.NO_FUNCTIONS:
            return False
        if self.form.form.mnemonic in ("mma", "wmma") and any(part.type.startswith(".v") for part in shown):
            return False
        if self.form.form.mnemonic in leniency.STRICT_VECTORS:
            registers = [part for part in shown if part.kind == "register"]
            if self.form.form.mnemonic != "wgmma":
                special = self._is_one_of(leniency.SPECIAL_ELEMENTS)
                constants = all(
                    part.kind == "integer"
                    or (part.kind == "float" and part.type == ".f32")
                    or (part.kind == "special" and special and part.type != ".u64")
                    for part in shown
                    if part.kind != "register"
                )
                return constants and self._same(wanted, registers, wider)
            if any(part.type == ".b32" for part in registers):
                registers = [part for part in registers if part.type != ".pred"]
            constants = all(part.kind in ("integer", "float", "special") for part in shown if part.kind != "register")
            sinks = wanted.sinks or not any(part.kind == "sink" for part in parts)
            return bool(registers) and constants and sinks and self._same(wanted, registers, wider)
        registers = [
            part if part.kind == "register" else _as_register(part)
            for part in shown
            if part.kind in ("register", "special", "variable") and not part.offset
        ]
        types = {part.type for part in registers}
        untyped = any(name[1:2] == "b" for name in types)
        if ".b32" in types:
            registers = [part for part in registers if part.type != ".pred"]
        for part in shown:
            if part.kind == "float" and types:
                if not untyped and not any(name[1:2] == "f" for name in types):
                    return False
            elif part.kind in ("integer", "function") or part.offset:
                if types and all(name[1:2] == "f" for name in types):
                    return False
                if not types and not self._scalar(wanted, part, wider):
                    return False
            elif part.kind not in ("register", "special", "variable") and not (
                part.kind == "float" and self._scalar(wanted, part, wider)
            ):
                return False
        return self._same(wanted, registers, wider)

    def _same(self, wanted: Alternative, registers: list[ActualOperand], wider: bool) -> bool:
        """Whether registers fit together as elements of one type."""
        types = {register.type for register in registers}
        common = common_type(types) if len(types) > 1 or (self._loose and _integers(types)) else next(iter(types), "")
        return common == "" or (common is not None and self._scalar(wanted, ActualOperand("register", common), wider))

    @property
    def _loose(self) -> bool:
        """Whether integer registers may stand for floats in vectors; with matrices they may not."""
        return self.form.form.mnemonic not in leniency.CLASSED_VECTORS

    def _scalar(self, wanted: Alternative, written: ActualOperand, wider: bool) -> bool:
        """Whether a single value can be what is written."""
        kind, page = written.kind, self.form.form.names[0]
        name = self.value(wanted.type)
        if name is None:
            return False
        if kind == "register":
            if written.offset and (name not in leniency.OLD_BF16 or leniency.NEW_BF16_RELEASES.has(self._judge)):
                written = written._replace(type=of_any_size(written.type, name, self._holders))
            if wanted.exact:
                return written.type == name
            if page == "cvt" and wider and not self._widens(written.type, name):
                return False
            if written.type == ".f16x2" and name in (".u32", ".s32", ".pred") and not self._is_of_opcode(name):
                # It passes for the type in the opcode, not for counts, masks and addresses beside it.
                return False
            return fits_type(written.type, name, self._holders, wider=wider)
        if wanted.register:
            return False
        if kind == "integer" or kind == "variable" and written.offset:
            return name not in self._holders and name[1:2] in ("b", "u", "s", "p" if kind == "integer" else "")
        if kind == "function" and page == "cvt" and name in leniency.NO_SMALL_FUNCTIONS:
            return not self._context.allows(leniency.NO_SMALL_FUNCTIONS[name])
        if kind == "function":
            if name in leniency.OLD_BF16 and not leniency.NEW_BF16_RELEASES.has(self._judge):
                return False
            return self._is_of_opcode(name) and page not in leniency.FUNCTIONS_LISTED
        return kind == "float" and name in FLOAT_CONSTANTS[written.type]

    def _widens(self, have: str, want: str) -> bool:
        """Whether ``cvt`` takes a register for a smaller type: less with ``.ftz`` and 64 bits, where it is a macro."""
        wide = ".f64" in self.values or self.values[-1] == ".f32" and {".u64", ".s64"}.intersection(self.values)
        if ".ftz" not in self.values or not wide:
            return True
        cut = want == ".f32" and self.values[-1] == ".f64" and ".rn" not in self.values
        return have != ".b128" and not (cut and have == ".b64")

    def _is_of_opcode(self, name: str) -> bool:
        """Whether a type is one of the opcode's, or the doubled one of a wide product."""
        return name in self.values or ".wide" in self.values


def _is_raw_word(written: ActualOperand) -> bool:
    """Whether something passes for 32 bits where ptxas does not look: whatever has so many, a predicate, a vector."""
    if written.kind == "vector":
        return 0 < len(written.parts) <= _SHORT_VECTOR and all(
            part.kind == "register" and not part.sign and _is_raw_word(part) for part in written.parts
        )
    if written.kind == "register":
        return written.type == ".pred" or BITS.get(written.type) == BITS[".b32"] and not written.sign
    return written.kind == "float" and written.type == ".f32"


def _with_constant(written: ActualOperand) -> ActualOperand:
    """What ptxas takes a name for to which a constant is added: a special register for one without a type."""
    if written.kind == "special" and vector_of(written.type) is None:
        return written._replace(kind="register", type=".pred" if written.type == ".pred" else ".b32")
    # The sum is no place to jump to; it is a value like the name of a function.
    return written._replace(kind="function", offset=False) if written.kind == "label" and not written.role else written


def _as_register(written: ActualOperand) -> ActualOperand:
    """A special register or variable as an element of a vector: an untyped register of its size."""
    bits = 64 if written.type.endswith("64") else 32
    return ActualOperand("register", f".b{bits}" if written.kind == "special" else written.type)


def _integers(types: set[str]) -> bool:
    """Whether all types are integers, signed or not."""
    return bool(types) and all(name[1:2] in ("u", "s") for name in types)


def _same_space(one: str, other: str) -> bool:
    """Whether two state spaces are one, sub-spaces aside: ``.shared::cta`` is ``.shared``."""
    return one.partition("::")[0] == other.partition("::")[0]


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
