"""What changed between two answers to ``semanticTokens``.

Chunks are compared first: most of them are the same strings. Numbers are compared only in the others.

Source: LSP specification, "Semantic Tokens", ``SemanticTokensDelta``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class TokenSnapshot(NamedTuple):
    """All tokens of one state of a document: a string of numbers for each chunk, and how many tokens that is."""

    id: str
    parts: list[str]
    counts: list[int]

    @property
    def data(self) -> str:
        """All numbers, comma-separated."""
        return ",".join(filter(None, self.parts))


class TokensEdit(NamedTuple):
    """A ``SemanticTokensEdit``: numbers to leave out, and to put in there."""

    start: int
    deleted: int
    data: str


def difference(old: TokenSnapshot, new: TokenSnapshot) -> list[TokensEdit]:
    """What to change in one answer to get another, in order; places are those in the old one."""
    first = _common(old.parts, new.parts)
    most = min(len(old.parts), len(new.parts)) - first
    behind = _common(old.parts[len(old.parts) - most :][::-1], new.parts[len(new.parts) - most :][::-1])
    before, after = old.parts[first : len(old.parts) - behind], new.parts[first : len(new.parts) - behind]
    start = 5 * sum(old.counts[:first])
    if len(before) != len(after):
        return _change(start, before, after)
    # A name that is declared or no more: its uses may stand far from each other.
    different = sum(one is not other and one != other for one, other in zip(before, after, strict=True))
    found: list[TokensEdit] = []
    for one, other, amount in zip(before, after, old.counts[first:], strict=False):
        if one is not other and one != other:
            if different <= _COMPARED:
                found += _change(start, [one], [other])
            else:
                found.append(TokensEdit(start, 5 * amount, other))
        start += 5 * amount
    return _merged(found)


_COMPARED = 24
"""If more chunks than this changed, they are sent as they are."""


def _merged(changes: list[TokensEdit]) -> list[TokensEdit]:
    """The same with changes that touch as one: editors sort them by their starts."""
    found: list[TokensEdit] = []
    for change in changes:
        last = found[-1] if found else None
        if last is not None and last.start + last.deleted == change.start:
            data = ",".join(filter(None, (last.data, change.data)))
            found[-1] = TokensEdit(last.start, last.deleted + change.deleted, data)
        else:
            found.append(change)
    return found


def _change(start: int, before: list[str], after: list[str]) -> list[TokensEdit]:
    """The one change that makes some numbers others; none if they are the same."""
    old, new = _split(before), _split(after)
    same = _common(old, new)
    most = min(len(old), len(new)) - same
    tail = _common(old[len(old) - most :][::-1], new[len(new) - most :][::-1])
    deleted, data = len(old) - same - tail, new[same : len(new) - tail]
    return [TokensEdit(start + same, deleted, ",".join(data))] if deleted or data else []


def _split(parts: list[str]) -> list[str]:
    text = ",".join(filter(None, parts))
    return text.split(",") if text else []


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """How many items at the start of both are the same."""
    for index, (one, other) in enumerate(zip(left, right, strict=False)):
        if one is not other and one != other:
            return index
    return min(len(left), len(right))
