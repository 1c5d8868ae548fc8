"""The language of a document that is opened."""

from __future__ import annotations

from ptx_lsp.server.client.file_uris import path_of_file


def host_language(uri: str, language_id: str) -> str | None:
    """The language of a document if it is one with inline assembly.

    The tables of languages are read for the first document that is not PTX.
    """
    if language_id == "ptx" or uri.endswith(".ptx"):
        return None
    from ptx_lsp.hosts.host_tables import host_of

    return host_of(path_of_file(uri) or uri, language_id)
