"""The selection of the findings to show if there are too many: the most severe ones, wherever they are in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from ptx_lsp.diagnostic import Diagnostic, Severity

ItemT = TypeVar("ItemT")


class Selection(NamedTuple):
    """The findings that are shown, and how many are not."""

    shown: list[Diagnostic]
    """In the order of their places."""
    omitted: Counter[Severity]
    """The number of findings of each severity that are left out; severities of which all are shown are not in it."""
    first_omitted: Diagnostic | None
    """The first of the most severe ones that are left out."""


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
    left = Counter(wanted)
    for item in items:
        one = severity(item)
        if left[one] > 0:
            left[one] -= 1
            yield item


def select(diagnostics: Iterable[Diagnostic], counts: Counter[Severity], limit: int | None) -> Selection:
    """Choose what is shown.

    Args:
        diagnostics: findings in any order; of each severity the first in the text, and at least one more than fit.
        counts: how many there are of each severity.
        limit: how many are shown at most; None: all.

    """
    ranked = sorted(diagnostics, key=lambda one: (one.severity, one.span.start, one.code))
    shown = ranked if limit is None else ranked[:limit]
    first_omitted = None if limit is None or len(ranked) <= limit else ranked[limit]
    omitted = counts - Counter(one.severity for one in shown)
    return Selection(sorted(shown, key=lambda one: (one.span.start, one.code)), omitted, first_omitted)
