"""Golden files and the pages of rules say of PTX what ptxas says of it.

What is an error here is one for ptxas on the same line, whatever stands on the other lines, when it checks or when it
generates code that can be linked; what is none here ptxas takes when it checks; and the lines ``// ptxas: …`` quote
it. Where lines hang together (a brace, a function's head), only the snippet as a whole is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from inspect import cleandoc
from pathlib import Path

import annotated
import pytest
from asked import ask, judge

from ptx_lsp.checks import all_checks
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity

GOLDEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))
_FENCE = re.compile(r"(?<=^```ptx\n)//-.*?(?=^```)", re.DOTALL | re.MULTILINE)
_QUOTE = re.compile(r"\s*// ptxas: (.*)")
_TAKEN = "accepts it"
NOWHERE = -1
"""Where messages without a line are kept."""
_NOT_ASKED = {"W604", "W603"}
"""Warnings of what this ptxas may refuse."""


def lines_of(diagnostic: Diagnostic, text: str) -> set[int]:
    """The lines that a finding speaks of."""
    also = [related.span for related in diagnostic.related if related.message.startswith("and here")]
    spans = [diagnostic.span, *also]
    return {text.count("\n", 0, span.start) for span in spans}


def without(text: str, lines: set[int]) -> str:
    """A text with some lines made empty."""
    return "\n".join("" if number in lines else line for number, line in enumerate(text.split("\n")))


def disagreements(ptxas: Path, source: str, found: list[Diagnostic]) -> list[str]:
    """Where ptxas says otherwise than a snippet; ``found`` is what we find in it."""
    snippet = annotated.read(source)
    text, first = snippet.text, snippet.first_line
    ours = {min(lines_of(one, text)) for one in found if one.severity is Severity.ERROR}
    touched = {line for one in found if one.severity is Severity.ERROR for line in lines_of(one, text)}
    doubtful = {line for one in found if one.code in _NOT_ASKED for line in lines_of(one, text)}
    asked = without(text, doubtful - touched)
    whole = ask(ptxas, asked)
    wrong = []
    if not ours:
        if not whole.accepted:
            wrong = [f"ptxas refuses line {line - first + 1}: {said}" for line, said in whole.errors.items()]
        unsaid = (quote for _, quote in quotes(source) if not any(map(says(quote), [_TAKEN, *whole.warnings])))
        return [*wrong, *(f"ptxas does not say '{quote}'" for quote in unsaid)]
    whole = judge(ptxas, asked) if whole.accepted else whole
    if whole.accepted:
        return [f"ptxas takes what is an error in line {line - first + 1}" for line in sorted(ours)]
    said = dict(whole.errors)
    if len(touched) > 1 and judge(ptxas, without(asked, touched)).accepted:
        said = {}
        for line in sorted(ours):
            left = without(asked, touched - {line})
            alone = judge(ptxas, left)
            said[line] = [message for messages in alone.errors.values() for message in messages]
            if alone.accepted:
                wrong.append(f"ptxas takes line {line - first + 1}: {text.split(chr(10))[line]}")
            elif set(alone.errors) == {NOWHERE}:
                pass  # of pragmas, and of what it finds when it generates code, ptxas does not say where they stand
            elif not any(line <= at <= next_line(left, line) for at in alone.errors):
                wrong.append(f"ptxas refuses another line than {line - first + 1}: {alone.errors}")
    for line, quote in quotes(source):
        near = said.get(line + first, [])
        if near and line + first in ours:
            if not any(map(says(quote), near)):
                wrong.append(f"ptxas does not say '{quote}' of line {line + 1} but {near}")
        elif not any(map(says(quote), [*whole.warnings, *(one for messages in said.values() for one in messages)])):
            wrong.append(f"ptxas does not say '{quote}' but {said}")
    return wrong


def next_line(text: str, line: int) -> int:
    """The next line that is not empty or a comment, or the end: debug data that is wrong is noticed there."""
    lines = text.split("\n")
    code = (at for at in range(line + 1, len(lines)) if lines[at].strip() and lines[at].strip()[:2] != "//")
    return next(code, len(lines))


def says(quote: str) -> Callable[[str], bool]:
    """Whether a message is the quoted one; the name of the file and the line in it are others."""
    pattern = re.compile(re.sub(r"\d+$", r"\\d+", re.escape(quote)))
    return lambda message: pattern.match(message) is not None


def quotes(source: str) -> list[tuple[int, str]]:
    """What a snippet quotes, with the line of code above it."""
    at, found = 0, []
    for number, line in enumerate(source.strip("\n").split("\n")):
        quote = _QUOTE.fullmatch(line)
        if quote is not None:
            found.append((at, quote[1].strip()))
        elif not annotated.is_annotation(line):
            at = number
    return found


def assert_agreement(ptxas: Path, sources: list[str]) -> None:
    found = [check_text(annotated.read(source).text) for source in sources]  # only ptxas may run in threads
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda source, ours: disagreements(ptxas, source, ours), sources, found))
    shown = [f"{difference}\n{source}" for source, wrong in zip(sources, answers, strict=True) for difference in wrong]
    assert not shown, "\n".join(["", *shown])


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_file(path: Path, ptxas_13: Path) -> None:
    parts = re.split(r"^(?=//-)", path.read_text(), flags=re.MULTILINE)[1:]
    assert_agreement(ptxas_13, parts)


def test_pages_of_rules(ptxas_13: Path) -> None:
    hooks = [hook for check in all_checks() for hook in (check.check, check.check_function, check.check_module) if hook]
    pages = [cleandoc(hook.__doc__) for hook in hooks if hook.__doc__]
    assert_agreement(ptxas_13, [fence for page in pages for fence in _FENCE.findall(page)])
