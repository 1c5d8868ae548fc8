"""Short texts in the client's markup format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ptx_lsp.server.client.client import Client


def prose(text: str, client: Client) -> str | dict[str, Any]:
    """Lines with code spans in backticks and no other markup, as Markdown if the client supports it.

    There is no such capability for tooltips; a client that renders Markdown in hovers renders it there too.
    """
    formats = client.capability("textDocument", "hover", "contentFormat")
    if isinstance(formats, list) and formats[:1] == ["markdown"]:
        return {"kind": "markdown", "value": text.replace("\n", "  \n")}
    return text.replace("`", "")
