"""The work done for a client before the full server runs, which the server takes over."""

from __future__ import annotations

from ptx_lsp.server.client_requests import SentRequests
from ptx_lsp.server.configuration import Configurations
from ptx_lsp.server.documents.early_document import EarlyDocument


class FirstWork:
    """The state of a client's session.

    Args:
        options: the client's ``initializationOptions``.

    """

    def __init__(self, options: object) -> None:
        self.configurations = Configurations()
        """The settings, including those that the client has sent."""
        self.configurations.start(options)
        self.requests = SentRequests()
        """The requests that were sent to the client."""
        self.documents: dict[str, EarlyDocument] = {}
        """The documents that were read, by URI."""
