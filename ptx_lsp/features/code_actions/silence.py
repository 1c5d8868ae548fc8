"""Quick fix: suppress a finding with a comment at the end of its line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import ActionRequest, CodeAction
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

_IGNORED = re.compile(r"//\s*ptx-lsp:\s*ignore\[([^\[\]]*+)(?=\])")


def silences(request: ActionRequest, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """Offer the suppression of each code among ``here``; errors cannot be suppressed."""
    found: dict[str, Diagnostic] = {}
    for diagnostic in here:
        if diagnostic.code[0] not in "EI":
            found.setdefault(diagnostic.code, diagnostic)
    for diagnostic in found.values():
        yield _silence(request.module.document, diagnostic)


def _silence(document: Document, diagnostic: Diagnostic) -> CodeAction:
    """Append a suppression comment to the line, or add the code to an existing one."""
    line, _ = document.position(diagnostic.span.start)
    text = document.line_text(line)
    start = document.offset(line, 0)
    there = _IGNORED.search(text)
    if there is not None:
        end = start + there.end()
        edit = Edit(Span(end, end), f"{', ' if there[1].strip() else ''}{diagnostic.code}")
    else:
        end = start + len(text.rstrip())
        edit = Edit(Span(end, end), f" // ptx-lsp: ignore[{diagnostic.code}]")
    return CodeAction(f"silence {diagnostic.code} {diagnostic.name} on this line", (edit,), (diagnostic,))
