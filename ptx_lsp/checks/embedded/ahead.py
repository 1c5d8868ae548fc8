"""Judges the statements of a host file some ahead of the one whose findings are asked for, many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ptx_lsp.checks.embedded.known_findings import KnownFindings
from ptx_lsp.checks.embedded.known_verdicts import IsSilenced
from ptx_lsp.checks.embedded.together import Together, ToJudge
from ptx_lsp.checks.embedded.trials import Trials
from ptx_lsp.checks.embedded.wanted import Wanted
from ptx_lsp.checks.engine import log
from ptx_lsp.embedded.fragment import AsmFragment, most_different_first
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.embedded.unreadable import is_unreadable
from ptx_lsp.hosts.site import Certainty, Site

_AT_ONCE = 64
"""Statements."""
_VARIANTS = 2
_USEFUL = 4
"""It is useful if one of so many fragments has a verdict then; the others are checked twice."""


class Ahead:
    """Judges statements as they are reached.

    Args:
        sites: the statements.
        known: what is known of them.
        targets_of: gives the targets of a fragment.
        version: the version for which they are judged.
        silences_at: gives the codes that comments silence around a statement.
        is_silent: whether it is certain, without reading a statement, that nothing is found in it.

    """

    def __init__(
        self,
        sites: Sequence[Site],
        known: KnownFindings,
        targets_of: Callable[[Site, AsmFragment], TargetSet],
        version: str | None,
        silences_at: Callable[[Site], IsSilenced | None],
        is_silent: Callable[[Site, Wanted], bool],
    ) -> None:
        self._sites = sites
        self._known = known
        self._targets_of = targets_of
        self._silences_at = silences_at
        self._together = Together(version)
        self._tried = Trials()
        self._is_silent = is_silent
        self._next = 0
        self.silent: set[Site] = set()
        """Of the statements that were looked at last, those in which nothing is found."""

    def reach(self, number: int, wanted: Wanted) -> None:
        """The findings in the statement with a number are asked for next."""
        if number < self._next:
            return
        self._next = number + _AT_ONCE
        sites = [site for site in self._sites[number : self._next] if site not in self._known.judged]
        self.silent = {site for site in sites if self._is_silent(site, wanted)}
        if len(self.silent) == len(sites) or not self._tried.is_next_due():
            return
        try:
            count, useful = self._together.judge(
                self._fragments([site for site in sites if site not in self.silent]), wanted
            )
            self._tried.take(is_useful=useful * _USEFUL >= count)
        except Exception:
            log.exception("statements could not be judged together")

    def _fragments(self, sites: Sequence[Site]) -> Iterator[ToJudge]:
        for site in sites:
            try:
                if site.certainty is not Certainty.HOST:
                    # What two variants do not have in common is in no finding: mostly the others are not asked.
                    fragments = self._known.fragments_of(site)
                    for fragment in map(fragments.__getitem__, most_different_first(len(fragments))[:_VARIANTS]):
                        targets = self._targets_of(site, fragment)
                        is_device = site.certainty is Certainty.DEVICE
                        if targets.targets and (is_device or not is_unreadable(fragment)):
                            yield ToJudge(fragment, targets, self._silences_at(site), is_device)
            except Exception:
                log.exception("a statement could not be read")
