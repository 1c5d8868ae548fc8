"""A fragment of PTX at a place of a document of another language, as a document of its own for the handlers."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.checks.embedded.verdicts import likeliest_target
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Edit
from ptx_lsp.embedded.edits import edit_to_host, with_escapes
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.site import Certainty, Site
from ptx_lsp.process_cache import memoized
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.embedded.host_lines import FragmentLines
from ptx_lsp.settings import Settings
from ptx_lsp.text import Span


class FragmentView:
    """The fragment at a place: its checker has its text, its lines have positions of the document.

    Args:
        document: the document.
        site: the statement with the fragment.
        fragment: the variant of the statement that contains the place.

    """

    def __init__(self, document: HostDocument, site: Site, fragment: AsmFragment) -> None:
        self._document = document
        self.site = site
        self.fragment = fragment
        self.uri = document.uri
        self.version = document.version
        self.lines = FragmentLines(fragment, site.start, document.lines)
        self.targets = document.checker.targets_of(site, fragment)
        """The targets for which the statement is compiled."""
        target = likeliest_target(fragment, self.targets, document.settings.ptx_version)
        settings = document.settings._replace(target=str(target))
        self.settings = settings
        self.checker = _checker(fragment.checked, settings, fragment.given())

    @classmethod
    def at(cls, document: HostDocument, position: Position) -> FragmentView | None:
        """The view at a position; None outside of all templates."""
        offset = document.lines.offset(position)
        site = document.index.site_at(offset)
        if site is None or site.certainty is Certainty.HOST:
            return None
        for fragment in document.checker.fragments(site):
            if fragment.map.to_ptx(offset - site.start) is not None:
                return cls(document, site, fragment)
        return None

    @property
    def revision(self) -> int:
        """The revision of the document."""
        return self._document.revision

    def host_span(self, span: Span) -> Span:
        """A span relative to the start of the statement as one of the document."""
        return span.shifted(self.site.start)

    def host_range(self, span: Span) -> tuple[Position, Position]:
        """The positions of a span of the document."""
        return self._document.lines.range(span)

    def host_line(self, line: int) -> int:
        """The line of the document with the start of a line of the fragment, both counted from 1."""
        text, at = self.fragment.text, 0
        for _ in range(line - 1):
            at = text.find("\n", at) + 1
        return self.lines.position(at).line + 1

    def written(self, text: str) -> str:
        """A text of PTX as the template has it."""
        return with_escapes(text, self.fragment)

    def edits(self, edits: Iterable[Edit]) -> list[Edit] | None:
        """Edits of the fragment as edits of the document; None if some place is not the same text in both."""
        found = []
        for edit in edits:
            placed = edit_to_host(edit, self.fragment)
            if placed is None:
                return None
            found.append(Edit(placed.span.shifted(self.site.start), placed.text))
        return found


@memoized(64)
def _checker(text: str, settings: Settings, given: tuple[GivenName, ...]) -> Checker:
    """The checker of a fragment; an editor asks for the same one with every move of the cursor."""
    return Checker(text, settings, given=given)
