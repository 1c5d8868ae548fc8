"""The parts of an open document that its publisher and its reader use, whatever its language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ptx_lsp.server.documents.document import TextChange
from ptx_lsp.settings import Settings


class CheckedDocument(Protocol):
    """A document of PTX, or of a language with inline assembly."""

    uri: str
    version: int | None
    settings: Settings
    incomplete_views: set[str]
    revision: int

    @property
    def is_ready(self) -> bool:
        """Whether the whole text has been read."""

    @property
    def is_complete(self) -> bool:
        """Whether :meth:`follow` has nothing left to do."""

    def closing(self) -> Iterator[None]:
        """Free the memory of the document, in steps of a few milliseconds; nothing else may be asked then.

        The revision changes at the call.
        """

    def list_findings(self, seconds: float) -> bool:
        """Make the list of the findings for about ``seconds``; whether it is made."""

    @property
    def findings(self) -> str:
        """The findings as a JSON array of LSP diagnostics."""

    def work(self, seconds: float) -> bool:
        """Continue reading the text for about ``seconds``; whether the document is ready."""

    def follow(self, seconds: float) -> bool:
        """Continue the checks for about ``seconds``; whether they are complete."""

    def change(self, change: TextChange) -> None:
        """Apply one change."""

    def recheck(self, settings: Settings) -> bool:
        """Check the text again with other settings, if they can have other findings; whether they can."""
