"""Findings of the rules about inline assembly, which look at a fragment with its operands."""

from __future__ import annotations

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

    def replaces(self, other: Diagnostic) -> bool:
        """Whether another finding in the fragment is about the same mistake."""
        if self.replaced is None or not other.code.startswith(self.replaced.codes):
            return False
        span = self.replaced.span
        return span is None or span.start <= other.span.start <= span.end


def in_fragment(finding: Finding, replaced: Replaced | None = None) -> FragmentFinding:
    """A finding with places in the fragment."""
    return FragmentFinding(finding.diagnostic, replaced=replaced)


def in_host(finding: Finding) -> FragmentFinding:
    """A finding with places in the text of the statement."""
    return FragmentFinding(finding.diagnostic, is_in_host=True)
