"""Semantic tokens of two servers in one legend.

Those of this server are few and within strings: only the lines that have some are merged, the others are copied.

Source: LSP specification, "Semantic Tokens".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, groupby
from typing import Any, NamedTuple

from ptx_lsp.server.client.lookup import lookup

PREFIX = "textDocument/semanticTokens/"
_NUMBERS = 5
"""The numbers of a token."""


class _Token(NamedTuple):
    column: int
    length: int
    type: int
    modifiers: int


class MergedTokens:
    """The legend of both servers, and the last result of each document."""

    def __init__(self) -> None:
        self.is_offered = False
        """Whether the editor has the merged legend."""
        self.has_theirs = False
        """Whether the other server has tokens."""
        self._types: list[int] = []
        self._modifiers: list[int] = []
        self._count = 0
        self._last: dict[str, tuple[str, list[int]]] = {}

    def offered(self, theirs: Any, ours: Any) -> dict[str, Any] | None:
        """The ``semanticTokensProvider`` of both; the legend has the names of the other server first."""
        self.has_theirs = isinstance(theirs, Mapping)
        if not isinstance(ours, Mapping):
            return dict(theirs) if self.has_theirs else None
        self.is_offered = True
        types, self._types = _joined_names(_names(theirs, "tokenTypes"), _names(ours, "tokenTypes"))
        modifiers, self._modifiers = _joined_names(_names(theirs, "tokenModifiers"), _names(ours, "tokenModifiers"))
        has_range = bool(ours.get("range")) and (not self.has_theirs or bool(theirs.get("range")))
        legend = {"tokenTypes": types, "tokenModifiers": modifiers}
        return {"legend": legend, "full": {"delta": True}, "range": has_range}

    def part(self, theirs: Any, ours: Any) -> dict[str, Any]:
        """The result of ``range`` from those of both."""
        return {"data": self._joined(_data(theirs), _data(ours))}

    def all(self, uri: str, before: Any, theirs: Any, ours: Any) -> dict[str, Any]:
        """The result of ``full`` from those of both, or the edits since the result with the ID ``before``."""
        data = self._joined(_data(theirs), _data(ours))
        self._count += 1
        number = f"both-{self._count}"
        old = self._last.get(uri)
        self._last[uri] = number, data
        if old is None or old[0] != before:
            return {"resultId": number, "data": data}
        return {"resultId": number, "edits": _edits(old[1], data)}

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._last.pop(uri, None)

    def _joined(self, theirs: list[int], ours: list[int]) -> list[int]:
        """The numbers of both in the order of their places."""
        lines = list(accumulate(theirs[::_NUMBERS]))
        found: list[int] = []
        copied = last = 0

        def copy(end: int) -> None:
            nonlocal copied, last
            if copied < end:
                found.extend(theirs[copied * _NUMBERS : end * _NUMBERS])
                found[-(end - copied) * _NUMBERS] = lines[copied] - last
                copied, last = end, lines[end - 1]

        for line, tokens in _by_line(ours):
            first, end = bisect_left(lines, line), bisect_right(lines, line)
            copy(first)
            other = _of_line(theirs[first * _NUMBERS : end * _NUMBERS])
            column = 0
            for token in _merged_line(other, [self._renamed(one) for one in tokens]):
                found += (line - last, token.column - column, *token[1:])
                last, column = line, token.column
            copied = end
        copy(len(lines))
        return found

    def _renamed(self, token: _Token) -> _Token:
        """A token of this server in the merged legend."""
        modifiers = sum(1 << to for at, to in enumerate(self._modifiers) if token.modifiers >> at & 1)
        kind = self._types[token.type] if token.type < len(self._types) else 0
        return token._replace(type=kind, modifiers=modifiers)


def _merged_line(theirs: Sequence[_Token], ours: Sequence[_Token]) -> list[_Token]:
    """The tokens of a line; those of the other server end where ours begin, and continue after them."""
    found = list(ours)
    for token in theirs:
        start, end = token.column, token.column + token.length
        for one in ours:
            if start < one.column + one.length and one.column < end:
                if start < one.column:
                    found.append(token._replace(column=start, length=one.column - start))
                start = one.column + one.length
        if start < end:
            found.append(token._replace(column=start, length=end - start))
    return sorted(found)


def _by_line(data: list[int]) -> list[tuple[int, list[_Token]]]:
    lines = accumulate(data[::_NUMBERS])
    numbered = zip(lines, range(0, len(data), _NUMBERS), strict=False)
    parts = [(line, [at for _, at in group]) for line, group in groupby(numbered, key=lambda one: one[0])]
    return [(line, _of_line(data[places[0] : places[-1] + _NUMBERS])) for line, places in parts]


def _of_line(data: list[int]) -> list[_Token]:
    """The tokens of one line; the column of the first one is relative to the start of the line."""
    columns = accumulate(data[1::_NUMBERS])
    return [_Token(*one) for one in zip(columns, data[2::_NUMBERS], data[3::_NUMBERS], data[4::_NUMBERS], strict=False)]


def _edits(old: list[int], new: list[int]) -> list[dict[str, Any]]:
    """One edit that replaces what differs, if anything does."""
    start = _common(old, new)
    end = _common(old[: start - 1 if start else None : -1], new[: start - 1 if start else None : -1])
    if start == len(old) == len(new):
        return []
    return [{"start": start, "deleteCount": len(old) - start - end, "data": new[start : len(new) - end]}]


def _common(one: list[int], other: list[int]) -> int:
    """The length of the common start in whole tokens."""
    low, high = 0, min(len(one), len(other)) // _NUMBERS
    while low < high:
        middle = (low + high + 1) // 2
        part = slice(low * _NUMBERS, middle * _NUMBERS)
        if one[part] == other[part]:
            low = middle
        else:
            high = middle - 1
    return low * _NUMBERS


def _data(result: Any) -> list[int]:
    found = lookup(result, "data")
    if not isinstance(found, list) or len(found) % _NUMBERS or not all(isinstance(one, int) for one in found):
        return []
    return found


def _names(provider: Any, name: str) -> list[str]:
    found = lookup(provider, "legend", name)
    return [str(one) for one in found] if isinstance(found, list) else []


def _joined_names(theirs: list[str], ours: list[str]) -> tuple[list[str], list[int]]:
    """All names, and the place of each of ours among them."""
    found = [*theirs, *(one for one in ours if one not in theirs)]
    return found, [found.index(one) for one in ours]
