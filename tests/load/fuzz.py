"""Programs of the pages, broken at random: ``python -m tests.load.fuzz [--seed N] [--bytes N] [--write]``.

A program is made of examples of pages in functions with declarations, then pieces of it are removed, repeated, moved
and replaced, and words exchanged. For each the findings, and what the features answer at a random place, must be the
same after edits and from the text alone; the findings also in shards and as a whole; the formatted text must have the
same findings by code and word; no error may be logged; and no check may take much longer than its length explains.
A difference is printed with its seed, and the text is written to a file. ``--write`` writes the figures into
``docs/reliability.md``.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.shard_findings import merged, shard_findings
from ptx_lsp.features.formatting import formatted
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.documents.shards import divide
from ptx_lsp.text import Span

from ..features.test_after_edits import answers
from ..model.report import PROGRAMS, write_run

PAGES = Path(__file__).parents[2] / "grammar" / "isa"
SETTINGS = Settings()
LIMIT = SETTINGS.max_diagnostics
SLOW = 2.0
"""CPU seconds from which on the growth of a check is measured; its text has some thousand characters."""
MARKS = [*"{}[]()<>;:,.@!%+-*/ \n", '"', "/*", "*/", "//", "\r\n", "é", "\0", "0x", "1e9", ".reg .b32 x;\n", "L:\n"]
HEAD = """.version 8.0
.target sm_90a
.address_size 64
"""
OBJECTS = (
    ".global .align 4 .b8 data{0}[64];\n",
    ".const .u32 size{0} = 3;\n",
    ".extern .shared .align 16 .b8 dynamic{0}[];\n",
    ".extern .func (.param .b32 r) outside{0}(.param .b64 a);\n",
)
"""Declarations of modules, with a place for a number."""
REGISTERS = (
    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<9>; .reg .f64 %fd<9>;\n"
    ".shared .align 16 .b8 tile[1024]; .reg .b128 %rq<3>;\n"
)


@cache
def statements() -> tuple[str, ...]:
    """The statements of all examples on the pages of instructions."""
    found = []
    for page in sorted(PAGES.rglob("*.md")):
        for example in re.findall(r"```ptx\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            found += [line.strip() for line in example.splitlines() if re.match(r"\s*[@a-z].*;$", line)]
    return tuple(dict.fromkeys(found))


def program(choose: random.Random) -> str:
    """A program without syntax errors."""
    functions = [choose.choice(OBJECTS).format(number) for number in range(choose.randrange(3))]
    for number in range(choose.randrange(1, 6)):
        lines = choose.choices(statements(), k=choose.randrange(2, 40))
        for label in range(choose.randrange(4)):
            lines.insert(choose.randrange(len(lines)), f"L{label}: @%p{label} bra L{choose.randrange(4)};")
        if choose.random() < 0.2:
            lines.insert(choose.randrange(len(lines)), "TABLE: .branchtargets L0, L1;\nbrx.idx %r1, TABLE;")
        head = choose.choice([f".visible .entry k{number}(.param .u64 p)", f".func f{number}(.reg .b32 a)"])
        functions.append(f"{head}\n{{\n{REGISTERS}" + "\n".join(lines) + "\nret;\n}\n")
    return HEAD + "".join(functions)


def breaks(choose: random.Random, text: str) -> Iterator[tuple[Span, str]]:
    """Edits that break a text, each for the text as it is after those before."""
    words = list(re.finditer(r"[%$.\w]+", text)) if choose.random() < 0.5 else []
    exchanged = sorted(choose.sample(words, min(len(words), choose.randrange(4))), key=re.Match.start, reverse=True)
    for word in exchanged:  # from the last to the first, so that the places of the others stay
        span, new = Span(*word.span()), choose.choice(words)[0]
        yield span, new
        text = text[: span.start] + new + text[span.end :]
    for _ in range(choose.randrange(1 - bool(exchanged), 8)):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 0, 1, 1, 3, 20, 200]))
        other = choose.randrange(len(text) + 1)
        new = choose.choice(["", choose.choice(MARKS), text[other : other + choose.choice([2, 30, 300])]])
        if choose.random() < 0.05:
            new *= 200
        yield Span(start, end), new
        text = text[:start] + new + text[end:]


def in_shards(text: str) -> object:
    """The findings of two shards; None if the text cannot be checked so."""
    division = divide(text, 2)
    if division is None:
        return None
    return merged(division, [shard_findings(division, one, SETTINGS) for one in range(len(division.runs))], SETTINGS)


def words_of(text: str) -> Counter[tuple[str, str]]:
    """The codes of errors and warnings, with the words at which they are."""
    shown = Checker(text, SETTINGS).findings().shown
    return Counter((one.code, "".join(text[slice(*one.span)].split())) for one in shown if one.severity < 3)


class LoggedErrors(logging.Handler):
    """Collects the errors that are logged while it is entered."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message of a record, and the error that it is about."""
        self.messages.append(f"{record.getMessage()}: {record.exc_info and record.exc_info[1]!r}")

    def __enter__(self) -> LoggedErrors:
        """Begin to collect."""
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Collect no more."""
        logging.getLogger().removeHandler(self)


class Case:
    """The program of a seed, and its checks."""

    def __init__(self, seed: int) -> None:
        self._choose = random.Random(seed)
        self.text = program(self._choose)

    def differences(self) -> Iterator[str]:
        """What is wrong; the text is broken meanwhile."""
        checker = Checker(self.text, SETTINGS)
        for span, new in breaks(self._choose, self.text):
            checker.edit(span, new)
            self.text = self.text[: span.start] + new + self.text[span.end :]
            checker.findings(LIMIT, at_once=False)
        text = self.text
        begin = time.process_time()
        whole = Checker(text, SETTINGS).findings(LIMIT)
        seconds = time.process_time() - begin
        if checker.findings(LIMIT) != whole:
            yield "edited and fresh differ"
        found = in_shards(text)
        if found is not None and found != whole:
            yield "in shards and as a whole differ"
        if words_of(text) != words_of(formatted(text)):
            yield "formatted and as written differ"
        if seconds > SLOW:
            yield f"{seconds:.1f} s for {len(text)} characters"
        for function in checker.module.functions:
            if function.has_body and self._choose.random() < 0.5:  # what was asked before must not show
                checker.semantics.flow(function).expressions  # noqa: B018  # made by the question
        answers(checker, text, self._choose.randrange(len(text) + 1))
        offset = self._choose.randrange(len(text) + 1)
        answered = answers(checker, text, offset)
        for feature, answer in answers(Checker(text, SETTINGS), text, offset).items():
            if answered[feature] != answer:
                yield f"{feature} at {offset} after edits and from the text differs"


def differences(seed: int) -> Iterator[tuple[str, str]]:
    """What is wrong with the case of a seed, and the text that shows it; the last pair has no words."""
    case = Case(seed)
    with LoggedErrors() as logged:
        try:
            for what in case.differences():
                yield what, case.text
        except Exception:  # noqa: BLE001  # whatever raises is a failure with its seed
            yield traceback.format_exc(), case.text
    for message in logged.messages:
        yield f"an error was logged: {message}", case.text
    yield "", case.text


def main() -> int:
    """Run seeds until so many bytes are checked."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--write", action="store_true", help="write the figures to docs/reliability.md")
    arguments = parser.parse_args()
    seed, done, failures = arguments.seed, 0, 0
    while done < arguments.bytes:
        for what, text in differences(seed):
            if what:
                failures += 1
                with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False, encoding="utf-8") as kept:
                    kept.write(text)
                print(f"seed {seed}: {what}: {kept.name}", flush=True)
            else:
                done += len(text.encode())
        seed += 1
    print(f"seeds {arguments.seed} to {seed - 1}, {done} bytes, {failures} differences")
    if arguments.write:
        write_run(PROGRAMS, (f"{arguments.seed}",), (seed - arguments.seed, done, failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
