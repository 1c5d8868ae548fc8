"""The places of a fragment in the text of its host, and back.

Both texts are divided into *runs*. Within a verbatim run the offsets differ by a constant; other runs map as a whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from enum import IntEnum
from operator import attrgetter

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span


class RunKind(IntEnum):
    """The relation of a run of the fragment to the text of the host."""

    VERBATIM = 0
    """Equal text."""
    ESCAPE = 1
    r"""An escape of the host: ``\n``, or of the template: ``%%``."""
    JOIN = 2
    """Nothing in the fragment: the place between two literals."""
    MACRO = 3
    """The value of a macro; the host has its name."""
    HOLE = 4
    """A name that stands for unknown text."""
    OPERAND = 5
    """An operand that the host writes otherwise than the fragment: ``${0}``."""


class TextRun(NamedTuple):
    """A run: ``[host, host_end)`` of the host and ``[ptx, ptx_end)`` of the fragment. Runs ascend in both."""

    host: int
    host_end: int
    ptx: int
    ptx_end: int
    kind: RunKind


class Replacement(NamedTuple):
    """Another text for ``[start, end)`` of a fragment."""

    start: int
    end: int
    text: str
    kind: RunKind


_host = attrgetter("host")
_host_end = attrgetter("host_end")
_ptx = attrgetter("ptx")
_ptx_end = attrgetter("ptx_end")


class PositionMap:
    """The runs of a fragment, searched by bisection. Offsets in the host are relative to the start of the site."""

    __slots__ = ("_length", "runs")

    def __init__(self, runs: Sequence[TextRun]) -> None:
        self.runs = runs
        self._length = runs[-1].ptx_end if runs else 0

    def to_ptx(self, offset: int) -> int | None:
        """The offset in the fragment for one in the host; None outside of the literals.

        The place after the last character of a literal belongs to the fragment too: a cursor stands there.
        """
        at = bisect_right(self.runs, offset, key=_host) - 1
        found: int | None = None
        while at >= 0 and self.runs[at].host_end >= offset:
            run = self.runs[at]
            if run.kind is RunKind.VERBATIM:
                return run.ptx + offset - run.host
            if run.kind is not RunKind.JOIN and found is None:
                found = run.ptx if offset < run.host_end else run.ptx_end
            at -= 1
        return found

    def to_host(self, offset: int) -> int:
        """The place in the host of the character at an offset of the fragment; of its end that after the last one."""
        run = self._run_of(offset)
        if run is None:
            return self.end_to_host(offset)
        return run.host + offset - run.ptx if run.kind is RunKind.VERBATIM else run.host

    def end_to_host(self, offset: int) -> int:
        """The place in the host right after the character before an offset of the fragment."""
        at = bisect_left(self.runs, offset, key=_ptx_end)
        while at < len(self.runs) and self.runs[at].ptx == self.runs[at].ptx_end:
            at += 1
        if not offset or at >= len(self.runs):
            ordered = reversed(self.runs) if offset else iter(self.runs)
            filled = next((run for run in ordered if run.ptx < run.ptx_end), None)
            if filled is None:
                return self.runs[0].host if self.runs else 0
            return filled.host_end if offset else filled.host
        run = self.runs[at]
        return run.host + offset - run.ptx if run.kind is RunKind.VERBATIM else run.host_end

    def span_to_host(self, span: Span) -> Span:
        """The place in the host of a span of the fragment, up to where its first literal ends."""
        if span.start >= span.end:
            at = self.end_to_host(span.start)
            return Span(at, at)
        run = self._run_of(span.start)
        if run is not None and run.kind is RunKind.VERBATIM and span.end <= run.ptx_end:
            return span.shifted(run.host - run.ptx)
        start, end = self.to_host(span.start), self.end_to_host(span.end)
        for run in self._runs_from(span.start):
            if run.host >= end:
                break
            if run.kind is RunKind.JOIN and run.host > start:
                return Span(start, run.host)
        return Span(start, max(start, end))

    def literal_parts(self, span: Span) -> list[Span]:
        """The places in the host of the text of a span, one for each literal.

        The host has other text where a macro or a hole is: there are none.
        """
        found: list[Span] = []
        is_connected = False
        for run in self._runs_from(span.start):
            if run.ptx >= span.end:
                break
            if run.kind in (RunKind.MACRO, RunKind.HOLE, RunKind.JOIN):
                is_connected = False
                continue
            start, end = run.host, run.host_end
            if run.kind is RunKind.VERBATIM:
                start += max(span.start - run.ptx, 0)
                end -= max(run.ptx_end - span.end, 0)
            if is_connected and found[-1].end == start:
                found[-1] = Span(found[-1].start, end)
            else:
                found.append(Span(start, end))
            is_connected = True
        return found

    def verbatim_run(self, span: Span) -> TextRun | None:
        """The verbatim run that contains a span of the fragment; None if it reaches beyond one."""
        at = bisect_left(self.runs, span.end, key=_ptx_end)
        for run in self.runs[at : at + 8]:
            if run.kind is RunKind.VERBATIM and run.ptx <= span.start and span.end <= run.ptx_end:
                return run
            if run.ptx > span.start:
                break
        return None

    def begins_literal(self, run: TextRun) -> int:
        """The place in the host where the literal with a run begins."""
        at = bisect_left(self.runs, run.host, key=_host)
        while self.runs[at] is not run:
            at += 1
        while at and self.runs[at - 1].kind is not RunKind.JOIN and self.runs[at - 1].host_end == self.runs[at].host:
            at -= 1
        return self.runs[at].host

    def _runs_from(self, offset: int) -> Iterator[TextRun]:
        """The runs from that of the character at an offset of the fragment on."""
        first = self._index_of(offset)
        for number in range(first, len(self.runs)) if first is not None else ():
            yield self.runs[number]

    def _index_of(self, offset: int) -> int | None:
        """The run of the character at an offset of the fragment."""
        if not 0 <= offset < self._length:
            return None
        at = bisect_right(self.runs, offset, key=_ptx) - 1
        while self.runs[at].ptx_end <= offset:
            at -= 1
        return at

    def _run_of(self, offset: int) -> TextRun | None:
        at = self._index_of(offset)
        return self.runs[at] if at is not None else None


_IN_A_STEP = 2048
"""The runs that are made between two pauses."""


def replaced(text: str, runs: Sequence[TextRun], replacements: Sequence[Replacement]) -> tuple[str, list[TextRun]]:
    """A fragment with other text in some places, which are not empty, ascend and do not overlap; its text and runs."""
    return run_to_completion(replacing(text, runs, replacements))


def replacing(
    text: str, runs: Sequence[TextRun], replacements: Sequence[Replacement]
) -> Generator[None, None, tuple[str, list[TextRun]]]:
    """:func:`replaced` in steps of some thousand places."""
    if not replacements:
        return text, list(runs)
    found: list[TextRun] = []
    waiting = iter(replacements)
    following = next(waiting, None)
    by, first, pause = 0, -1, _IN_A_STEP
    for run in runs:
        if len(found) > pause:
            pause += _IN_A_STEP
            yield
        host, host_end, at, stop, kind = run
        if following is None or following.start >= stop:
            found.append(TextRun(host, host_end, at + by, stop + by, kind) if by else run)
            continue
        if at == stop and not following.start < at < following.end:
            found.append(TextRun(host, host_end, at + by, at + by, kind))
        while at < stop:
            if following is None or at < following.start:
                end = stop if following is None else min(stop, following.start)
                found.append(TextRun(*_in_host(run, at, end), at + by, end + by, kind))
            else:
                end = min(stop, following.end)
                host, host_end = _in_host(run, at, end)
                first = host if first < 0 else first
                if end == following.end:
                    start = following.start + by
                    found.append(TextRun(first, host_end, start, start + len(following.text), following.kind))
                    by += len(following.text) - (end - following.start)
                    following, first = next(waiting, None), -1
            at = end
    return (yield from _with_other_text(text, replacements)), found


def _with_other_text(text: str, replacements: Iterable[Replacement]) -> Generator[None, None, str]:
    parts: list[str] = []
    done = 0
    for number, (start, end, other, _) in enumerate(replacements, 1):
        parts += text[done:start], other
        done = end
        if not number % _IN_A_STEP:
            yield
    return "".join([*parts, text[done:]])


def _in_host(run: TextRun, start: int, stop: int) -> tuple[int, int]:
    """The place in the host of a part of a run."""
    if run.kind is not RunKind.VERBATIM:
        return run.host, run.host_end
    return run.host + start - run.ptx, run.host + stop - run.ptx
