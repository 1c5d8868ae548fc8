"""Differences between two results of ``semanticTokens``.

Chunks are compared first: most of them are equal strings. Numbers are compared only in the others.

Source: LSP specification, "Semantic Tokens", ``SemanticTokensDelta``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.named_tuples import NamedTuple


class TokenSnapshot(NamedTuple):
    """All tokens of one state of a document: the numbers of each chunk as a string, and its count of tokens."""

    id: str
    parts: list[str]
    counts: list[int]

    @property
    def data(self) -> str:
        """All numbers, comma-separated."""
        return ",".join(filter(None, self.parts))


class TokensEdit(NamedTuple):
    """A ``SemanticTokensEdit``: a count of numbers to delete, and the numbers to insert."""

    start: int
    deleted: int
    data: str


def difference(old: TokenSnapshot, new: TokenSnapshot) -> list[TokensEdit]:
    """The edits that change one result to another, in order; places are those in the old one."""
    first = _common(old.parts, new.parts)
    most = min(len(old.parts), len(new.parts)) - first
    last = _common(old.parts[len(old.parts) - most :][::-1], new.parts[len(new.parts) - most :][::-1])
    before, after = old.parts[first : len(old.parts) - last], new.parts[first : len(new.parts) - last]
    start = 5 * sum(old.counts[:first])
    if len(before) != len(after):
        return _change(start, before, after)
    # A declaration was added or removed: the uses of its name may be far apart.
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
"""If more chunks than this have changed, they are sent whole."""


def _merged(changes: list[TokensEdit]) -> list[TokensEdit]:
    """Merge adjacent edits: editors sort edits by their starts."""
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
    """The edit that changes some numbers to others; none if they are equal."""
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
    """Length of the common prefix."""
    for index, (one, other) in enumerate(zip(left, right, strict=False)):
        if one is not other and one != other:
            return index
    return min(len(left), len(right))
