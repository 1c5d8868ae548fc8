"""A document that was opened before the full server ran."""

from __future__ import annotations

from dataclasses import dataclass

from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.settings import Settings


@dataclass(slots=True)
class EarlyDocument:
    """A document and how far it is."""

    document: OpenDocument
    text: str
    """The text with which it was opened."""
    is_published: bool = False
    """Whether the client has its findings."""

    def is_for(self, version: int | None, text: str, settings: Settings) -> bool:
        """Whether a document opened with these would be the same."""
        mine = self.document
        return mine.version == version and mine.settings.checking == settings.checking and self.text == text
