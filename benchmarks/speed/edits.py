"""Edits as people make them, and the worst ones; each with the time until the findings are there again."""

from __future__ import annotations

import re
import time
from random import Random

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.text import Span

LIMIT = 1000
"""Findings that an editor is sent at most."""

_DIGIT = re.compile(r"\d(?=[,;\]])")
_COUNT = re.compile(r"(?<=<)\d+(?=>)")
_STATEMENT = "add.s32 \t%r1, %r2, 1;"
_MARKS = ("{", "}", '"', "/*", "*/", ";", "(", "L:", ".entry f()", "=")


def random_edit(checker: Checker, random: Random, within: int | None = None) -> list[float]:
    """Type a digit, delete a line, or type a statement letter by letter, and undo it; the seconds of each.

    ``within`` limits the place to the first characters of the text.
    """
    document = checker.document
    offset = random.randrange((within or document.length) - 2000)
    near = document.slice(Span(offset, offset + 2000))
    line = near.find("\n") + 1
    kind = random.randrange(3)
    if kind == 0 and (digit := _DIGIT.search(near, line)):
        return _there_and_back(checker, Span(offset + digit.start(), offset + digit.end()), random.choice("0123456789"))
    if kind == 1:  # a line deleted
        return _there_and_back(checker, Span(offset + line, offset + near.find("\n", line) + 1), "")
    return _typed(checker, offset + line)


def random_mark(checker: Checker, random: Random) -> list[float]:
    """Put a mark that changes what follows into some line and take it away again; the seconds of both."""
    place = random.randrange(checker.document.length)
    return _there_and_back(checker, Span(place, place), random.choice(_MARKS))


def open_comment(checker: Checker) -> list[float]:
    """Open a comment in the middle and take it away again."""
    document = checker.document
    middle = document.length // 2
    place = middle + document.slice(Span(middle, middle + 2000)).find("\n") + 1
    return _there_and_back(checker, Span(place, place), "/*")


def change_register_count(checker: Checker) -> list[float]:
    """Declare fewer registers at the first ``.reg`` of the text."""
    found = _COUNT.search(checker.document.slice(Span(0, min(checker.document.length, 20_000))))
    if found is None:
        return []
    return _there_and_back(checker, Span(*found.span()), str(int(found[0]) - 1))


def _there_and_back(checker: Checker, span: Span, text: str) -> list[float]:
    before = checker.document.slice(span)
    return [_timed(checker, span, text), _timed(checker, Span(span.start, span.start + len(text)), before)]


def _typed(checker: Checker, place: int) -> list[float]:
    samples = [_timed(checker, Span(at, at), letter) for at, letter in enumerate(_STATEMENT, place)]
    samples.append(_timed(checker, Span(place, place + len(_STATEMENT)), ""))
    return samples


def _timed(checker: Checker, span: Span, text: str) -> float:
    begin = time.perf_counter()
    checker.edit(span, text)
    checker.diagnostics(LIMIT)
    return time.perf_counter() - begin
