"""A few lines of prose in the client's format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ptx_lsp.server.capabilities import lookup

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


def prose(text: str, server: Server) -> str | dict[str, Any]:
    """Lines with code spans in backticks and no other marks: Markdown for a client that shows it, else plain text.

    There is no capability that says it of tooltips; a client that shows Markdown in hovers shows it there too.
    """
    formats = lookup(server.client, "textDocument", "hover", "contentFormat")
    if isinstance(formats, list) and formats[:1] == ["markdown"]:
        return {"kind": "markdown", "value": text.replace("\n", "  \n")}
    return text.replace("`", "")
