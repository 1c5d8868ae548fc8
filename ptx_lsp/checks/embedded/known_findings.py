"""The findings in the statements of a host file that are known, and whether an edit can have changed them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ptx_lsp.diagnostic import Diagnostic, Related
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.site import Site


class SiteFindings(NamedTuple):
    """The findings in a statement, as long as nothing changes them but its place."""

    start: int
    """The offset of the statement when they were made."""
    found: list[Diagnostic]

    def moved(self, site: Site) -> list[Diagnostic] | None:
        """The findings at the present place of the statement; None if they name lines that may be others now."""
        by = site.start - self.start
        if not by:
            return self.found
        if any(one.named_line for one in self.found):
            return None
        return [
            one.shifted(by)._replace(related=tuple(Related(at.span.shifted(by), at.message) for at in one.related))
            for one in self.found
        ]


class KnownFindings:
    """The findings and fragments of the statements of a text, as far as they are known."""

    def __init__(self) -> None:
        self.fragments: dict[Site, list[AsmFragment]] = {}
        self.judged: dict[Site, SiteFindings] = {}
        self.asks_others: set[Site] = set()
        """Statements whose findings depend on other statements, or on the text around them."""
        self.outdated: set[Site] = set()
        """Statements whose findings are those of the text before an edit, and may be others now."""

    def after_edit(self, sites: Iterable[Site], *, are_targets_equal: bool) -> KnownFindings:
        """The findings and fragments of the statements that an edit left alone."""
        other = KnownFindings()
        for site in sites:
            if site in self.fragments:
                other.fragments[site] = self.fragments[site]
            if are_targets_equal and site in self.judged:
                other.judged[site] = self.judged[site]
                if site in self.asks_others or site in self.outdated:
                    other.outdated.add(site)
        return other
