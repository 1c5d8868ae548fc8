"""Samples what somebody may have written of an opcode when completion is asked for, and ways to write it to the end."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.certification.plan import versions_of
from benchmarks.certification.releases import Release
from benchmarks.certification.writing import Writer
from ptx_lsp.isa.build.samples import Sample, sample_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.offers import endings, is_complete, offers, readings
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import ANYWHERE, LanguageLevel, language_level
from ptx_lsp.isa.model.target import Target

_TARGETS = (
    "sm_20 sm_35 sm_50 sm_60 sm_70 sm_75 sm_80 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103a sm_107a sm_110a "
    "sm_120 sm_120a"
).split()
_VERSIONS = "3.1 5.0 6.0 6.5 7.0 7.4 7.8 8.0 8.3 8.6 8.8 9.0 9.2 9.4".split()
_REORDERED = 0.4
"""How often the qualifiers are not in the order of the page."""
_WITHHELD = 6
"""Of how many words that the module's gates withhold behind a prefix a statement is made all the same."""
_PASSES = 20
"""How often each form is asked for another statement."""


class Spelling(NamedTuple):
    """A whole statement for a module, whether or not it is right there."""

    page: str
    """The page whose form it is; behind ``tcgen05`` often another one than the prefix was sampled from."""
    opcode: tuple[str, ...]
    text: str
    module: LanguageLevel


class Prefix(NamedTuple):
    """What is written of an opcode in a module."""

    page: str
    opcode: tuple[str, ...]
    module: LanguageLevel

    def offers(self) -> tuple[str, ...]:
        """What completion offers behind it."""
        return offers(self.opcode, self.module.version, self.module.target, self.module.judge)

    def is_complete(self) -> bool:
        """Whether the opcode may end here."""
        return is_complete(self.opcode, self.module.version, self.module.target, self.module.judge)

    def withheld(self, chance: random.Random) -> Iterator[Spelling]:
        """Statements that go on with words that the pages list behind it, but not for this module."""
        elsewhere = offers(self.opcode, ANYWHERE.version, ANYWHERE.target)
        words = sorted(set(elsewhere) - set(self.offers()))
        for word in chance.sample(words, min(_WITHHELD, len(words))):
            longer = Prefix(self.page, (*self.opcode, word), self.module)
            yield from itertools.islice(longer.endings(chance, gated=False), 1)

    def endings(self, chance: random.Random, *, finished: bool = False, gated: bool = True) -> Iterator[Spelling]:
        """Different statements that begin with it, of all forms in turn; ``finished``: with no further qualifiers."""
        module = self.module if gated else ANYWHERE
        ways = list(readings(self.opcode, module, finished=finished))
        seen: set[str] = set()
        for _ in range(_PASSES):
            chance.shuffle(ways)
            for reading in ways:
                values = next(endings(reading, module, finished=finished, shuffled=chance), None)
                sample = sample_of(reading.form, values, module, chance) if values is not None else None
                if values is not None and sample is not None:
                    opcode = (*self.opcode, *reading.rest(values))
                    text = Writer().statement(opcode, sample.operands)
                    if text not in seen:
                        seen.add(text)
                        yield Spelling(reading.form.form.names[0], opcode, text, self.module)


def sampled(
    instructions: Sequence[InstructionPage], release: Release, count: int, chance: random.Random
) -> dict[Prefix, Spelling]:
    """So many prefixes, fewer if there are no more, of all forms in turn; each with the statement it was cut from."""
    found: dict[Prefix, Spelling] = {}
    for spelling in itertools.islice(_spellings(instructions, release, chance), 10 * count):
        opcode = spelling.opcode[: chance.randint(1, len(spelling.opcode))]
        found.setdefault(Prefix(spelling.page, opcode, spelling.module), spelling)
        if len(found) == count:
            break
    return found


def _spellings(instructions: Sequence[InstructionPage], release: Release, chance: random.Random) -> Iterator[Spelling]:
    """Statements of all forms in turn, each in a module that allows it; without end if there is one."""
    modules = [
        language_level(version, Target.parse(target), release.name)
        for target in _TARGETS
        for version in versions_of(target, release.newest)
        if str(version) in _VERSIONS
    ]
    forms = [(page, form) for page in instructions for prepared in page.prepared.values() for form in prepared]
    fruitful = True
    while fruitful:
        fruitful = False
        chance.shuffle(forms)
        for instruction, form in forms:
            for module in chance.sample(modules, len(modules)):
                values = next(solutions(form, module, shuffled=chance), None)
                sample = sample_of(form, values, module, chance) if values is not None else None
                if sample is not None:
                    fruitful = True
                    yield _spelling(instruction, sample, chance)
                    break


def _spelling(instruction: InstructionPage, sample: Sample, chance: random.Random) -> Spelling:
    opcode = sample.opcode
    if chance.random() < _REORDERED:
        opcode = _reordered(opcode, instruction, chance)
    return Spelling(instruction.names[0], opcode, Writer().statement(opcode, sample.operands), sample.module)


def _reordered(opcode: tuple[str, ...], instruction: InstructionPage, chance: random.Random) -> tuple[str, ...]:
    """The qualifiers behind the name in another order, but ordered ones in theirs."""
    order = catalogue().shared.order
    text = "".join(opcode) + "."
    name = max((name for name in instruction.names if text.startswith(name + ".")), key=len, default="")
    first = name.count(".") + 1
    words = chance.sample(opcode[first:], len(opcode) - first)
    for kind in {order[word] for word in words if word in order}:
        in_order = (word for word in opcode[first:] if order.get(word) == kind)
        words = [next(in_order) if order.get(word) == kind else word for word in words]
    return (*opcode[:first], *words)
