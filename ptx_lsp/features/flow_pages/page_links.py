"""Parts that the pages of functions share: links to lines, statements on one line."""

from __future__ import annotations

import re

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.names.demangle import names_within

_UNBROKEN = "\N{NO-BREAK SPACE}"
"""Previews break lines at any other."""
WIDTH = 100
"""Number of characters of a line of a page."""


def line_link(uri: str, first: int, last: int | None = None) -> str:
    """Return a link to a line, or to several, of a document."""
    text = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
    return f"[{text.replace(' ', _UNBROKEN)}]({uri}#L{first})"


def number_link(uri: str, line: int) -> str:
    """Return a link to a line of a document by its number alone, for a list after the word ``lines``."""
    return f"[{line}]({uri}#L{line})"


def shortened(context: StatementContext) -> str:
    """Return the text of a statement on one line with shortened names, cut so that it fits a line of a page."""
    text = " ".join(context.statement.text[context.statement.lead :].split())
    if "_Z" in text or "_R" in text:
        symbol = context.function.symbol
        text = text.replace(f"{symbol.name}_param_", "param_") if symbol is not None else text
        text = names_within(text)
    return cut(text, WIDTH)


def cut(text: str, most: int) -> str:
    """Return a text, or its first characters and an ellipsis, ``most`` together."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def columns(cell: str) -> int:
    """Return the number of characters of a cell of a table that are visible: without marks and addresses of links."""
    return len(_LINK.sub(r"\1", cell).replace("`", ""))


_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
