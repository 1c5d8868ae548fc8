"""A document that was opened before the full server ran."""

from __future__ import annotations

from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.settings import Settings


class EarlyDocument:
    """A document and how far it is.

    Args:
        document: the document, perhaps half read.
        text: the text with which it was opened.

    """

    def __init__(self, document: OpenDocument, text: str) -> None:
        self.document = document
        self.is_published = False
        """Whether the client has its findings."""
        self._text = text

    def is_for(self, version: int | None, text: str, settings: Settings) -> bool:
        """Whether a document opened with these would be the same."""
        mine = self.document
        return mine.version == version and mine.settings.checking == settings.checking and self._text == text
