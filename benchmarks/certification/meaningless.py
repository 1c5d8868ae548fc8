"""Does ptxas make the same machine code with and without each word that is called meaningless or doubled?

What ``W601`` and ``W602`` offer to delete must change nothing. The words are put into right statements, wherever the
warning comes of it, and both statements are compiled: with operands that are loaded and results that are stored.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from benchmarks import assembler
from benchmarks.certification.kernels import compiled, empty
from benchmarks.certification.plan import CODE_TARGETS, OLD_CODE, versions_of
from benchmarks.certification.releases import Release
from benchmarks.certification.table import Question, Table
from benchmarks.certification.writing import Writer
from ptx_lsp.isa.build.samples import Sample, pairwise
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import accepts, match
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import LanguageLevel, language_level
from ptx_lsp.isa.model.match_result import Problem
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

EVERYWHERE, HERE, LAST, TWICE = "on all pages", "on a page", "at the end", "written twice"
_PLACES = 2
"""At how many places before the end a word of a form is written."""
_TRIES = 4
"""How many samples are drawn for each that is wanted, since some leave no code."""
_REPEATED = 8
"""How often two statements are compiled whose codes differ."""
_SHARED = 8
"""How many of the words that are ignored on all pages are written into each sample."""


class Pair(NamedTuple):
    """A statement, with and without a word that the checker offers to delete."""

    page: str
    kind: str
    word: str
    text: str
    without: str


class Codes(Table):
    """Verdicts on words: does the code stay the same without them?"""

    ONLY_OURS = "other code without it"

    def __init__(self) -> None:
        super().__init__()
        self.words: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        """For each kind the words, each with its page."""
        self.refused: list[tuple[Pair, tuple[str, str]]] = []
        """What ptxas does not ignore, but refuses, and in which module: to delete the word is right all the same."""
        self.silent: list[tuple[_Drawn, tuple[str, str]]] = []
        """The forms of which no sample leaves code of its own, and in which module."""

    def lines(self, *, by_kind: bool = False) -> list[str]:  # noqa: ARG002
        """A Markdown table with a line for each kind of words, and one for all; then what could not be compared."""
        refused = Counter(pair.kind for pair, _ in self.refused)
        rows = [
            (len(words), self.kinds[kind].total(), self.kinds[kind][True, False], refused[kind])
            for kind, words in sorted(self.words.items())
        ]
        total = [sum(column) for column in zip(*rows, strict=True)]
        return [
            "| ignored | words | comparisons | other code | refused with the word |",
            "|---|---|---|---|---|",
            *(
                f"| {name} | {' | '.join(f'{number:,}' for number in row)} |"
                for name, row in zip([*sorted(self.words), "**total**"], [*rows, total], strict=True)
            ),
            *_pages("Refused with the word", (pair.page for pair, _ in self.refused)),
            *_pages(
                "Not compared, because no sample of a form produces code on a target",
                (drawn.instruction.names[0] for drawn, _ in self.silent),
            ),
        ]


def _pages(what: str, pages: Iterable[str]) -> list[str]:
    """A paragraph that says how often something was found on which pages."""
    counted = sorted(Counter(pages).items())
    return ["", f"{what}: {', '.join(f'{page} ({count})' for page, count in counted)}."] if counted else []


def ask_meaningless(
    instructions: Sequence[InstructionPage],
    release: Release,
    *,
    per_form: int,
    seed: int,
    jobs: int,
    targets: Sequence[str] = CODE_TARGETS,
) -> Codes:
    """Compare the code of so many samples of every form on each target."""
    chance = random.Random(seed)
    drawn: dict[LanguageLevel, list[list[_Drawn]]] = defaultdict(list)
    for instruction in instructions:
        for form in (form for forms in instruction.prepared.values() for form in forms):
            for module, samples in _samples(form, release, chance, per_form, targets):
                drawn[module].append([_Drawn(instruction, form, sample) for sample in samples])
    table = Codes()
    for module, of_forms in drawn.items():
        where = (str(module.version), str(module.target))
        traces = _traces([one for group in of_forms for one in group], where, release, jobs)
        pairs = []
        for group in of_forms:
            kept = [one for one in group if one.text in traces][:per_form]
            pairs += [pair for one in kept for pair in _pairs(one, release, chance)]
            if not kept:
                table.silent.append((group[0], where))
        _compare(table, pairs, where, release, jobs)
    return table


class _Drawn(NamedTuple):
    """A sample of a form."""

    instruction: InstructionPage
    form: PreparedForm
    sample: Sample

    @property
    def text(self) -> str:
        return Writer().statement(self.sample.opcode, self.sample.operands)


def _samples(
    form: PreparedForm, release: Release, chance: random.Random, per_form: int, targets: Sequence[str]
) -> Iterator[tuple[LanguageLevel, list[Sample]]]:
    """More samples than are wanted for each target, with its newest version; what no new version has for an old one."""
    found = False
    new = [
        language_level(versions_of(target, release.newest)[-1], Target.parse(target), release.name)
        for target in targets
        if assembler.generates(target, release.path)
    ]
    old = [language_level(Version.parse(version), Target.parse(target), release.name) for version, target in OLD_CODE]
    for modules in (new, old):
        for module in modules if not found else ():
            samples = list(itertools.islice(pairwise(form, (module,), chance), _TRIES * per_form))
            if samples:
                found = True
                yield module, samples


def _traces(drawn: Sequence[_Drawn], where: tuple[str, str], release: Release, jobs: int) -> set[str]:
    """The statements that ptxas generates code for, other than that of nothing in their place."""
    texts = [one.text for one in drawn]
    codes = compiled([text for one in texts for text in (one, empty(one))], *where, release.path, jobs)
    return {text for text in texts if codes.get(text) not in (None, codes.get(empty(text)))}


def _pairs(drawn: _Drawn, release: Release, chance: random.Random) -> Iterator[Pair]:
    """A sample with each word at some of the places where the checker offers to delete it."""
    instruction, form, sample = drawn
    for kind, word, at in _insertions(form, sample, chance):
        opcode = (*sample.opcode[:at], word, *sample.opcode[at:])
        if _is_deleted(opcode, sample, at, kind, release):
            yield Pair(instruction.names[0], kind, word, Writer().statement(opcode, sample.operands), drawn.text)


def _insertions(form: PreparedForm, sample: Sample, chance: random.Random) -> Iterator[tuple[str, str, int]]:
    """Kinds, words and places: a form's own words at the end and at some places before, some shared ones at one."""
    end = len(sample.opcode)
    first = 1 + form.name_of("".join(sample.opcode)).count(".")
    shared = catalogue().shared
    here = {word for group in form.form.meaningless for word in group.words}
    last = {word for group in form.form.trailing for word in group.words}
    for kind, words in ((HERE, here), (LAST, last)):
        for word in sorted(words):
            for at in (*chance.sample(range(first, end), min(end - first, _PLACES)), end):
                yield kind, word, at
    for word in dict.fromkeys(sample.opcode[1:]):
        if word in shared.repeatable:
            yield TWICE, word, end
    for word in chance.sample(sorted(shared.meaningless), _SHARED):
        yield EVERYWHERE, word, chance.randint(first, end)


def _is_deleted(opcode: tuple[str, ...], sample: Sample, at: int, kind: str, release: Release) -> bool:
    """Whether we say that the release takes a statement, and offer to delete the word at this place."""
    asked = (opcode, sample.operands, sample.module.version, sample.module.target)
    if kind != EVERYWHERE and not accepts(*asked, release.name):
        return False
    found = match(*asked)
    problem = Problem.DOUBLED if kind == TWICE else Problem.MEANINGLESS
    return found is not None and [note.qualifier for note in found.notes if note.problem is problem] == [at]


def _compare(table: Codes, pairs: Sequence[Pair], where: tuple[str, str], release: Release, jobs: int) -> None:
    codes = compiled([text for pair in pairs for text in (pair.text, pair.without)], *where, release.path, jobs)
    for pair in pairs:
        table.words[pair.kind].add((pair.page, pair.word))
        one, other = codes.get(pair.text), codes.get(pair.without)
        if one is None:
            table.refused.append((pair, where))
        else:
            same = one == other or bool(_alone(pair.text, where, release) & _alone(pair.without, where, release))
            table.add([Question(pair.page, pair.kind, f"{pair.word} in {pair.text}", ours=True)], [same], *where)


def _alone(text: str, where: tuple[str, str], release: Release) -> set[bytes | None]:
    """The codes of a statement in a module of its own: of some, ptxas makes one of several at random."""
    return {compiled([text], *where, release.path).get(text) for _ in range(_REPEATED)}
