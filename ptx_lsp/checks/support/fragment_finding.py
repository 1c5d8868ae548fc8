"""Findings of the rules about inline assembly, which look at a fragment with its operands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from ptx_lsp.checks.support.finding import Finding
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span


class Replaced(NamedTuple):
    """The findings about the text of the fragment that are the same mistake."""

    codes: str
    """The beginning of their codes."""
    span: Span | None = None
    """The place in which they begin; None: anywhere in the fragment."""


class FragmentFinding(NamedTuple):
    """A finding in a fragment, or in the rest of the statement."""

    diagnostic: Diagnostic
    is_in_host: bool = False
    """Whether its places are in the text of the statement, relative to its start, and not in the fragment's."""
    replaced: Replaced | None = None


class Replacing:
    """The mistakes that the findings of the rules about inline assembly replace."""

    def __init__(self, findings: Iterable[FragmentFinding]) -> None:
        self._spans: dict[str, tuple[list[int], list[int]]] = {}
        """By the beginning of codes: the starts of the spans in order, and the last end of those so far."""
        found: dict[str, list[Span]] = {}
        for one in findings:
            if one.replaced is not None:
                found.setdefault(one.replaced.codes, []).append(one.replaced.span or _ANYWHERE)
        for beginning, spans in found.items():
            spans.sort()
            self._spans[beginning] = [one.start for one in spans], list(accumulate((one.end for one in spans), max))

    def replaces(self, other: Diagnostic) -> bool:
        """Whether another finding in the fragment is about the same mistake as one of the findings."""
        for beginning, (starts, ends) in self._spans.items():
            if other.code.startswith(beginning):
                at = bisect_right(starts, other.span.start) - 1
                if at >= 0 and other.span.start <= ends[at]:
                    return True
        return False


_ANYWHERE = Span(0, 1 << 62)


def in_fragment(finding: Finding, replaced: Replaced | None = None) -> FragmentFinding:
    """A finding with places in the fragment."""
    return FragmentFinding(finding.diagnostic, replaced=replaced)


def in_host(finding: Finding) -> FragmentFinding:
    """A finding with places in the text of the statement."""
    return FragmentFinding(finding.diagnostic, is_in_host=True)
