"""Suppression comments: comments that silence findings locally.

``// ptx-lsp: ignore[E502]`` silences its own line if code precedes it, else the next
line; ``// ptx-lsp: ignore-file[E502, newer-target]`` silences the whole file from any
line. Without brackets all codes are silenced.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Generator, Iterable, Iterator
from functools import cache
from itertools import count

from ptx_lsp import codes
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion, without_pauses
from ptx_lsp.text import Span

MARK = "ptx-lsp:"
_REST = r"[ \t]*+ptx-lsp:[ \t]*+(?P<verb>[\w-]*+)[ \t]*+(?P<list>\[(?P<codes>[^\]\r\n]*+)\]?)?[^\r\n]*+"
_WORD = re.compile(r"[^\s,]++")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Passage(NamedTuple):
    """Some whole lines of a text."""

    start: int
    """Their offset."""
    text: str


class Suppressions:
    """The codes that the comments of a text silence, for the whole text and by line."""

    def __init__(self) -> None:
        self.everywhere: frozenset[str] = frozenset()
        """Codes silenced in the whole text."""
        self.starts: list[int] = []
        """The start offsets of the lines with silenced codes, ascending."""
        self.lines: list[tuple[int, frozenset[str]]] = []
        """The end offset of each of these lines, and the codes silenced in it."""

    def silences(self, code: str, start: int) -> bool:
        """Whether a code is silenced at the start offset of a finding."""
        if code in self.everywhere:
            return True
        nearest = bisect_right(self.starts, start) - 1
        if nearest < 0:
            return False
        end, numbers = self.lines[nearest]
        return start < end and code in numbers

    def add(self, line: Span, numbers: frozenset[str]) -> None:
        """Silence ``numbers`` in ``line``; lines are added in ascending order, repeats allowed."""
        if self.starts and self.starts[-1] == line.start:
            numbers |= self.lines.pop()[1]
        else:
            self.starts.append(line.start)
        self.lines.append((line.end, numbers))


def apply(text: str, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings that are not silenced by a comment of ``text``, and a hint for each comment with an unknown code.

    Linear in the length of the text; a text without such a comment costs one substring search.
    """
    if MARK not in text:
        return list(diagnostics)
    kept = without_pauses(applied([Passage(0, text)], find(text), diagnostics))
    return sorted(kept, key=lambda diagnostic: diagnostic.span)


def applied(
    passages: Iterable[Passage], suppressions: Suppressions, diagnostics: Iterable[Diagnostic]
) -> Iterator[Diagnostic | None]:
    """As :func:`apply` in any order and with pauses, given the lines with such comments and what they silence."""
    for one in diagnostics:
        yield None if suppressions.silences(one.code, one.span.start) else one
    unknown = count()
    for passage in passages:
        for found in _unknown_codes(passage, "//", (), unknown):
            yield None if found is None or suppressions.silences(found.code, found.span.start) else found


def reading(passages: Iterable[Passage], opener: str = "//") -> Generator[None, None, Suppressions]:
    """Read the suppression comments of passages, which are in ascending order, in steps of a few comments.

    ``opener`` begins a comment to the end of the line.
    """
    found = Suppressions()
    for passage in passages:
        yield from _reading(passage, found, opener)
    return found


def find(text: str, opener: str = "//") -> Suppressions:
    """Read the suppression comments of ``text``; ``opener`` begins a comment to the end of the line."""
    found = Suppressions()
    run_to_completion(_reading(Passage(0, text), found, opener))
    return found


@cache
def _comments(opener: str) -> re.Pattern[str]:
    return re.compile(re.escape(opener) + _REST)


def _reading(passage: Passage, found: Suppressions, opener: str = "//") -> Generator[None, None, None]:
    """Add the suppression comments of a passage."""
    start, text = passage
    known: dict[str | None, frozenset[str]] = {}
    line = 0
    for number, match in enumerate(_comments(opener).finditer(text), 1):
        if not number % _COMMENTS_IN_A_STEP:
            yield
        silenced = known.get(match["list"])
        if silenced is None:
            silenced = known[match["list"]] = yield from _silenced(match)
        if match["verb"] == "ignore-file":
            found.everywhere |= silenced
        elif match["verb"] == "ignore":
            line = _line_start(text, line, match.start())
            found.add(_line_covered(text, line, match).shifted(start), silenced)


_COMMENTS_IN_A_STEP = 32
_WORDS_IN_A_STEP = 2048
"""Of the codes in one comment."""


def _silenced(comment: re.Match[str]) -> Generator[None, None, frozenset[str]]:
    """The numbers of the codes in a comment; of all codes if it names none."""
    if not comment["list"]:
        return frozenset(codes.NAMES)
    found: set[str] = set()
    for place, word in enumerate(_WORD.finditer(comment["codes"] or ""), 1):
        found.update(codes.numbers(word[0]))
        if not place % _WORDS_IN_A_STEP:
            yield
    return frozenset(found)


def unknown_codes(text: str, opener: str = "//", verbs: Collection[str] = ()) -> Iterator[Diagnostic | None]:
    """A comment for ptx-lsp with an unknown directive or code.

    ```ptx
    add.s32 %r1, %r2, %r3;  // ptx-lsp: ignore[newer-taget]
    //                                         ^^^^^^^^^^^ hint[H902]
    ```

    The brackets contain numbers (`E502`), beginnings of numbers (`E5`) or names (`newer-target`). Before them, `ignore`
    applies to one line and `ignore-file` to the whole file. In sources with inline assembly `target` names targets.

    **Right:** `// ptx-lsp: ignore[newer-target]`

    **Fixes offered:** the code with the most similar spelling.
    """
    return _unknown_codes(Passage(0, text), opener, verbs, count())


_MOST_MEANT = 2000
"""Of so many unknown codes it is asked which one is meant: more are not shown."""


def _unknown_codes(
    passage: Passage, opener: str, verbs: Collection[str], unknown: Iterator[int]
) -> Iterator[Diagnostic | None]:
    """The unknown codes in a passage; ``unknown`` numbers those of all passages."""
    base, text = passage
    for number, match in enumerate(_comments(opener).finditer(text), 1):
        if not number % _COMMENTS_IN_A_STEP:
            yield None
        verb = match["verb"]
        if verb in verbs:
            continue
        if verb not in ("ignore", "ignore-file"):
            message = f"unknown '{verb}'; expected 'ignore[…]' or 'ignore-file[…]'"
            yield _unknown(message, Span(*match.span("verb")).shifted(base), "ignore")
            continue
        for place, word in enumerate(_WORD.finditer(match["codes"] or ""), 1):
            if not place % _WORDS_IN_A_STEP:
                yield None
            if codes.numbers(word[0]):
                continue
            meant = codes.nearest(word[0]) if next(unknown) < _MOST_MEANT else None
            message = f"unknown code '{word[0]}'" + (f"; did you mean '{meant}'?" if meant else "")
            start = base + match.start("codes")
            yield _unknown(message, Span(start + word.start(), start + word.end()), meant)


def _unknown(message: str, span: Span, better: str | None) -> Diagnostic:
    fixes = (Fix(f"write '{better}'", (Edit(span, better),)),) if better else ()
    return Diagnostic("H902", codes.NAMES["H902"], Severity.HINT, message, span, fixes)


def _line_start(text: str, earlier: int, offset: int) -> int:
    """The start of the line of an offset; ``earlier`` is the start of the same or an earlier line."""
    start = max(earlier, text.rfind("\n", earlier, offset) + 1)
    return max(start, text.rfind("\r", start, offset) + 1)


def _line_covered(text: str, start: int, comment: re.Match[str]) -> Span:
    """The line of a comment, which begins at ``start``, or the next one if the comment is alone on its line."""
    end = _end_of_line(text, comment.end())
    if text[start : comment.start()].strip():
        return Span(start, end)
    return Span(end, _end_of_line(text, end))


def _end_of_line(text: str, offset: int) -> int:
    """The offset of the next line; past the end of the text for the last line."""
    found = _LINE_END.search(text, offset)
    return found.end() if found else len(text) + 1
