"""Semantic tokens of the inline assembly in a document of another language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Protocol

from ptx_lsp.checks.embedded.host_checker import HostChecker
from ptx_lsp.checks.embedded.verdicts import likeliest_target
from ptx_lsp.features.semantic_tokens.fragment_tokens import fragment_tokens
from ptx_lsp.features.semantic_tokens.tokens import SemanticToken
from ptx_lsp.hosts.site import Certainty, Site
from ptx_lsp.hosts.site_index import SiteIndex
from ptx_lsp.isa.model.version import Version
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.legend import Legend
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.server.documents.token_changes import TokensEdit, TokenSnapshot, difference
from ptx_lsp.server.documents.token_encoding import Encoded, encode, numbers_of
from ptx_lsp.settings import Settings

_RESULT_IDS = count(1)
"""Unique over all documents."""


class _Document(Protocol):
    settings: Settings
    encoding: Encoding
    index: SiteIndex
    checker: HostChecker

    @property
    def lines(self) -> DocumentLines: ...


class HostTokens:
    """The tokens of one document for one client. Those of statements that an edit does not touch are kept.

    Args:
        document: the document.
        legend: the client's legend.

    """

    def __init__(self, document: _Document, legend: Legend) -> None:
        self._document = document
        self._legend = legend
        self._depends_on = self._in_effect()
        self._known: dict[Site, Encoded] = {}
        self._last: TokenSnapshot | None = None

    def preparing(self, start: int = 0, end: int | None = None) -> Iterator[None]:
        """Make the tokens of the statements in a part of the text, a statement at a time."""
        if self._depends_on != (in_effect := self._in_effect()):
            self._depends_on, self._known = in_effect, {}
        index = self._document.index
        for site in index.sites if end is None else index.sites_in(start, end):
            if site not in self._known and site.certainty is not Certainty.HOST:
                self._known[site] = self._made(site)
                yield

    def _in_effect(self) -> tuple[object, ...]:
        """The settings and targets that the tokens of all statements depend on."""
        return self._document.settings, self._document.checker.named

    def full(self) -> TokenSnapshot:
        """All tokens; the result is kept for :meth:`changes`. :meth:`preparing` has to end first."""
        sites = self._document.index.sites
        self._known = {site: self._known[site] for site in sites if site in self._known}
        parts = self._parts(sites)
        counts = [self._known[site].amount for site in self._known]
        self._last = TokenSnapshot(f"asm{next(_RESULT_IDS)}", parts, counts)
        return self._last

    def changes(self, before: str) -> tuple[TokenSnapshot, list[TokensEdit] | None]:
        """All tokens, and the edits since the result ``before``; None if that is not the last one."""
        old = self._last
        new = self.full()
        return new, difference(old, new) if old is not None and old.id == before else None

    def between(self, start: int, end: int) -> str:
        """The numbers of the statements that touch a part of the text. :meth:`preparing` has to end first."""
        return ",".join(filter(None, self._parts(self._document.index.sites_in(start, end))))

    def _parts(self, sites: Sequence[Site]) -> list[str]:
        """The numbers of each statement that has been prepared."""
        lines = self._document.lines
        found: list[str] = []
        last = Position(0, 0)
        for site in sites:
            tokens = self._known.get(site)
            if tokens is None:
                continue
            start = lines.position(site.start)
            is_same = start.line == last.line
            found.append(numbers_of(tokens, start.line - last.line, start.character - last.character * is_same))
            if tokens.amount:
                end = lines.position(site.start + len(_text(site)))
                is_last_line = not tokens.end_line
                last = Position(end.line - tokens.end_line, end.character - tokens.end_column if is_last_line else -1)
        return found

    def _made(self, site: Site) -> Encoded:
        document = self._document
        found: list[SemanticToken] = []
        version = document.settings.ptx_version
        for fragment in document.checker.fragments(site):
            targets = document.checker.targets_of(site, fragment)
            target = likeliest_target(fragment, targets, version)
            found += fragment_tokens(fragment, target, Version.parse(version) if version else None)
        found.sort(key=_start)
        return encode(_apart(found), _text(site), document.encoding, self._legend)


def _text(site: Site) -> str:
    """The text of a statement; one without an end can end between the two characters of a line end."""
    return site.text.removesuffix("\r")


def _apart(found: Sequence[SemanticToken]) -> Iterator[SemanticToken]:
    """The tokens without those that begin before the end of an earlier one: variants of a statement share text."""
    end = 0
    for token in found:
        if token.start >= end:
            yield token
            end = token.end


def _start(token: SemanticToken) -> int:
    return token.start
