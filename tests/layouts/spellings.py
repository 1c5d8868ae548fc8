"""All spellings of instructions with fragments that some target accepts, with the lengths of their vectors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ptx_lsp.isa.build.samples import sample_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.form import PlaceKind
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.target import Target
from ptx_lsp.layouts.fragments import OpcodeWords, context_of

PATHS = tuple(
    f"isa/matrix/{name}.md"
    for name in (
        *("mma", "mma.sp", "ldmatrix", "stmatrix", "movmatrix"),
        *("wgmma.mma_async", "wgmma.mma_async.sp", "tcgen05.ld", "tcgen05.st"),
    )
)
_TARGETS = tuple(map(Target.parse, "sm_90a sm_100a sm_103a sm_120a sm_75".split()))


class Spelling(NamedTuple):
    """One spelling of an opcode."""

    path: str
    opcode: tuple[str, ...]
    context: OpcodeWords
    registers: dict[str, int]
    """The number of registers of each operand."""
    target: str


@cache
def spellings(path: str) -> tuple[Spelling, ...]:
    """The spellings of a page that differ in their opcodes, each for the first target that accepts it."""
    return tuple(_spellings(path))


def _spellings(path: str) -> Iterator[Spelling]:
    page = next(one for one in catalogue().instructions if one.path == path)
    newest, chance, seen = catalogue().vocabulary.newest_version, random.Random(1), set()
    for target in _TARGETS:
        module = language_level(newest, target, AcceptancePolicy.LATEST)
        for form in (form for forms in page.prepared.values() for form in forms):
            if not module.allows_all(form.form.gates):
                continue
            for values in solutions(form, module):
                opcode = tuple(
                    word for word, slot in zip(values, form.slots, strict=True)
                    if word and slot.kind <= PlaceKind.QUALIFIER
                )  # fmt: skip
                sample = sample_of(form, values, module, chance) if opcode not in seen else None
                if sample is None:
                    continue
                seen.add(opcode)
                names = [operand.name for operand in form.form.operands]
                counts = {
                    name: len(written.parts) if written.kind == "vector" else 1
                    for name, written in zip(names, sample.operands, strict=False)
                }
                said = [(slot.name, value) for slot, value in zip(form.slots, values, strict=True)]
                yield Spelling(path, opcode, context_of(said), counts, str(target))
