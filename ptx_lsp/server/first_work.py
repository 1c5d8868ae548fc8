"""What is done for a client before the full server runs, for the server to take over."""

from __future__ import annotations

from dataclasses import dataclass, field

from ptx_lsp.server.client_requests import SentRequests
from ptx_lsp.server.configuration import Configurations
from ptx_lsp.server.documents.early_document import EarlyDocument


@dataclass(slots=True)
class FirstWork:
    """The state of a client's session."""

    configurations: Configurations
    """The settings, including those that the client has sent."""
    requests: SentRequests = field(default_factory=SentRequests)
    """The requests that were sent to the client."""
    documents: dict[str, EarlyDocument] = field(default_factory=dict)
    """The documents that were read, by URI."""

    @classmethod
    def nothing(cls, options: object) -> FirstWork:
        """The state after ``initialize`` with these ``initializationOptions``."""
        configurations = Configurations()
        configurations.start(options)
        return cls(configurations)
