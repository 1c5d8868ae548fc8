"""The findings in the statements of a host file that are known, and whether an edit can have changed them."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.diagnostic import Diagnostic, Related
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.site import Site
from ptx_lsp.named_tuples import NamedTuple


class SiteFindings(NamedTuple):
    """The findings in a statement, as long as nothing changes them but its place."""

    start: int
    """The offset of the statement when they were made."""
    found: list[Diagnostic]

    def moved(self, site: Site) -> list[Diagnostic]:
        """The findings at the present place of the statement. Lines that they name are those of the former place."""
        by = site.start - self.start
        if not by or not self.found:
            return self.found
        return [
            one.shifted(by)._replace(
                related=tuple(Related(at.span.shifted(by), at.message) for at in one.related),
                repeats=tuple(Related(at.span.shifted(by), at.message) for at in one.repeats),
            )
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

    def edit(self, removed: Iterable[Site], *, are_targets_equal: bool) -> None:
        """Forget the statements that an edit replaced; if it changes the targets, the findings of all."""
        for site in removed:
            self.fragments.pop(site, None)
            self.judged.pop(site, None)
            self.asks_others.discard(site)
            self.outdated.discard(site)
        if not are_targets_equal:
            self.judged.clear()
            self.outdated.clear()
        self.outdated |= self.asks_others & self.judged.keys()
