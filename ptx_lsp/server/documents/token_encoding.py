"""Runs of semantic tokens as the protocol's numbers, made so that they can be joined.

The first two numbers of a token are relative to the token before it. So of a run it is kept where its first token
stands from its start, and how far its end is behind its last one.

Source: LSP specification, "Semantic Tokens".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Encoded(NamedTuple):
    """The tokens of a run of text. Lines and columns count from the last token, or the start of the run."""

    amount: int
    """How many tokens."""
    line: int
    """The line of the first token."""
    column: int
    """Its column: from the start of the line, or of the run if that is the same line."""
    numbers: str
    """All numbers, where the token before the run ends the line before it; the first two are those above."""
    end_line: int
    """The lines from the last token (without one: from the start) to the end of the run."""
    end_column: int
    """The columns on the last of these lines; from the last token if it stands there."""

    @property
    def rest(self) -> str:
        """The numbers behind the first two."""
        return self.numbers.split(",", 2)[2]


_NOTHING = Encoded(0, 0, 0, "", 0, 0)


def join(run: Sequence[Encoded]) -> Encoded:
    """One run of several."""
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
    """All numbers of a run whose start is so far behind the last token; nothing for a run without tokens."""
    if not found.amount:
        return ""
    return f"{line + found.line},{found.column if found.line else column + found.column},{found.rest}"


def behind(found: Encoded, line: int, column: int) -> tuple[int, int]:
    """How far the end of a run is behind the last token, where its start is so far behind the one before."""
    if found.amount:
        return found.end_line, found.end_column
    if found.end_line:
        return line + found.end_line, found.end_column
    return line, column + found.end_column
