"""Does ptxas make the same machine code with and without each word that is called meaningless or doubled?

What ``W601`` and ``W602`` offer to delete must change nothing. The words are put into right statements, wherever the
warning comes of it, and both statements are compiled: with operands that are loaded and results that are stored.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks import assembler
from benchmarks.certification.kernels import compiled, empty
from benchmarks.certification.plan import CODE_TARGETS, OLD_CODE, versions_of
from benchmarks.certification.releases import Release
from benchmarks.certification.table import Question, Table
from benchmarks.certification.writing import Writer
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.context import Context, context
from ptx_lsp.isa.instruction import Instruction
from ptx_lsp.isa.match import Problem, accepts, match
from ptx_lsp.isa.prepared import PreparedForm
from ptx_lsp.isa.samples import Sample, pairwise
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version

EVERYWHERE, HERE, LAST, TWICE = "on all pages", "on a page", "at the end", "written twice"
_PLACES = 2
"""At how many places before the end a word of a form is written."""
_SHARED = 8
"""How many of the words that are ignored on all pages are written into each sample."""


class Pair(NamedTuple):
    """A statement, with and without a word that the checker offers to delete."""

    page: str
    kind: str
    word: str
    text: str
    without: str
    module: Context


class Codes(Table):
    """Verdicts on words: does the code stay the same without them?"""

    def __init__(self) -> None:
        super().__init__()
        self.words: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        """For each kind the words, each with its page."""
        self.refused: list[Pair] = []
        """What ptxas does not ignore, but refuses: to delete the word is right."""
        self.silent: list[Pair] = []
        """Where ptxas generates no code for the instruction itself, so that there is nothing to compare."""

    def lines(self, *, by_kind: bool = False) -> list[str]:  # noqa: ARG002
        """A Markdown table with a line for each kind of words, and one for all; then what could not be compared."""
        refused, silent = (Counter(pair.kind for pair in pairs) for pairs in (self.refused, self.silent))
        rows = [
            (len(words), self.kinds[kind].total(), self.kinds[kind][True, False], refused[kind], silent[kind])
            for kind, words in sorted(self.words.items())
        ]
        total = [sum(column) for column in zip(*rows, strict=True)]
        return [
            "| words | asked | comparisons | other code | refused with the word | not compared |",
            "|---|---|---|---|---|---|",
            *(
                f"| {name} | {' | '.join(f'{number:,}' for number in row)} |"
                for name, row in zip([*sorted(self.words), "**all**"], [*rows, total], strict=True)
            ),
            *_pages("Refused with the word", self.refused),
            *_pages("Not compared, since the instruction leaves no code", self.silent),
        ]


def _pages(what: str, pairs: Sequence[Pair]) -> list[str]:
    """A paragraph that says on which pages something was found."""
    pages = Counter(pair.page for pair in pairs)
    return ["", f"{what}: {', '.join(f'{page} ({count})' for page, count in sorted(pages.items()))}."] if pages else []


def ask_meaningless(
    instructions: Sequence[Instruction],
    release: Release,
    *,
    per_form: int,
    seed: int,
    jobs: int,
    targets: Sequence[str] = CODE_TARGETS,
) -> Codes:
    """Compare the code of so many samples of every form on each target."""
    chance = random.Random(seed)
    asked: dict[Context, list[Pair]] = defaultdict(list)
    for instruction in instructions:
        for forms in instruction.prepared.values():
            for form in forms:
                for sample in _samples(form, release, chance, per_form, targets):
                    asked[sample.module] += _pairs(instruction, form, sample, release, chance)
    table = Codes()
    for module, pairs in asked.items():
        _compare(table, pairs, module, release, jobs)
    return table


def _samples(
    form: PreparedForm, release: Release, chance: random.Random, per_form: int, targets: Sequence[str]
) -> list[Sample]:
    """Samples for each target, with its newest version; of what no new version has, some for an old one."""
    found: list[Sample] = []
    for target in targets:
        versions = versions_of(target, release.newest)
        if versions and assembler.generates(target, release.path):
            module = context(versions[-1], Target.parse(target), release.name)
            found += itertools.islice(pairwise(form, (module,), chance), per_form)
    old = [context(Version.parse(version), Target.parse(target), release.name) for version, target in OLD_CODE]
    return found or list(itertools.islice(pairwise(form, old, chance), per_form))


def _pairs(
    instruction: Instruction, form: PreparedForm, sample: Sample, release: Release, chance: random.Random
) -> Iterator[Pair]:
    """A sample with each word at some of the places where the checker offers to delete it."""
    for kind, word, at in _insertions(form, sample, chance):
        opcode = (*sample.opcode[:at], word, *sample.opcode[at:])
        if _is_deleted(opcode, sample, at, kind, release):
            text, without = (Writer().statement(one, sample.operands) for one in (opcode, sample.opcode))
            yield Pair(instruction.names[0], kind, word, text, without, sample.module)


def _insertions(form: PreparedForm, sample: Sample, chance: random.Random) -> Iterator[tuple[str, str, int]]:
    """Kinds, words and places: a form's own words at the end and at some places before, some shared ones at one."""
    end = len(sample.opcode)
    shared = catalogue().shared
    here = {word for group in form.form.meaningless for word in group.words}
    last = {word for group in form.form.trailing for word in group.words}
    for kind, words in ((HERE, here), (LAST, last)):
        for word in sorted(words):
            for at in (*chance.sample(range(1, end), min(end - 1, _PLACES)), end):
                yield kind, word, at
    for word in dict.fromkeys(sample.opcode[1:]):
        if word in shared.repeatable:
            yield TWICE, word, end
    for word in chance.sample(sorted(shared.meaningless), _SHARED):
        yield EVERYWHERE, word, chance.randint(1, end)


def _is_deleted(opcode: tuple[str, ...], sample: Sample, at: int, kind: str, release: Release) -> bool:
    """Whether we say that the release takes a statement, and offer to delete the word at this place."""
    asked = (opcode, sample.operands, sample.module.version, sample.module.target)
    if kind != EVERYWHERE and not accepts(*asked, release.name):
        return False
    found = match(*asked)
    problem = Problem.DOUBLED if kind == TWICE else Problem.MEANINGLESS
    return found is not None and [note.qualifier for note in found.notes if note.problem is problem] == [at]


def _compare(table: Codes, pairs: Sequence[Pair], module: Context, release: Release, jobs: int) -> None:
    where = (str(module.version), str(module.target))
    texts = [text for pair in pairs for text in (pair.text, pair.without, empty(pair.without))]
    codes = compiled(texts, *where, release.path, jobs)
    for pair in pairs:
        table.words[pair.kind].add((pair.page, pair.word))
        one, other, nothing = (codes.get(text) for text in (pair.text, pair.without, empty(pair.without)))
        if other is None or other == nothing:
            table.silent.append(pair)
        elif one is None:
            table.refused.append(pair)
        else:
            same = one == other or _alone(pair.text, *where, release) == _alone(pair.without, *where, release)
            table.add([Question(pair.page, pair.kind, f"{pair.word} in {pair.text}", ours=True)], [same], *where)


def _alone(text: str, version: str, target: str, release: Release) -> bytes | None:
    """The code of a statement in a module of its own."""
    return compiled([text], version, target, release.path).get(text)
