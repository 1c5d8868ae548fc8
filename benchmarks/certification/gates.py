"""Do the gates of the pages open where ptxas opens?"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from benchmarks.certification.packing import answers
from benchmarks.certification.plan import GATE_TARGETS, sampled_modules, versions_of
from benchmarks.certification.releases import Release
from benchmarks.certification.table import Question, Table
from benchmarks.certification.writing import Writer, special_gates
from ptx_lsp.isa.build.samples import Sample, pairwise
from ptx_lsp.isa.match import accepts
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version


def ask_gates(
    instructions: Sequence[InstructionPage], release: Release, *, per_form: int, seed: int, jobs: int
) -> Table:
    """Sample every form, and compare at both ends of each target's versions and around each predicted change."""
    chance = random.Random(seed)
    asked: dict[tuple[str, str], list[Question]] = defaultdict(list)
    for instruction in instructions:
        for sample in samples_of(instruction, release, chance, per_form):
            statement = Writer().statement(sample.opcode, sample.operands)
            for target in GATE_TARGETS:
                for version, fits in _turning_points(sample, target, release):
                    kind = "at the gate" if fits else "outside the gate"
                    asked[str(version), target].append(Question(instruction.names[0], kind, statement, fits))
    table = Table()
    for (version, target), questions in asked.items():
        table.add(questions, answers(questions, version, target, release.path, jobs), version, target)
    return table


def samples_of(
    instruction: InstructionPage, release: Release, chance: random.Random, per_form: int
) -> Iterator[Sample]:
    """Samples of all forms of a page."""
    modules = sampled_modules(release)
    for forms in instruction.prepared.values():
        for form in forms:
            yield from itertools.islice(pairwise(form, modules, chance), per_form)


def _turning_points(sample: Sample, target: str, release: Release) -> Iterator[tuple[Version, bool]]:
    """The versions worth asking about, with our verdict."""
    versions = versions_of(target, release.newest)
    verdicts = [fits(sample, version, target, release) for version in versions]
    for at, (version, verdict) in enumerate(zip(versions, verdicts, strict=True)):
        neighbours = verdicts[max(0, at - 1) : at + 2]
        if at in (0, len(versions) - 1) or len(set(neighbours)) > 1:
            yield version, verdict


def fits(sample: Sample, version: Version, target: str, release: Release) -> bool:
    """Whether we say that a release takes a statement."""
    module = (version, Target.parse(target), release.name)
    special = special_gates(sample.operands)
    return accepts(sample.opcode, sample.operands, *module) and all(gate.allows(*module) for gate in special)
