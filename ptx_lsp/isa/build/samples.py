"""Statements that a form allows, chosen so that every pair of choices is seen together: for certification and tests."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from ptx_lsp.isa.matching.addresses import GENERIC_SPACES
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.matching.values import REFERENCES
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import FormOperand, PlaceKind
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.language_level import LanguageLevel, language_level
from ptx_lsp.isa.model.operand_pattern import Alternative, OperandPattern
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.vocabulary.register_types import BITS
from ptx_lsp.named_tuples import NamedTuple

_MANY_CHOICES = 12
_FIRST = 0.5
"""The frequency of the first of several kinds, of a register rather than a name, of the first constant of a range."""
_REGISTERS = {".u8": ".b8", ".s8": ".b8", ".f16": ".b16"}
"""Untyped registers to write for a type; old versions do not know all typed ones."""
_WIDER = {".b8": ".b16"}
"""Wider ones that are more usual where they are allowed."""


class Sample(NamedTuple):
    """An instruction that fits a form, in a module where it does."""

    opcode: tuple[str, ...]
    operands: tuple[ActualOperand, ...]
    module: LanguageLevel


def samples(form: PreparedForm, version: Version, target: Target, chance: random.Random) -> Iterator[Sample]:
    """Documented statements of a form for one version and target that show each pair of choices at least once."""
    return pairwise(form, (language_level(version, target, AcceptancePolicy.LATEST),), chance)


def pairwise(form: PreparedForm, modules: Sequence[LanguageLevel], chance: random.Random) -> Iterator[Sample]:
    """Statements of a form over several modules: for each pair of choices the first module that allows it.

    Of places with many choices a dozen are picked by chance.
    """
    varied = []
    for place, choices in enumerate(form.choices):
        words = list(choices)
        if len(words) > 1:
            varied.append((place, words if len(words) <= _MANY_CHOICES else chance.sample(words, _MANY_CHOICES)))
    goals: list[dict[int, str | None]] = [{}]
    goals += [{place: word} for place, words in varied for word in words]
    goals += [
        {one: first, two: second}
        for (one, firsts), (two, seconds) in itertools.combinations(varied, 2)
        for first in firsts
        for second in seconds
    ]
    chance.shuffle(goals)
    covered: set[frozenset[tuple[int, str | None]]] = set()
    for goal in goals:
        if goal and frozenset(goal.items()) in covered:
            continue
        for module in modules:
            values = next(solutions(form, module, goal, shuffled=chance), None)
            if values is not None:
                shown = [(place, values[place]) for place, _ in varied]
                covered |= {frozenset(pair) for pair in itertools.combinations_with_replacement(shown, 2)}
                sample = sample_of(form, values, module, chance)
                if sample is not None:
                    yield sample
                break


def sample_of(form: PreparedForm, values: SlotValues, module: LanguageLevel, chance: random.Random) -> Sample | None:
    """A statement of a form whose places are filled; None if a row of a table leaves nothing to write."""
    opcode = tuple(
        word for word, slot in zip(values, form.slots, strict=True) if word and slot.kind <= PlaceKind.QUALIFIER
    )
    writer = _Writer(Fitting(form, values, module), chance)
    operands = [writer.operand(operand) for operand in writer.fitting.operands()]
    if any(operand is None for operand in operands):
        return None
    return Sample(opcode, tuple(operand for operand in operands if operand is not None), module)


class _Writer:
    """Writes operands that a form wants: each kind that the page lists for one, and the first of them most often."""

    def __init__(self, fitting: Fitting, chance: random.Random) -> None:
        self.fitting = fitting
        self._chance = chance

    def operand(self, operand: FormOperand) -> ActualOperand | None:
        """An operand with its selector and pair; None if a row of a table leaves nothing to write."""
        written = self._body(operand)
        if written is None:
            return None
        if operand.selector:
            written = written._replace(selector=self.fitting.value(operand.selector) or "")
        if self.fitting.wants_pair(operand):
            kind = self.fitting.kinds(operand.pair)[0]
            # Of two results one has to be kept.
            pair = self._kind(kind._replace(alternatives=kind.alternatives[:1]) if written.kind == "sink" else kind)
            written = written._replace(pair=pair)
        return written

    def _body(self, operand: FormOperand) -> ActualOperand | None:
        kind = operand.kind
        if kind == "number":
            return ActualOperand("integer", value=int(operand.name))
        if kind == "sink":
            return ActualOperand("sink")
        if kind == "arguments":
            return ActualOperand("arguments", parts=(ActualOperand("register", ".b32"),))
        if kind == "name":
            kinds = self.fitting.kinds(operand.name)
            return self._kind(self._chance.choice(kinds)) if kinds else None
        if kind == "vector":
            parts = [self.operand(part) for part in self.fitting.operands(operand.parts)]
        else:
            parts = [self._base(operand), *map(self.operand, self.fitting.operands(operand.parts)[1:])]
        if any(part is None for part in parts):
            return None
        return ActualOperand(kind, parts=tuple(part for part in parts if part is not None))

    def _base(self, operand: FormOperand) -> ActualOperand:
        wanted = self._one_of(self.fitting.spaces(operand))
        word = self.fitting.value(wanted.type) or "generic"
        if word in REFERENCES:
            return ActualOperand(REFERENCES[word])
        if word in BITS:
            return ActualOperand("register", word)
        if ".param::func" in self.fitting.values:
            return ActualOperand("variable", ".b8", space=".param")
        if operand.selector or self._chance.random() < _FIRST:
            # The only selector of an address, `.unified`, asks for a variable that is declared so.
            return ActualOperand("register", ".b64")
        spaces = sorted(GENERIC_SPACES) if word == "generic" else [word]
        variables = [ActualOperand("variable", ".b8", space=space) for space in spaces]
        fitting = [variable for variable in variables if self.fitting.address_fits(wanted, variable)]
        return self._chance.choice(fitting) if fitting else ActualOperand("register", ".b64")

    def _kind(self, kind: OperandPattern) -> ActualOperand | None:
        return self._alternative(self._one_of(kind.alternatives), wider=kind.wider)

    def _one_of(self, alternatives: Sequence[Alternative]) -> Alternative:
        return alternatives[0] if self._chance.random() < _FIRST else self._chance.choice(alternatives)

    def _alternative(self, wanted: Alternative, *, wider: bool = False) -> ActualOperand | None:
        what = wanted.what
        if what == "imm":
            first, last, step = self._chance.choice(wanted.ranges) if wanted.ranges else (1, 1, 1)
            return ActualOperand(
                "integer", value=first if self._chance.random() < _FIRST else last - (last - first) % step
            )
        if what == "vector":
            elements = [self._kind(kind) for kind in wanted.elements]
            return ActualOperand("vector", parts=tuple(element for element in elements if element is not None))
        if what == "variable":
            return ActualOperand(what, ".b8", space=self.fitting.value(wanted.type) or ".global")
        if what == "special":
            bits = BITS.get(self.fitting.value(wanted.type) or "", 32)
            if bits > BITS[".b64"]:
                return None
            if bits == BITS[".b16"] and self.fitting.deviates("narrow-specials"):
                # Only the positions and sizes of threads and CTAs have 16 bits too.
                return self._alternative(wanted._replace(what="type"))
            return ActualOperand(what, (".u64" if bits == 64 else ".u32") if wanted.length is None else ".v4.u32")
        if what != "type":
            return ActualOperand("texref" if what == "texture" else what)
        if wanted.type == "-":
            return None
        name = self.fitting.value(wanted.type)
        if name is None:
            return None
        if name in REFERENCES:
            return ActualOperand(REFERENCES[name])
        name = self.fitting.form.shared.holders.get(name, name)
        if not wanted.exact:
            name = _REGISTERS.get(name, name)
            name = _WIDER.get(name, name) if wider else name
        register = ActualOperand("register", name)
        length = self.fitting.count(wanted.length) if wanted.length is not None else None
        return register if length is None else ActualOperand("vector", parts=(register,) * length)
