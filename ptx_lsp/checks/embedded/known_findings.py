"""The findings in the statements of a host file that are known, and whether an edit can have changed them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from ptx_lsp.checks.embedded.structure import Structure, structuring
from ptx_lsp.diagnostic import Diagnostic, Related
from ptx_lsp.embedded.fragment import AsmFragment, SharedFragments, making_fragments
from ptx_lsp.hosts.site import Site
from ptx_lsp.hosts.site_index import SiteChange
from ptx_lsp.lazy_sequence import making
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import collected, run_to_completion

_FINDINGS_IN_A_STEP = 256
_SITES_IN_A_STEP = 256


class SiteFindings(NamedTuple):
    """The findings in a statement, as long as nothing changes them but its place."""

    start: int
    """The offset of the statement when they were made."""
    found: list[Diagnostic]

    def moving(self, site: Site) -> Generator[None, None, list[Diagnostic]]:
        """The findings at the present place of the statement. Lines that they name are those of the former place.

        In steps of some hundred.
        """
        by = site.start - self.start
        if not by or not self.found:
            return self.found
        found: list[Diagnostic] = []
        for number, one in enumerate(self.found, 1):
            found.append(_moved(one, by))
            if not number % _FINDINGS_IN_A_STEP:
                yield
        return found


def _moved(one: Diagnostic, by: int) -> Diagnostic:
    moved = one.shifted(by)
    if not (one.related or one.repeats):
        return moved
    return moved._replace(
        related=tuple(Related(at.span.shifted(by), at.message) for at in one.related),
        repeats=tuple(Related(at.span.shifted(by), at.message) for at in one.repeats),
    )


class TextEdit(NamedTuple):
    """An edit of the text: ``[start, old_end)`` became ``[start, new_end)``."""

    start: int
    old_end: int
    new_end: int

    def remaining(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic | None]:
        """The findings that the edit does not touch, also not at an end; at their present places and without fixes.

        None among them is a pause.
        """
        by = self.new_end - self.old_end
        for number, one in enumerate(found, 1):
            if not number % _FINDINGS_IN_A_STEP:
                yield None
            if one.span.end < self.start:
                yield one._replace(related=(), repeats=(), fixes=())
            elif one.span.start > self.old_end:
                yield one._replace(related=(), repeats=(), fixes=()).shifted(by)


class KnownFindings:
    """The findings and fragments of the statements of a text, as far as they are known."""

    def __init__(self) -> None:
        self.fragments: dict[Site, Sequence[AsmFragment]] = {}
        self._shared = SharedFragments()
        self._structures: dict[Site, list[Structure]] = {}
        self.judged: dict[Site, SiteFindings] = {}
        self.asks_others: set[Site] = set()
        """Statements whose findings depend on other statements, or on the text around them."""
        self.outdated: set[Site] = set()
        """Statements whose findings are those of the text before an edit, and may be others now."""
        self.former: dict[Site, SiteFindings] = {}
        """Of statements that are not judged: the remaining findings of the statements that they replace."""

    def fragments_of(self, site: Site) -> Sequence[AsmFragment]:
        """The fragments of a statement, one for each of its variants."""
        found = self.fragments.get(site)
        if found is None:
            found = self.fragments[site] = run_to_completion(making_fragments(site, self._shared))
        return found

    def preparing_fragments(self, site: Site) -> Iterator[None]:
        """Find :meth:`fragments_of` in steps."""
        if site not in self.fragments:
            self.fragments[site] = yield from making_fragments(site, self._shared)

    def structures_of(self, site: Site) -> Generator[None, None, list[Structure]]:
        """The braces and declarations of the fragments of a statement; in steps if one is long."""
        found = self._structures.get(site)
        if found is None:
            found = []
            fragments = self.fragments_of(site)
            for number in range(len(fragments)):
                fragment = yield from making(fragments, number)
                found += [(yield from structuring(fragment.text))]
            self._structures[site] = found
        return found

    def judge(self, site: Site, found: list[Diagnostic]) -> None:
        """Take the findings in a statement."""
        self.judged[site] = SiteFindings(site.start, found)
        self.former.pop(site, None)

    def editing(self, change: SiteChange, replacement: TextEdit, *, are_targets_equal: bool) -> Iterator[None]:
        """Forget the statements that an edit replaced; if it changes the targets, the findings of all.

        A statement that took the place of another one, or has other targets, keeps the findings until it is judged.
        In steps of some hundred findings.
        """
        former: list[list[Diagnostic]] = []
        self._shared.forget()
        for number, site in enumerate(change.removed, 1):
            if not number % _SITES_IN_A_STEP:
                yield
            found = self.judged.pop(site, None) or self.former.pop(site, None)
            left: list[Diagnostic] = []
            if found is not None:
                left = yield from collected(replacement.remaining((yield from found.moving(site))))
            former.append(left)
            self.fragments.pop(site, None)
            self._structures.pop(site, None)
            self.asks_others.discard(site)
            self.outdated.discard(site)
        if len(former) == len(change.added):
            for site, left in zip(change.added, former, strict=True):
                if left:
                    self.former[site] = SiteFindings(site.start, left)
        if not are_targets_equal:
            self.former.update((site, found) for site, found in self.judged.items() if found.found)
            self.judged.clear()
            self.outdated.clear()
        self.outdated |= self.asks_others & self.judged.keys()
