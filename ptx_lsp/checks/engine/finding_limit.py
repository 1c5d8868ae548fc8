"""The selection of the findings to show if there are too many: the most severe ones, wherever they are in the text.

Only some of the others are counted: where every statement is wrong, most of the time would go into findings that are
never shown. The counting can end at different places, depending on how a text is checked. The message is the same: it
depends only on whether there are more than are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import TypeVar

from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import in_parts, listed, run_to_completion

ItemT = TypeVar("ItemT")


class Selection(NamedTuple):
    """The findings that are shown, and how many are not."""

    shown: list[Diagnostic]
    """In the order of their places."""
    omitted: Counter[Severity]
    """The number of findings of each severity that are left out; severities of which all are shown are not in it."""
    first_omitted: Diagnostic | None
    """The first of the most severe ones that are left out."""
    is_minimum: bool = False
    """Whether there may be more than ``omitted`` says, of the last severity in it and of less severe ones."""


_COUNTED = 200
"""Findings that are counted beyond those that are shown."""


def most_counted(limit: int | None) -> int | None:
    """The number of findings from which on no more are made if ``limit`` are shown; None: all are made."""
    return None if limit is None else limit + _COUNTED


def needed(known: Counter[Severity], most: int | None) -> int:
    """The least severe findings that are still to be made after the ``known`` ones, which stand before them.

    Returns:
        A severity; 0 if not even errors.

    """
    if most is None:
        return Severity.HINT
    total = 0
    for severity in _SEVERITIES:
        total += known.get(severity, 0)
        if total >= most:
            return severity - 1
    return Severity.HINT


_SEVERITIES = tuple(Severity)


def shares(counts: Counter[Severity], limit: int) -> Counter[Severity]:
    """The number of findings of each severity among the ``limit`` most severe ones."""
    found: Counter[Severity] = Counter()
    for severity in Severity:
        found[severity] = min(counts[severity], limit - found.total())
    return found


def first_of_each(
    items: Iterable[ItemT], severity: Callable[[ItemT], Severity], wanted: Counter[Severity] | None
) -> Iterator[ItemT]:
    """The first items of each severity, in order, as many as are ``wanted``; None: all."""
    if wanted is None:
        yield from items
        return
    left = +wanted
    for item in items if left else ():
        one = severity(item)
        if left[one] > 0:
            left[one] -= 1
            yield item
            if not any(left.values()):
                return


def select(diagnostics: Iterable[Diagnostic], counts: Counter[Severity], limit: int | None) -> Selection:
    """Choose what is shown.

    Args:
        diagnostics: findings in any order; of each severity the first in the text, and at least one more than fit.
        counts: how many there are of each severity.
        limit: how many are shown at most; None: all.

    """
    return run_to_completion(selecting(list(diagnostics), counts, limit))


def selecting(
    diagnostics: Sequence[Diagnostic], counts: Counter[Severity], limit: int | None, *, ends_count: bool = False
) -> Generator[None, None, Selection]:
    """:func:`select`, in steps; if their ``ends_count``, of equal findings the shorter one is first."""
    rank = _rank_with_end if ends_count else _rank
    counts, is_minimum = _counted(counts, most_counted(limit))
    if limit is None:
        shown = yield from listed((yield from _merging(diagnostics, _place_with_end if ends_count else _place)))
        found: Counter[Severity] = Counter()
        for part in in_parts(shown):
            found.update(one.severity for one in part)
            yield
        return Selection(shown, counts - found, None, is_minimum)
    ranked = list(islice((yield from _merging(diagnostics, rank)), limit + 1))
    shown = ranked[:limit]
    first_omitted = ranked[limit] if len(ranked) > limit else None
    omitted = counts - Counter(one.severity for one in shown)
    return Selection(sorted(shown, key=lambda one: (one.span.start, one.code)), omitted, first_omitted, is_minimum)


def _merging(
    diagnostics: Sequence[Diagnostic], key: Callable[[Diagnostic], tuple[int | str, ...]]
) -> Generator[None, None, Iterable[Diagnostic]]:
    """The findings in an order, each found when it is asked for; some of them are sorted in a step."""
    runs = []
    for part in in_parts(diagnostics):
        runs.append(sorted(part, key=key))
        yield
    return merge(*runs, key=key)


def _rank(one: Diagnostic) -> tuple[Severity, int, str]:
    """The most severe first, then the first in the text."""
    return one.severity, one.span.start, one.code


def _rank_with_end(one: Diagnostic) -> tuple[Severity, int, str, int]:
    return one.severity, one.span.start, one.code, one.span.end


def _place(one: Diagnostic) -> tuple[int, str, Severity]:
    """The order in which all findings are shown."""
    return one.span.start, one.code, one.severity


def _place_with_end(one: Diagnostic) -> tuple[int, str, Severity, int]:
    return one.span.start, one.code, one.severity, one.span.end


def _counted(counts: Counter[Severity], most: int | None) -> tuple[Counter[Severity], bool]:
    """The numbers up to ``most`` findings, the most severe first, and whether that many were found."""
    least = needed(counts, most)
    if most is None or least == Severity.HINT:
        return counts, False
    found = Counter({severity: counts[severity] for severity in Severity if severity <= least})
    found[Severity(least + 1)] = most - found.total()
    return found, True
