"""The client: its capabilities and options from ``initialize``, and the choices that follow from them.

Imported before the first answer: nothing here needs pygls.
"""

from __future__ import annotations

from collections.abc import Mapping

from ptx_lsp.server.client.columns import choose
from ptx_lsp.server.client.legend import legend
from ptx_lsp.server.client.lookup import lookup


class Client:
    """One client.

    Args:
        capabilities: its ``ClientCapabilities``, as received.
        options: its ``initializationOptions``.

    """

    def __init__(self, capabilities: object = None, options: object = None) -> None:
        self.capabilities = capabilities
        self.options = options
        offered = self.capability("general", "positionEncodings")
        self.encoding = choose(offered if isinstance(offered, list) else ())
        """Unit of columns."""
        self.legend = legend(capabilities, options)
        """Names of semantic tokens."""
        self.pushes = not self._uses_pull()
        """Whether diagnostics are published; otherwise the client requests them."""
        commands = lookup(options, "commands")
        self.commands = frozenset(filter(_is_text, commands)) if isinstance(commands, list) else frozenset()
        """Commands that the client itself offers, from ``commands`` in its ``initializationOptions``."""
        self.has_settings = self.supports("workspace", "configuration")
        """Whether the server may request settings."""
        self.watches_files = self.supports("workspace", "didChangeWatchedFiles", "dynamicRegistration")
        """Whether the client reports changes of files."""

        self.registers_for_ptx = lookup(options, "registerForPtx") is True
        """Whether features that other servers have for other languages are registered for documents of PTX only."""

    @classmethod
    def of(cls, params: object) -> Client:
        """The client that sent an ``initialize`` request with these parameters."""
        return cls(lookup(params, "capabilities"), lookup(params, "initializationOptions"))

    def capability(self, *path: str) -> object:
        """The capability at ``path``; None if the client does not announce it."""
        return lookup(self.capabilities, *path)

    def supports(self, *path: str) -> bool:
        """Whether the capability at ``path`` is true."""
        return self.capability(*path) is True

    @property
    def announces_pull(self) -> bool:
        """Whether ``diagnosticProvider`` is announced: not to clients that would then show each diagnostic twice."""
        can_pull = isinstance(self.capability("textDocument", "diagnostic"), Mapping)
        return not can_pull or not self.pushes

    def _uses_pull(self) -> bool:
        """Whether this client requests diagnostics, so that none are pushed.

        Editors that support both show each diagnostic twice if a server does both. Push is faster, so it is used
        unless the client does not support it or sets ``"pullDiagnostics": true`` in its ``initializationOptions``.
        """
        if not isinstance(self.capability("textDocument", "diagnostic"), Mapping):
            return False
        if lookup(self.options, "pullDiagnostics") is True:
            return True
        return not isinstance(self.capability("textDocument", "publishDiagnostics"), Mapping)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
