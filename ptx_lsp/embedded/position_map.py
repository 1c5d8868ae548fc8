"""The places of a fragment in the text of its host, and back.

Both texts are divided into *runs*. Within a verbatim run the offsets differ by a constant; other runs map as a whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ptx_lsp.embedded.text_runs import RunKind, TextRun, TextRuns
from ptx_lsp.text import Span


class PositionMap:
    """The runs of a fragment, searched by bisection. Offsets in the host are relative to the start of the site."""

    __slots__ = ("runs",)

    def __init__(self, runs: TextRuns) -> None:
        self.runs = runs

    def to_ptx(self, offset: int) -> int | None:
        """The offset in the fragment for one in the host; None outside of the literals.

        The place after the last character of a literal belongs to the fragment too: a cursor stands there.
        """
        at = bisect_right(self.runs.hosts, offset) - 1
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
        first = self.runs.ending_from(offset)
        at = self.runs.index_of(self.runs.starts[first]) if offset and first < len(self.runs) else None
        if at is None:
            filled = self._run_of(self.runs.length - 1 if offset else 0)
            if filled is None:
                return self.runs.hosts[0] if self.runs else 0
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
        at = self.runs.ending_from(span.end)
        for run in self.runs[at : at + 8]:
            if run.kind is RunKind.VERBATIM and run.ptx <= span.start and span.end <= run.ptx_end:
                return run
            if run.ptx > span.start:
                break
        return None

    def begins_literal(self, run: TextRun) -> int:
        """The place in the host where the literal with a run begins."""
        at = bisect_left(self.runs.hosts, run.host)
        while self.runs[at] != run:
            at += 1
        while at and self.runs[at - 1].kind is not RunKind.JOIN and self.runs[at - 1].host_end == self.runs[at].host:
            at -= 1
        return self.runs[at].host

    def _runs_from(self, offset: int) -> Iterator[TextRun]:
        """The runs from that of the character at an offset of the fragment on."""
        first = self.runs.index_of(offset)
        for number in range(first, len(self.runs)) if first is not None else ():
            yield self.runs[number]

    def _run_of(self, offset: int) -> TextRun | None:
        at = self.runs.index_of(offset)
        return self.runs[at] if at is not None else None
