"""Parts that the pages of functions share: links to lines, statements on one line."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.names.demangle import names_within

_LONGEST = 100


def line_link(uri: str, first: int, last: int | None = None) -> str:
    """Return a link to a line, or to several, of a document."""
    text = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
    return f"[{text}]({uri}#L{first})"


def shortened(context: StatementContext) -> str:
    """Return the text of a statement on one line with shortened names, cut after a hundred characters."""
    text = " ".join(context.statement.text[context.statement.lead :].split())
    if "_Z" in text or "_R" in text:
        symbol = context.function.symbol
        text = text.replace(f"{symbol.name}_param_", "param_") if symbol is not None else text
        text = names_within(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
