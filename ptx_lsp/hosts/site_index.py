"""The sites of a document that is edited: an edit reads the lines around it again, not the file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from itertools import accumulate
from operator import attrgetter

from ptx_lsp.hosts.blocks import Block, Lexer, MacroTable, Stops
from ptx_lsp.hosts.find import can_change_mode, lexer_of, may_have_sites, open_brackets, place
from ptx_lsp.hosts.site import Site
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion

_LENGTH = 1024
"""The least length of a block of lines, in characters."""


_IN_A_STEP = 16
"""The blocks of lines that are read in a step: some milliseconds."""
_KEPT_IN_A_STEP = 1024
"""The statements that are compared in a step."""

_start, _length = attrgetter("start"), attrgetter("length")


class SiteChange(NamedTuple):
    """The sites that an edit replaced; all others only moved."""

    removed: tuple[Site, ...]
    added: tuple[Site, ...]


class SiteIndex:
    """The sites of a text, equal to those of :func:`~ptx_lsp.hosts.find.find_sites` after every edit.

    A site that an edit does not touch remains the same object; its ``start`` and ``block`` are updated.
    """

    def __init__(self, text: str, host: str, *, is_at_once: bool = True) -> None:
        """Find the sites of a text; if not ``is_at_once``, :meth:`reading` has to end first."""
        self.text = text
        self.host = host
        self._macros = MacroTable()
        self._mode = ""
        self._blocks: list[Block] = []
        self._states: list[Hashable] = []
        self._starts = [0]
        """The offsets of all blocks, and of the end of the text."""
        self._sites: list[Site] | None = None
        if is_at_once:
            run_to_completion(self._reading_all())

    @property
    def sites(self) -> list[Site]:
        """All sites in the order of their places."""
        if self._sites is None:
            self._sites = _sites_of(self._blocks)
        return self._sites

    def site_at(self, offset: int) -> Site | None:
        """The site that contains an offset, also at its end."""
        found = self.sites_in(offset, offset)
        return found[-1] if found else None

    def sites_in(self, start: int, end: int) -> list[Site]:
        """The sites that touch a part of the text."""
        sites = self.sites
        last = bisect_right(sites, end, key=_start)
        first = last
        while first and sites[first - 1].span.end >= start:
            first -= 1
        return sites[first:last]

    def edit(self, start: int, end: int, replacement: str) -> SiteChange:
        """Replaces ``[start, end)`` of the text."""
        return run_to_completion(self.editing(start, end, replacement))

    def editing(self, start: int, end: int, replacement: str) -> Generator[None, None, SiteChange]:
        """:meth:`edit` in steps of a few blocks of lines.

        The text is the new one from the first of them on; nothing else may be asked until the last one.
        """
        self.text = f"{self.text[:start]}{replacement}{self.text[end:]}"
        if not self._blocks or not may_have_sites(self.text, self.host):
            return (yield from self._reading_all())
        return (yield from self._reading_again(start, end, start + len(replacement)))

    def _reading_all(self) -> Generator[None, None, SiteChange]:
        removed = self._blocks
        yield from self.reading()
        return (yield from _comparing(removed, self._blocks))

    def reading(self) -> Iterator[None]:
        """Find the sites of the whole text, a few blocks of lines in a step."""
        self._blocks, self._states, self._sites, self._starts = [], [], None, [0]
        if may_have_sites(self.text, self.host):
            self._macros = MacroTable()
            lexer = lexer_of(self.text, self.host, self._macros)
            self._mode = lexer.mode
            blocks: list[Block] = []
            states: list[Hashable] = []
            for _ in _reading(lexer, (0, lexer.beginning()), KnownStates(), blocks, states):
                yield
            self._blocks, self._states, self._sites = blocks, states, None
            self._starts = list(accumulate(map(_length, self._blocks), initial=0))
            self._macros.fill(self._blocks)
            place(self._blocks, self._starts, 0, len(self._blocks))

    def _mode_after(self, start: int, end: int) -> str | None:
        """The mode of the lexer after an edit if the text around it shows that it is unchanged; None if not."""
        return self._mode if not self._mode and not can_change_mode(self.text, self.host, start, end) else None

    def _reading_again(self, start: int, old_end: int, new_end: int) -> Generator[None, None, SiteChange]:
        """Reads the blocks of lines around an edit, up to the first one after it whose state is unchanged."""
        lexer = lexer_of(self.text, self.host, self._macros, self._mode_after(start, new_end))
        if lexer.mode != self._mode:
            return (yield from self._reading_all())
        starts, shift = self._starts, new_end - old_end
        # An `else` in front of which only white space stands belongs to the brace before it.
        touched = start
        while touched and self.text[touched - 1].isspace():
            touched -= 1
        first = max(0, bisect_left(starts, touched, 0, len(self._blocks)) - 1)
        known = KnownStates(starts, self._states, shift, bisect_right(starts, old_end, first + 1))
        blocks: list[Block] = []
        states: list[Hashable] = []
        yield from _reading(lexer, (starts[first], self._states[first]), known, blocks, states)
        last = known.number_at(starts[first] + sum(block.length for block in blocks))
        removed = self._blocks[first:last]
        following = self.sites[bisect_left(self.sites, starts[last], key=_start) :]
        yield from _keeping_equal(removed, blocks)
        yield
        if _of_macros(removed) != _of_macros(blocks):
            present = MacroTable()
            present.fill([*self._blocks[:first], *blocks, *self._blocks[last:]])
            if not present.is_same(self._macros):
                return (yield from self._reading_all())
        self._blocks[first:last] = blocks
        self._states[first:last] = states
        after = starts[last + 1 :]
        self._starts = [
            *starts[:first],
            *accumulate(map(_length, blocks), initial=starts[first]),
            *([start + shift for start in after] if shift else after),
        ]
        change = yield from _comparing(removed, blocks)
        if change.removed or change.added:
            self._sites = None
        moves = _Moves(removed, blocks, (starts[first], starts[last]), shift)
        if moves.are_known:
            moves.apply(following)
        if any(block.sites for block in blocks) or not moves.are_known:
            stop = first + len(blocks) if moves.are_known else len(self._blocks)
            place(self._blocks, self._starts, first, stop)
        return change


def _sites_of(blocks: Sequence[Block]) -> list[Site]:
    return [found.site for block in blocks for found in block.sites]


def _comparing(removed: Sequence[Block], added: Sequence[Block]) -> Generator[None, None, SiteChange]:
    """The sites of some blocks that are not in those which took their place, and the other way round."""
    before, after = _sites_of(removed), _sites_of(added)
    yield
    kept = set(map(id, before))
    kept.intersection_update(map(id, after))
    yield
    return SiteChange(
        tuple([site for site in before if id(site) not in kept]),
        tuple([site for site in after if id(site) not in kept]),
    )


def _keeping_equal(removed: Sequence[Block], added: Sequence[Block]) -> Iterator[None]:
    """Put sites of the old blocks in the place of equal ones, from the start and from the end up to a difference."""
    old = _sites_of(removed)
    new = [(block, number) for block in added for number in range(len(block.sites))]
    yield
    kept = yield from _keeping(old, new)
    yield from _keeping(old[: kept - 1 if kept else None : -1], new[: kept - 1 if kept else None : -1])


def _keeping(sites: Sequence[Site], places: Sequence[tuple[Block, int]]) -> Generator[None, None, int]:
    """The number of sites that were put in their places."""
    count = 0
    for site, (block, number) in zip(sites, places, strict=False):
        found = block.sites[number]
        if not site.is_equal(found.site):
            break
        block.sites[number] = found._replace(site=site)
        count += 1
        if not count % _KEPT_IN_A_STEP:
            yield
    return count


def _of_macros(blocks: Sequence[Block]) -> tuple[int, list[tuple[str, str | None]]]:
    """The facts that the table of macros depends on."""
    return sum(len(block.sites) for block in blocks), [macro for block in blocks for macro in block.macros]


def _reading(
    lexer: Lexer,
    begin: tuple[int, Hashable],
    known: KnownStates,
    blocks: list[Block],
    states: list[Hashable],
) -> Iterator[None]:
    """Append the blocks of lines from an offset on, and the states at their starts, a few in a step.

    They end where one of the ``known`` ones begins in the same state, or at the end of the text.
    """
    start, state = begin
    stops = _BlockEnds(start, known)
    while True:
        block = yield from lexer.block(start, state, stops)
        blocks.append(block)
        states.append(state)
        start += block.length
        state = block.end
        if stops.is_finished or start >= len(lexer.text):
            return
        stops.begin(start)
        if len(blocks) % _IN_A_STEP == 0:
            yield


class _Moves:
    """The new places of the sites after some blocks of lines, which others have replaced.

    Args:
        removed: the former blocks.
        added: the new ones, after which the state of the lexer is the same.
        span: the place of the former blocks.
        shift: by how much longer the new ones are.

    """

    def __init__(self, removed: Sequence[Block], added: Sequence[Block], span: tuple[int, int], shift: int) -> None:
        self._start, self._end = span
        self._shift = shift
        brackets = list(zip(*(open_brackets(one, self._start) for one in (removed, added)), strict=False))
        self._brackets = dict(brackets)
        self.are_known = all((old < 0) is (new < 0) and (old >= 0 or old == new) for old, new in brackets)
        """Whether those that were open before remain so; otherwise it is unknown where a function begins."""

    def apply(self, sites: Sequence[Site]) -> None:
        """Set the places of the sites."""
        for site in sites:
            site.start += self._shift
            block = site.block
            if block >= self._start:
                site.block = block + self._shift if block >= self._end else self._brackets[block]


class KnownStates:
    """The states of the lexer at the starts of the blocks of lines after an edit.

    Args:
        starts: the offsets before the edit of all blocks, and of the end of the text.
        states: the states at the starts of all blocks.
        shift: by how much the edit moves those after it.
        first: the first block that begins after the edit.

    """

    def __init__(
        self, starts: Sequence[int] = (), states: Sequence[Hashable] = (), shift: int = 0, first: int = 0
    ) -> None:
        self._starts = starts
        self._states = states
        self._shift = shift
        self._first = first

    def number_at(self, offset: int) -> int:
        """The number of the block that begins at an offset after the edit; that of the end if none does."""
        count = len(self._states)
        number = bisect_left(self._starts, offset - self._shift, min(self._first, count), count)
        return number if number < count and self._starts[number] + self._shift == offset else count

    def skip_to(self, offset: int) -> int | None:
        """The start of the first block from an offset on; those before are not asked for again."""
        while self._first < len(self._states) and self._starts[self._first] + self._shift < offset:
            self._first += 1
        return self._starts[self._first] + self._shift if self._first < len(self._states) else None

    @property
    def state(self) -> Hashable:
        """The state at the start of the block that :meth:`skip_to` has found."""
        return self._states[self._first]


class _BlockEnds(Stops):
    """Ends a block of lines when it is long enough, and everything at a known start with an unchanged state."""

    def __init__(self, start: int, known: KnownStates) -> None:
        self._known = known
        self._length_reached = 0
        self.is_finished = False
        self.begin(start)

    def begin(self, start: int) -> None:
        """The start of a block of lines."""
        self._length_reached = start + _LENGTH
        self._update(start)

    def reached(self, at: int, state: Callable[[], Hashable]) -> bool:
        """Whether a block of lines ends at ``at``."""
        if self._known.skip_to(at) == at and self._known.state == state():
            self.is_finished = True
            return True
        self._update(at + 1)
        return at >= self._length_reached

    def _update(self, start: int) -> None:
        following = self._known.skip_to(start)
        self.wanted = self._length_reached if following is None else min(self._length_reached, following)
