"""The runs of a fragment: equal text, escapes, macros, and what else may stand in the text of its host."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import accumulate, chain, compress, repeat
from operator import sub
from typing import overload

from ptx_lsp.named_tuples import NamedTuple
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


_KINDS = tuple(RunKind)


class TextRuns(Sequence[TextRun]):
    """Runs that follow each other in the fragment, kept as columns: a template may have one for each two characters."""

    __slots__ = ("host_ends", "hosts", "kinds", "length", "starts")

    def __init__(self, runs: Iterable[TextRun] = ()) -> None:
        self.hosts = array("q")
        self.host_ends = array("q")
        self.starts = array("q")
        """The places in the fragment."""
        self.kinds = bytearray()
        self.length = 0
        """The characters of the fragment."""
        for host, host_end, ptx, ptx_end, kind in runs:
            self.add(host, host_end, ptx_end - ptx, kind)

    def add(self, host: int, host_end: int, length: int, kind: int) -> None:
        """Add a run with so many characters of the fragment."""
        self.hosts.append(host)
        self.host_ends.append(host_end)
        self.starts.append(self.length)
        self.kinds.append(kind)
        self.length += length

    def extend(
        self, hosts: Iterable[int], host_ends: Iterable[int], lengths: Iterable[int], kinds: Iterable[int]
    ) -> None:
        """Add runs with so many characters of the fragment each."""
        ends = array("q", accumulate(lengths, initial=self.length))
        self.length = ends.pop()
        self.starts += ends
        self.hosts.extend(hosts)
        self.host_ends.extend(host_ends)
        self.kinds.extend(kinds)

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, at: int) -> TextRun: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[TextRun]: ...
    def __getitem__(self, at: int | slice) -> TextRun | Sequence[TextRun]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        return TextRun(self.hosts[at], self.host_ends[at], self.starts[at], self.end_of(at), _KINDS[self.kinds[at]])

    def columns(self, at: int) -> tuple[int, int, int, int]:
        """The place of a run in the host, its characters in the fragment, and its kind."""
        return self.hosts[at], self.host_ends[at], self.end_of(at) - self.starts[at], self.kinds[at]

    def end_of(self, at: int) -> int:
        """The end of a run in the fragment."""
        following = at + 1
        return self.starts[following] if following and following < len(self.starts) else self.length

    def index_of(self, offset: int) -> int | None:
        """The run of the character at an offset of the fragment."""
        # Of those that begin at the same place only the last one has characters.
        return bisect_right(self.starts, offset) - 1 if 0 <= offset < self.length else None

    def ending_from(self, offset: int) -> int:
        """The first run that ends at an offset of the fragment or after it; their number if there is none."""
        return max(bisect_left(self.starts, offset) - 1, 0) if offset <= self.length else len(self.starts)

    def of_kind(self, kind: RunKind) -> Iterator[Span]:
        """The places in the fragment of the runs of a kind."""
        at = self.kinds.find(kind)
        while at >= 0:
            yield Span(self.starts[at], self.end_of(at))
            at = self.kinds.find(kind, at + 1)

    def copy(self, other: TextRuns, first: int, stop: int) -> None:
        """Add runs of another fragment."""
        by = self.length - other.starts[first]
        starts = other.starts[first:stop]
        self.starts.extend([start + by for start in starts] if by else starts)
        self.hosts += other.hosts[first:stop]
        self.host_ends += other.host_ends[first:stop]
        self.kinds += other.kinds[first:stop]
        self.length = other.end_of(stop - 1) + by


class Changes:
    """Other texts for places of a fragment, in columns. The places are not empty, ascend and do not overlap."""

    __slots__ = ("ends", "kinds", "lengths", "starts")

    def __init__(self) -> None:
        self.starts = array("q")
        self.ends = array("q")
        self.lengths = array("q")
        """The characters of the new texts."""
        self.kinds = bytearray()

    def extend(self, starts: Iterable[int], ends: Iterable[int], lengths: Iterable[int], kinds: Iterable[int]) -> None:
        """Add changes after the others."""
        self.starts.extend(starts)
        self.ends.extend(ends)
        self.lengths.extend(lengths)
        self.kinds.extend(kinds)

    def __len__(self) -> int:
        return len(self.kinds)


_IN_A_STEP = 1 << 13
"""Changes or runs."""
_FEW = 8
"""So many runs are taken one by one."""


def changing(runs: TextRuns, changes: Changes | None) -> Generator[None, None, TextRuns]:
    """The runs of a fragment with other text in some places; in steps of some thousand changes."""
    return (yield from _Changing(runs, changes).going_on()) if changes is not None else runs


class _Changing:
    """Goes through the runs and changes of a fragment."""

    def __init__(self, runs: TextRuns, changes: Changes) -> None:
        self._runs = runs
        self._changes = changes
        self._made = TextRuns()
        self._run = 0
        """The first run that is not done."""
        self._at = 0
        """The offset in the old text up to which all is done."""
        self._next = 0
        """The first change that is not made."""

    def going_on(self) -> Generator[None, None, TextRuns]:
        runs, changes = self._runs, self._changes
        pause, count = _IN_A_STEP, len(changes)
        while self._next < count:
            # Of those that begin at the same place only the last one has characters.
            number = bisect_right(runs.starts, changes.starts[self._next], self._run) - 1
            self._copy(number)
            self._at = max(self._at, runs.starts[number])
            run_end, following = runs.end_of(number), self._next + 1
            if changes.ends[self._next] > run_end:
                self._change_across(number)
            elif following < count and changes.ends[following] <= run_end:
                end = min(self._next + _IN_A_STEP, count)
                self._change_within(runs[number], bisect_right(changes.ends, run_end, following, end))
            else:
                self._change_in(number)
            if len(self._made) > pause:
                pause = len(self._made) + _IN_A_STEP
                yield
        self._copy(len(runs))
        return self._made

    def _copy(self, stop: int) -> None:
        """Take over the runs before one, of the first what is not done."""
        first = self._run
        if first < stop and self._at > self._runs.starts[first]:
            self._keep(first, self._runs.end_of(first))
            first += 1
        if first + _FEW < stop:
            self._made.copy(self._runs, first, stop)
        else:
            for number in range(first, stop):
                self._made.add(*self._runs.columns(number))
        self._run = max(first, stop)

    def _keep(self, number: int, end: int) -> None:
        """Take over what is not done of a run up to an offset."""
        if self._at < end:
            self._add(number, end, end - self._at, self._runs.kinds[number])
            self._at = end

    def _add(self, number: int, end: int, length: int, kind: int) -> None:
        """Add a run with so many characters for a part of one, from what is done to an offset."""
        runs = self._runs
        host, host_end = runs.hosts[number], runs.host_ends[number]
        if runs.kinds[number] == RunKind.VERBATIM:
            by = host - runs.starts[number]
            host, host_end = self._at + by, end + by
        self._made.add(host, host_end, length, kind)

    def _change_in(self, number: int) -> None:
        """Make the next change, the only one in a run."""
        changes, at = self._changes, self._next
        self._keep(number, changes.starts[at])
        end = changes.ends[at]
        self._add(number, end, changes.lengths[at], changes.kinds[at])
        self._next, self._at = at + 1, end

    def _change_within(self, run: TextRun, stop: int) -> None:
        """Make changes that begin and end within a run."""
        changes, which = self._changes, slice(self._next, stop)
        places = zip(changes.starts[which], changes.ends[which], strict=True)
        bounds = [self._at, *chain.from_iterable(places)]
        before = list(map(sub, bounds[1:], bounds))  # the lengths of what stays and of what is changed, by turns
        after = before[:]
        after[1::2] = changes.lengths[which]
        kinds = bytearray((run.kind,)) * len(before)
        kinds[1::2] = changes.kinds[which]
        hosts: Iterable[int] = repeat(run.host)
        host_ends: Iterable[int] = repeat(run.host_end)
        if run.kind is RunKind.VERBATIM:
            by = run.host - run.ptx
            hosts = [bound + by for bound in bounds]
            host_ends = hosts[1:]
        self._made.extend(*(list(compress(column, before)) for column in (hosts, host_ends, after, kinds)))
        self._next, self._at = stop, bounds[-1]

    def _change_across(self, number: int) -> None:
        """Make a change that begins in a run and ends in a later one."""
        changes, at = self._changes, self._next
        start, end = changes.starts[at], changes.ends[at]
        self._keep(number, start)
        last = self._runs.index_of(end - 1)
        assert last is not None
        host_end = _in_host(self._runs[last], end, is_end=True)
        self._made.add(_in_host(self._runs[number], start), host_end, changes.lengths[at], changes.kinds[at])
        self._run, self._at, self._next = last, end, at + 1


def _in_host(run: TextRun, offset: int, *, is_end: bool = False) -> int:
    """The place in the host of an offset in a run at which something begins or ends."""
    if run.kind is RunKind.VERBATIM:
        return run.host + offset - run.ptx
    return run.host_end if is_end else run.host
