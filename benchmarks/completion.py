"""Does completion offer exactly what leads to a legal spelling? ``python -m benchmarks.completion [spellings]``.

For every page, each beginning of sampled spellings is asked, for three targets, in both directions:

* each word that is offered is followed to a whole instruction with operands, and the matcher must take that;
* each word that is not offered is tried: the sampled spellings that have it and all words of the beginning are
  written with these first, and the matcher must refuse them all.

The test suite does it with few spellings; here it is done with many.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import cycle, islice

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.completion import completion
from ptx_lsp.isa.build.samples import Sample, sample_of, samples
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.offers import PartialSpelling, endings, readings
from ptx_lsp.isa.match import accepts
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.name_order import name_order
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

Opcode = tuple[str, ...]

TARGETS = (
    (Version(7, 0), Target(80)),
    (Version(8, 6), Target(90, "a")),
    (Version(9, 4), Target(100, "a")),
)
_TRIES = 40
"""Endings of an offered word that are tried until one has operands to write: some rows of tables leave none."""


def disagreements(instruction: InstructionPage, version: Version, target: Target, spellings: int) -> Iterator[str]:
    """What is offered wrongly or missing behind the beginnings of some spellings of each form, a line each."""
    chance = random.Random(instruction.path)
    found: list[Sample] = []
    for forms in instruction.prepared.values():
        for form in forms:
            found += islice(samples(form, version, target, chance), spellings)
    whole = {sample.opcode: sample for sample in found}
    picked = chance.sample(sorted(whole), min(len(whole), 2 * spellings))
    beginnings = {opcode[:end]: None for opcode in picked for end in range(1, len(opcode) + 1)}
    for beginning in beginnings:
        offered = labels("".join(beginning), version, target)
        for word in offered:
            if not _leads_somewhere((*beginning, word), version, target, chance):
                yield f"{''.join(beginning)}<|>{word} leads nowhere on {target}, PTX {version}"
        for opcode, sample in whole.items():
            if opcode[: len(beginning)] == beginning and len(opcode) > len(beginning):
                if opcode[len(beginning)] not in offered:
                    yield f"{''.join(beginning)}<|>{opcode[len(beginning)]} is missing on {target}, PTX {version}"
            else:
                yield from _reordered(beginning, offered, sample, version, target)


def labels(opcode: str, version: Version, target: Target) -> frozenset[str]:
    """The single words that an editor is offered behind ``opcode.`` as available."""
    semantics, start, length = _semantics(version, target)
    document = semantics.module.document
    run_to_completion(semantics.updating(document.edit(Span(start, start + length[0]), f"{opcode}.")))
    length[0] = len(opcode) + 1
    found = completion(semantics, start + length[0])
    words = (item.insert for item in found if not item.needs)
    return frozenset(word for word in words if "." not in word[1:])


@lru_cache(maxsize=8)
def _semantics(version: Version, target: Target) -> tuple[Semantics, int, list[int]]:
    """A module with an empty body, where that is, and the length of what is typed there."""
    text = f".version {version}\n.target {target}\n.entry kernel()\n{{\n    "
    return Semantics(Module(Document(f"{text}\n}}\n"))), len(text), [0]


@lru_cache(maxsize=1 << 16)
def _takes(opcode: Opcode, operands: tuple[ActualOperand, ...], version: Version, target: Target) -> bool:
    """Whether the matcher takes it; a part of the name in another place than the manual's is merely tolerated."""
    return name_order(opcode) is None and accepts(opcode, operands, version, target, AcceptancePolicy.ANY)


def _leads_somewhere(opcode: Opcode, version: Version, target: Target, chance: random.Random) -> bool:
    """Whether the matcher takes an instruction that begins so."""
    for judge in (AcceptancePolicy.LATEST, AcceptancePolicy.ANY):
        module = language_level(version, target, judge)
        for reading in islice(cycle(list(readings(opcode, module))), _TRIES):
            for values in islice(endings(reading, module, shuffled=chance), 1):
                sample = sample_of(reading.form, values, module, chance)
                if sample is not None and _takes(_written(reading, sample.opcode), sample.operands, version, target):
                    return True
    return False


def _written(reading: PartialSpelling, opcode: Opcode) -> Opcode:
    """The words of a spelling with those first that are written already."""
    rest = list(opcode)
    for word in reading.opcode:
        if word in rest:
            rest.remove(word)
    return (*reading.opcode, *rest)


def _reordered(
    beginning: Opcode, offered: frozenset[str], sample: Sample, version: Version, target: Target
) -> Iterator[str]:
    """Words that are missing although a sampled spelling, with the beginning's words first, goes on with them."""
    rest = list(sample.opcode)
    for word in beginning:
        if word not in rest:
            return
        rest.remove(word)
    for word in dict.fromkeys(rest):
        if word in offered:
            continue
        others = list(rest)
        others.remove(word)
        if _takes((*beginning, word, *others), sample.operands, version, target):
            yield f"{''.join((*beginning, word, *others))}: {word} is missing on {target}, PTX {version}"


def main() -> int:
    """Ask all pages; how many beginnings disagree is the exit status, 0 or 1."""
    spellings = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    started = time.perf_counter()
    wrong = 0
    for instruction in catalogue().instructions:
        for version, target in TARGETS:
            for line in disagreements(instruction, version, target, spellings):
                print(line)
                wrong += 1
    print(f"{wrong} disagreements, {time.perf_counter() - started:.0f} s")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
