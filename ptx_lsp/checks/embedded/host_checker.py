"""The findings in the inline assembly of a host file, with places in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence

from ptx_lsp import suppressions
from ptx_lsp.checks.embedded.ahead import Ahead
from ptx_lsp.checks.embedded.asked_rules import AskedRules
from ptx_lsp.checks.embedded.deciding import OF_BRACES, OF_NAMES
from ptx_lsp.checks.embedded.known_findings import KnownFindings, SiteFindings, TextEdit
from ptx_lsp.checks.embedded.known_verdicts import IsSilenced
from ptx_lsp.checks.embedded.neighbours import Neighbours, is_for_others
from ptx_lsp.checks.embedded.placing import Located, Placing
from ptx_lsp.checks.embedded.verdicts import reaching_verdict
from ptx_lsp.checks.embedded.wanted import ALL, Wanted
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.finding_limit import Selection, most_counted, needed, selecting
from ptx_lsp.checks.support.fragment_finding import Replacing
from ptx_lsp.derived_values import once
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.embedded.fragment import AsmFragment, most_different_first
from ptx_lsp.embedded.host_comments import COMMENTS, VERBS, named_targets
from ptx_lsp.embedded.target_sets import TargetSet, guarded_targets, target_set
from ptx_lsp.embedded.unreadable import is_unreadable
from ptx_lsp.hosts.site import Certainty, Site
from ptx_lsp.hosts.site_index import SiteChange
from ptx_lsp.lazy_sequence import making
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import first_ones, run_to_completion
from ptx_lsp.text import Span

_LARGE = 4000
"""Characters of a statement that is judged in several steps."""
_IN_A_STEP = 64
"""Findings."""
_SITES_IN_A_STEP = 16
_MARK = len(suppressions.MARK)
_OF_USES = frozenset({"W622", "W623"})
_OF_BLOCKS = frozenset({"W903"})
"""Braces that other statements open and close make them wrong."""


class HostText(NamedTuple):
    """A file of another language."""

    text: str
    host: str
    """The language: ``cuda-cpp``."""
    targets: tuple[str, ...] = ()
    """The targets that settings or the build name."""
    line_of: Callable[[int], int] | None = None
    """The line of an offset, counted from 1; None if it has to be counted."""


class HostChecker:
    """The statements of a host file under all checks.

    Args:
        file: the file.
        sites: its statements, in order.
        settings: the settings of the checks.
        known: what is known of the statements.
        is_at_once: if not, :meth:`findings` has those of statements that :meth:`judging` has reached, and of others
            the remaining ones from before an edit.

    """

    def __init__(
        self,
        file: HostText,
        sites: list[Site],
        settings: Settings,
        known: KnownFindings | None = None,
        *,
        is_at_once: bool = True,
    ) -> None:
        self._file = file
        self._settings = settings
        self.sites = sites
        self._known = known or KnownFindings()
        self._is_at_once = is_at_once
        self._rules = AskedRules(settings)
        self._silences: Callable[[str, int], bool] | None = None
        """Whether a comment silences a code at an offset; None before that is known, and if there are no comments."""
        self._placing = Placing(file.text, file.line_of)

    def editing(
        self, text: str, sites: list[Site], change: SiteChange, around: Span
    ) -> Generator[None, None, HostChecker]:
        """The checker of the text after an edit, which takes over what is known; in steps of a few milliseconds.

        Args:
            text: the new text.
            sites: its statements.
            change: those that are no longer there, and those that are new.
            around: the place of the new text.

        """
        old_end = around.end - (len(text) - len(self._file.text))
        file = self._file._replace(text=text)
        has_marks = self.has_marks or suppressions.MARK in text[max(around.start - _MARK, 0) : around.end + _MARK]
        checker = HostChecker(file, sites, self._settings, self._known, is_at_once=self._is_at_once)
        checker.__dict__["has_marks"] = has_marks and suppressions.MARK in text
        replacement = TextEdit(around.start, old_end, around.end)
        are_targets_equal = checker.named == self.named
        if are_targets_equal:
            checker._rules = self._rules  # what is right for other targets may be wrong for these
        yield from self._known.editing(change, replacement, are_targets_equal=are_targets_equal)
        return checker

    def judging(self, *, again: bool = True) -> Iterator[None]:
        """Judge the statements that are not judged; then those ``again`` whose findings may be others.

        A step is a statement, or a part of a long one.
        """
        for site in [site for site in self.sites if site not in self._known.judged]:
            yield from self._judging(site)
            yield
        if not again:
            return
        for site in [site for site in self.sites if site in self._known.outdated]:
            self._known.outdated.discard(site)
            yield from self._judging(site)
            yield

    @property
    def is_incomplete(self) -> bool:
        """Whether :meth:`judging` has something to do."""
        return bool(self._known.outdated) or len(self._known.judged) < len(self.sites)

    def fragments(self, site: Site) -> Sequence[AsmFragment]:
        """The fragments of a statement, one for each of its variants."""
        return self._known.fragments_of(site)

    @once
    def has_marks(self) -> bool:
        """Whether there are comments for ptx-lsp."""
        return suppressions.MARK in self._file.text

    @once
    def named(self) -> tuple[str, ...]:
        """The targets that the text, the settings or the build name."""
        return (named_targets(self._file.text) if self.has_marks else ()) or self._file.targets

    @once
    def _neighbours(self) -> Neighbours:
        return Neighbours(self._file.text, self.sites, self._known)

    def findings(self) -> list[Diagnostic]:
        """All findings, in the order of the text, with settings and comments applied."""
        return run_to_completion(self._first_findings(None))

    def _first_findings(self, most: int | None) -> Generator[None, None, list[Diagnostic]]:
        """The findings in the first statements, up to those in which ``most`` of the most severe ones are found."""
        if self.has_marks:
            opener = COMMENTS.get(self._file.host, "//")
            passage = suppressions.Passage(0, self._file.text)
            silences = (yield from suppressions.reading([passage], opener)).silences
            hints = suppressions.unknown_codes(self._file.text, opener, VERBS) if self.sites else ()
            found = self._settings.applied((yield from first_ones(hints, most)))
            found = [one for one in found if not silences(one.code, one.span.start)]
            self._silences = silences if self._is_at_once else None
        else:
            silences, found = None, []
        counts: Counter[Severity] = Counter()
        wanted = Wanted(most=None if silences is not None else most)  # of those that are silenced none counts
        version = self._settings.ptx_version
        ahead = Ahead(self.sites, self._known, self.targets_of, version, self._silences_at, self._is_silent)
        for number, site in enumerate(self.sites):
            if self._is_at_once:
                ahead.reach(number, wanted)
            if not number % _SITES_IN_A_STEP:
                yield
            if site in ahead.silent:
                if wanted == ALL:
                    self._known.judge(site, [])
                continue
            of_site = self._settings.applied((yield from self._present(site, wanted)))
            if silences is not None:
                of_site = [
                    one for one in of_site if not (silences(one.code, one.span.start) or silences(one.code, site.start))
                ]
            if of_site:
                found += of_site
                counts.update(one.severity for one in of_site)
                if len(of_site) > _IN_A_STEP:
                    yield
                least = needed(counts, most)
                if not least:
                    break
                if not self._settings.severity:  # else a hint may become an error
                    wanted = wanted._replace(least=least)
        found.sort(key=lambda one: one.span)
        return found

    def _present(self, site: Site, wanted: Wanted) -> Generator[None, None, list[Diagnostic]]:
        """The ``wanted`` findings in a statement at least; the former ones if it is not judged and need not be."""
        known = self._known.judged.get(site)
        if known is not None:
            found = yield from known.moving(site)
            if found is not known.found:
                self._known.judged[site] = SiteFindings(site.start, found)
            return (yield from self._placing.with_lines(found))
        if self._is_at_once:
            if wanted == ALL and self._silences is None:
                return self.of_site(site)
            return run_to_completion(self._finding(site, wanted))
        former = self._known.former.get(site)
        return (yield from former.moving(site)) if former is not None else []

    def _silences_at(self, site: Site) -> IsSilenced | None:
        """The codes whose findings in a statement are not asked for; None if those are counted that it has."""
        silences = self._silences
        if silences is None or site.certainty is not Certainty.DEVICE:  # else errors tell whether it is PTX
            return None
        return lambda code: silences(code, site.start)

    def selected(self) -> Selection:
        """The findings that are shown, by the limit of the settings."""
        return run_to_completion(self.selecting())

    def selecting(self) -> Generator[None, None, Selection]:
        """:meth:`selected` in steps; an edit between two of them makes it invalid."""
        limit = self._settings.max_diagnostics
        found = yield from self._first_findings(most_counted(limit))
        yield
        return (yield from selecting(found, Counter(one.severity for one in found), limit))

    def targets_of(self, site: Site, fragment: AsmFragment) -> TargetSet:
        """The targets for which a statement is compiled."""
        return target_set(self.named, guarded_targets((*site.guards, *fragment.variant.guards)))

    def of_site(self, site: Site) -> list[Diagnostic]:
        """The findings in a statement, with places in the file; of variants only those that all of them have."""
        if site not in self._known.judged:
            for _ in self._judging(site):
                pass
        return run_to_completion(self._present(site, ALL))

    def _judging(self, site: Site) -> Iterator[None]:
        found = [] if self._is_silent(site, ALL) else (yield from self._finding(site))
        self._known.judge(site, found)

    def _is_silent(self, site: Site, wanted: Wanted) -> bool:
        """Whether nothing is ``wanted`` in a statement, which its text tells before it is read."""
        return self._silences is None and self._rules.is_silent(site, wanted)

    def _finding(self, site: Site, wanted: Wanted = ALL) -> Generator[None, None, list[Diagnostic]]:
        if is_large := len(site.text) >= _LARGE:
            yield from site.reading()
        if site.certainty is Certainty.HOST:
            return []
        if is_large:
            yield from self._known.preparing_fragments(site)
        try:
            if not is_large and self._silences is None and self._rules.is_correct(self.fragments(site)[0], wanted):
                return []
            common, are_all = yield from self._of_all_variants(site, wanted)
            if wanted.most is not None and len(common) < wanted.most and not are_all:
                common, _ = yield from self._of_all_variants(site, wanted._replace(most=None))
        except Exception:
            log.exception("a statement could not be checked")
            return []
        return common

    def _of_all_variants(self, site: Site, wanted: Wanted) -> Generator[None, None, tuple[list[Diagnostic], bool]]:
        """The mistakes that all variants have at the same places; whether all of them, or those up to some place."""
        fragments = self.fragments(site)
        common: list[Located] = []
        are_all = True
        for number in most_different_first(len(fragments)):
            yield
            fragment = yield from making(fragments, number)
            found = yield from self._of_fragment(site, fragment, wanted)
            are_all = are_all and (wanted.most is None or len(found) < wanted.most)
            if number:
                said = {(one.finding.code, one.span) for one in found}
                common = [one for one in common if (one.finding.code, one.span) in said]
            else:
                common = found
            if not common:
                break
        placed: list[Diagnostic] = []
        for one in common:
            placed.append((yield from self._placing.placing(one, site, fragments[0])))
            if len(placed) % _IN_A_STEP == 0:
                yield
        return placed, are_all

    def _of_fragment(self, site: Site, fragment: AsmFragment, wanted: Wanted) -> Generator[None, None, list[Located]]:
        is_device = site.certainty is Certainty.DEVICE
        targets, version = self.targets_of(site, fragment), self._settings.ptx_version
        if not targets.targets or not is_device and is_unreadable(fragment):
            return []
        silences = self._silences_at(site)
        found = yield from reaching_verdict(fragment, targets, version, wanted, silences, is_certain=is_device)
        if found is None:
            return []
        is_long = len(site.text) >= _LARGE
        is_correct = not found and silences is None
        own = yield from self._rules.finding(fragment, wanted, is_long=is_long, is_correct=is_correct)
        replacing, placed = Replacing(own), list[Located]()
        for one in found:
            if one.code in _OF_USES:
                part = fragment.text[one.span.start : one.span.end]
                if (yield from is_for_others(part, fragment)):
                    continue
            if one.severity is Severity.ERROR and one.code in OF_BRACES | OF_NAMES:
                self._known.asks_others.add(site)
                if (yield from self._neighbours.explaining(one, site, fragment)):
                    continue
            if not replacing.replaces(one):
                placed.append(Located.of(one, site, fragment))
                if len(placed) % _IN_A_STEP == 0:
                    yield
        for count, other in enumerate(own, 1):
            if count % _IN_A_STEP == 0:
                yield
            if other.diagnostic.code in _OF_BLOCKS:
                self._known.asks_others.add(site)
                if (yield from self._neighbours.enclosing(site)):
                    continue
            if other.is_in_host:
                placed.append(Located.in_host(other.diagnostic.shifted(site.start)))
            else:
                placed.append(Located.of(other.diagnostic, site, fragment))
        if wanted.most is not None and len(placed) < wanted.most <= len(found):  # others take the place of some
            return (yield from self._of_fragment(site, fragment, ALL))
        return placed
