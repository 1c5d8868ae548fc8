"""Runs of semantic tokens as the protocol's numbers, in a form that can be concatenated.

The first two numbers of a token are relative to the token before it. So a run stores the distance from its start to
its first token, and that from its last token to its end.

Source: LSP specification, "Semantic Tokens".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ptx_lsp.features.semantic_tokens.tokens import SemanticToken
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.legend import Legend

_LINE_END = re.compile(r"\r\n|\n|\r")


class Encoded(NamedTuple):
    """The encoded tokens of a run of text."""

    amount: int
    """Number of tokens."""
    line: int
    """Line of the first token, relative to the start of the run."""
    column: int
    """Its column: from the start of the line, or of the run if that is on this line."""
    numbers: str
    """All numbers, comma-separated; the first two are ``line`` and ``column``."""
    end_line: int
    """Lines from the last token (without tokens: from the start) to the end of the run."""
    end_column: int
    """Columns on the last of these lines; from the last token if it is on that line."""

    @property
    def rest(self) -> str:
        """The numbers after the first two."""
        return self.numbers.split(",", 2)[2]


_NOTHING = Encoded(0, 0, 0, "", 0, 0)


def encode(found: Iterable[SemanticToken], text: str, encoding: Encoding, legend: Legend) -> Encoded:
    """The tokens of a text; their places ascend and are relative to its start."""
    breaks = [match.end() for match in _LINE_END.finditer(text)]
    units = _units(text, encoding)
    of_type, of_modifiers = legend.types, legend.modifiers
    numbers: list[str] = []
    line = place = 0  # the line and offset up to which tokens are encoded
    first: tuple[int, int] | None = None
    amount = 0
    at = 0
    line_start = 0
    for token in found:
        while at < len(breaks) and breaks[at] <= token.start:
            line_start = breaks[at]
            at += 1
        column = units(max(place, line_start), token.start) if at == line else units(line_start, token.start)
        length = units(token.start, token.end)
        attribute = f"{length},{of_type[token.type]},{of_modifiers(token.modifiers)}"
        first = first or (at, column)
        numbers.append(f"{at - line},{column},{attribute}")
        line, place = at, token.start
        amount += 1
    end_line = len(breaks) - line
    end_column = units(breaks[-1] if end_line else place, len(text))
    if first is None:
        return Encoded(0, 0, 0, "", end_line, end_column)
    return Encoded(amount, *first, ",".join(numbers), end_line, end_column)


def _units(text: str, encoding: Encoding) -> Callable[[int, int], int]:
    """A function that counts the column units of a part of the text."""
    if text.isascii() or encoding is Encoding.UTF_32:
        return lambda start, end: end - start
    return lambda start, end: encoding.units(text[start:end])


def join(run: Sequence[Encoded]) -> Encoded:
    """The concatenation of runs."""
    head = _NOTHING
    parts: list[str] = []
    amount = line = column = 0
    for found in run:
        if not found.amount:
            if found.end_line:
                line, column = line + found.end_line, found.end_column
            else:
                column += found.end_column
            continue
        if not amount:
            begin = found.column if found.line else column + found.column
            head = found._replace(line=line + found.line, column=begin)
        elif not line and found.line:
            parts.append(found.numbers)
        else:
            parts.append(numbers_of(found, line, column))
        amount += found.amount
        line, column = found.end_line, found.end_column
    if not amount:
        return Encoded(0, 0, 0, "", line, column)
    numbers = ",".join([f"{head.line},{head.column},{head.rest}", *parts])
    return Encoded(amount, head.line, head.column, numbers, line, column)


def numbers_of(found: Encoded, line: int, column: int) -> str:
    """All numbers of a run whose start is ``line`` lines and ``column`` columns after the last token."""
    if not found.amount:
        return ""
    return f"{line + found.line},{found.column if found.line else column + found.column},{found.rest}"


def distance_after(found: Encoded, line: int, column: int) -> tuple[int, int]:
    """Lines and columns from the last token to the end of a run; the arguments are those to its start."""
    if found.amount:
        return found.end_line, found.end_column
    if found.end_line:
        return line + found.end_line, found.end_column
    return line, column + found.end_column
