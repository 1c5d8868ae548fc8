"""``ptx-lsp explain``: prints a page, rendered on a terminal, as Markdown in a pipe."""

from __future__ import annotations

import sys

from ptx_lsp.cli.terminal import printable
from ptx_lsp.features.pages import find_page, nearest

_WIDTH = 100
"""Maximum columns: longer lines are hard to read."""


def explain(topic: str) -> int:
    """Print the page of ``topic``; 0, or 2 if there is none."""
    page = find_page(topic)
    if page is not None:
        _print(page)
        return 0
    near = " or ".join(f"'{word}'" for word in nearest(topic))
    meant = f"; did you mean {near}?" if near else ""
    print(f"ptx-lsp: no page for '{printable(topic)}'{meant}", file=sys.stderr)
    return 2


def _print(page: str) -> None:
    if not sys.stdout.isatty():
        sys.stdout.write(page)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(page, code_theme="ansi_dark"), width=min(_WIDTH, console.width))
