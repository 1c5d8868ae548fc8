"""PTX with carets: a comment line below a statement marks its syntax errors.

    add.s32 %r1, %r2
    //              ^ E101: ';' expected after '%r2'

Carets stand under the span of the error; one caret also stands for the empty span
between two characters. The caret lines are removed before the text is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.errors import syntax_errors

_CARETS = re.compile(r"//\s*(?P<carets>\^+) (?P<text>[A-Z]\d{3}: .*)")


def errors(text: str) -> Iterator[Diagnostic]:
    """All syntax errors of a text, with absolute spans."""
    document = Document(text)
    for number, chunk in enumerate(document.chunks):
        for index in chunk.flawed():
            start = document.chunk_start(number) + chunk.starts()[index]
            yield from (error.shifted(start) for error in syntax_errors(chunk.statement(index)))


def check_errors(annotated: str) -> None:
    """Check that the errors of ``annotated`` are exactly those of its caret lines."""
    lines: list[str] = []
    expected = []
    for line in annotated.strip("\n").split("\n"):
        match = _CARETS.fullmatch(line)
        if match:
            start = match.start("carets")
            expected.append((len(lines) - 1, start, len(match["carets"]), match["text"]))
        else:
            lines.append(line)
    document = Document("\n".join(lines) + "\n")
    found = []
    for error in errors(document.text):
        line, column = document.position(error.span.start)
        length = max(error.span.end - error.span.start, 1)
        found.append((line, column, length, f"{error.code}: {error.message}"))
    assert found == expected, "\n".join(["", *map(str, found), "expected:", *map(str, expected)])


def check_fixed(text: str, fixed: str) -> None:
    """Check that the first fix of the first error of ``text`` yields ``fixed``, without errors."""
    first = next(errors(text))
    for edit in sorted(first.fixes[0].edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert text == fixed
    assert not list(errors(text))
