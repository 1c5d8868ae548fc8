"""Does every word that completion offers lead to a statement that ptxas takes, and is none missing?

A prefix is what is written of an opcode in a module. From each word that is offered behind it whole statements are
made, and ptxas must take one of them. Statements are also made from words that the pages list but do not offer in that
module. Of a whole statement that ptxas takes, every word must be offered behind those before it, and behind the last
one the opcode must count as complete.
"""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.certification.packing import accepted
from benchmarks.certification.prefixes import Prefix, Spelling, sampled
from benchmarks.certification.releases import Release
from benchmarks.certification.table import Question, Table
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import LanguageLevel

_TRIES = (1, 4, 15)
"""How many statements an offer is followed to in each round, as long as ptxas has taken none."""
_END = ";"
"""Stands for "nothing more" among the words that can come next."""


class Completions(Table):
    """Verdicts on offers: what leads nowhere, and what is missing."""

    def __init__(self) -> None:
        super().__init__()
        self.prefixes: Counter[str] = Counter()
        self.offers: Counter[str] = Counter()

    def lines(self, *, by_kind: bool = False) -> list[str]:  # noqa: ARG002
        """A Markdown table with a line for each page, and one for all."""
        nowhere = Counter(one.question.page for one in self.disagreements if one.question.ours)
        missing = Counter(one.question.page for one in self.disagreements if not one.question.ours)
        columns = (self.prefixes, self.offers, nowhere, missing)
        pages = sorted(set().union(*columns))
        rows = [(page, *(f"{column[page]:,}" for column in columns)) for page in pages]
        rows.append(("**total**", *(f"{column.total():,}" for column in columns)))
        return [
            "| page | prefixes | offers | lead nowhere | missing |",
            "|---|---|---|---|---|",
            *(f"| {' | '.join(row)} |" for row in rows),
        ]

    def speed(self) -> str:
        """How long completion takes, in words."""
        times = sorted(self.times)
        if not times:
            return ""
        median, most = times[len(times) // 2], times[len(times) * 99 // 100]
        return (
            f"Completion after a new prefix takes {median * 1e3:.2f} ms (median), 99 % up to {most * 1e3:.1f} ms, "
            f"the slowest {times[-1] * 1e3:.0f} ms."
        )


class _Offer:
    """A word offered behind a prefix, and the statements that it leads to."""

    def __init__(self, prefix: Prefix, word: str, chance: random.Random) -> None:
        self.leads_somewhere = False
        self._page = prefix.page
        self._kind = f"{''.join(prefix.opcode)} + {word}"
        longer = prefix if word == _END else prefix._replace(opcode=(*prefix.opcode, word))
        self._endings = longer.endings(chance, finished=word == _END)
        self._last: Spelling | None = None

    def follow(self, count: int) -> list[str]:
        """Further statements."""
        found = list(itertools.islice(self._endings, count))
        self._last = found[-1] if found else self._last
        return [spelling.text for spelling in found]

    def question(self) -> Question:
        """With the statement that was asked about last, and its page."""
        if self._last is None:
            return Question(self._page, self._kind, "no statement fits", ours=True)
        return Question(self._last.page, self._kind, self._last.text, ours=True)


def ask_completions(
    instructions: Sequence[InstructionPage], release: Release, *, prefixes: int, seed: int, jobs: int
) -> Completions:
    """Cut spellings of all pages to prefixes, follow what is offered behind these, and look for what is not."""
    chance = random.Random(seed)
    asked = sampled(instructions, release, prefixes, chance)
    table = Completions()
    offered: dict[LanguageLevel, list[_Offer]] = defaultdict(list)
    spelled: dict[LanguageLevel, list[Spelling]] = defaultdict(list)
    for prefix, spelling in asked.items():
        start = time.perf_counter()
        words = prefix.offers()
        table.times.append(time.perf_counter() - start)
        if prefix.is_complete():
            words = (*words, _END)
        table.prefixes[prefix.page] += 1
        table.offers[prefix.page] += len(words)
        offered[prefix.module] += [_Offer(prefix, word, chance) for word in words]
        spelled[prefix.module] += [spelling, *prefix.withheld(chance)]
    for module, offers in offered.items():
        _follow(table, offers, module, release.path, jobs)
    for module, spellings in spelled.items():
        _look_for_missing(table, spellings, module, release.path, jobs)
    return table


def _follow(table: Table, offers: Sequence[_Offer], module: LanguageLevel, ptxas: str, jobs: int) -> None:
    """Follow every offer until ptxas takes what it leads to."""
    todo = offers
    for count in _TRIES:
        tried = [(offer, text) for offer in todo for text in offer.follow(count)]
        answers = _accepted([text for _, text in tried], module, ptxas, jobs)
        for (offer, _), taken in zip(tried, answers, strict=True):
            offer.leads_somewhere |= taken
        todo = [offer for offer in todo if not offer.leads_somewhere]
    answers = [offer.leads_somewhere for offer in offers]
    table.add([offer.question() for offer in offers], answers, str(module.version), str(module.target))


def _look_for_missing(
    table: Table, spellings: Sequence[Spelling], module: LanguageLevel, ptxas: str, jobs: int
) -> None:
    """Of each statement that ptxas takes: is every word offered behind those before it?"""
    answers = _accepted([spelling.text for spelling in spellings], module, ptxas, jobs)
    questions = [
        question for spelling, taken in zip(spellings, answers, strict=True) if taken for question in _steps(spelling)
    ]
    table.add(questions, [True] * len(questions), str(module.version), str(module.target))


def _steps(spelling: Spelling) -> Iterator[Question]:
    """Whether each word of an opcode is offered behind those before it, and whether it may end."""
    page, opcode, text, module = spelling
    for end in range(1, len(opcode)):
        prefix = Prefix(page, opcode[:end], module)
        yield Question(page, f"{''.join(prefix.opcode)} + {opcode[end]}", text, opcode[end] in prefix.offers())
    yield Question(page, f"{''.join(opcode)} + {_END}", text, Prefix(page, opcode, module).is_complete())


def _accepted(texts: Iterable[str], module: LanguageLevel, ptxas: str, jobs: int) -> list[bool]:
    return accepted(list(texts), str(module.version), str(module.target), ptxas, jobs)
