"""Positions in a text by the letter of the protocol, written independently of the server's."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, NamedTuple

ENCODINGS = ("utf-8", "utf-16", "utf-32")

Range = dict[str, dict[str, int]]

_LINE_END = re.compile(r"\r\n|\n|\r")
_BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


class Edit(NamedTuple):
    """A replacement in a text, by code points."""

    start: int
    end: int
    new: str


class Text:
    """A text with its lines.

    Args:
        text: the text.
        encoding: the unit of columns, by the protocol's name.

    """

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self.encoding = encoding
        self._is_plain = encoding == "utf-32" or text.isascii()
        ends = list(_LINE_END.finditer(text))
        self._starts = [0, *(one.end() for one in ends)]
        self._stops = [*(one.start() for one in ends), len(text)]

    def units(self, text: str) -> int:
        """The length of a part of a line."""
        if self._is_plain or self.encoding not in _BYTES:
            return len(text)
        name, size = _BYTES[self.encoding]
        return len(text.encode(name)) // size

    @property
    def lines(self) -> int:
        """Number of lines."""
        return len(self._starts)

    def length(self, line: int) -> int:
        """The length of a line in units, without its end."""
        return self.units(self.text[self._starts[line] : self._stops[line]])

    def position(self, offset: int) -> dict[str, int]:
        """The position of a code point."""
        line = bisect_right(self._starts, offset) - 1
        return {"line": line, "character": self.units(self.text[self._starts[line] : min(offset, self._stops[line])])}

    def range(self, start: int, end: int) -> Range:
        """The range between two code points."""
        return {"start": self.position(start), "end": self.position(end)}

    def offset(self, position: Any) -> int:
        """The code point at a position; past the end of its line means the line's end."""
        line, character = position["line"], position["character"]
        if line >= len(self._starts):
            return len(self.text)
        start, stop = self._starts[line], self._stops[line]
        if self._is_plain:
            return min(start + character, stop)
        offset = start
        while offset < stop and self.units(self.text[start : offset + 1]) <= character:
            offset += 1
        return offset

    def contains(self, position: Any) -> bool:
        """Whether a position exists: the line does, and the column is not past its end."""
        line, character = position["line"], position["character"]
        return 0 <= line < len(self._starts) and 0 <= character <= self.length(line)

    def changed(self, change: dict[str, Any]) -> Text:
        """The text after one item of ``contentChanges``."""
        if "range" not in change:
            return Text(change["text"], self.encoding)
        ends = sorted((self.offset(change["range"]["start"]), self.offset(change["range"]["end"])))
        return Text(self.text[: ends[0]] + change["text"] + self.text[ends[1] :], self.encoding)

    def edited(self, edits: list[Edit]) -> str:
        """The text after edits that do not overlap."""
        parts, before = [], 0
        for edit in sorted(edits, key=lambda one: (one.start, one.end)):
            parts += [self.text[before : edit.start], edit.new]
            before = edit.end
        return "".join(parts) + self.text[before:]


def difference(old: str, new: str) -> Edit:
    """The one replacement that makes ``new`` of ``old``."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return Edit(start, len(old) - end, new[start : len(new) - end])
