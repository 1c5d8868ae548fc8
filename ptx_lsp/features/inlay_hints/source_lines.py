"""``.loc 1 12 5  y[i] = a * x[i];``: the source line, after the ``.loc`` line."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.source_map import file_names, source_lines
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape

_LONGEST = 60
"""The maximum length of the text; it stands at the end of a line."""


def applies_to(shape: Shape) -> bool:
    """Whether it is a ``.loc`` line."""
    return shape.kind == Kind.LOCATION and not shape.errors


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the text of the source line; nothing if it cannot be read or is the one before."""
    read_line = seen.visible.read_line
    lines = source_lines(seen.chunk)
    at = next((at for at, one in enumerate(lines) if one.statement == seen.index), None)
    if read_line is None or at is None:
        return
    number, line, _ = lines[at].place
    if at and lines[at - 1].place[:2] == (number, line):
        return
    path = file_names(seen.module).get(number, "")
    text = read_line(path, line) if path and line else None
    if text is None or not text.strip():
        return
    shown = " ".join(text.split())
    label = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
    name = path.replace("\\", "/").rpartition("/")[2]

    def tooltip() -> str:
        return f"line {line} of `{name.replace(chr(96), chr(39))}`"

    yield Hint(seen.start + len(seen.text), label, "source_lines", HintPosition.AFTER, tooltip)
