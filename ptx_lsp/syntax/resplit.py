"""Splitting of edited text up to where a new statement boundary coincides with an old chunk boundary."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Sequence
from itertools import accumulate

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.split import LOOK_AHEAD, MOST_PIECES, is_piece, splitting
from ptx_lsp.syntax.trivia import open_comment


class Following(NamedTuple):
    """The chunks that an edited text may grow into."""

    chunks: Sequence[Chunk]
    closing: bytes | bytearray
    r"""For each chunk 1 if it contains ``*/``; a further 1 if such a mark follows after all of them."""


def resplitting(window: str, following: Following, stop: int) -> Generator[None, None, tuple[list[str], int]]:
    """The statements of ``window``, the text before chunk ``stop``, and of as many more chunks as it takes; in steps.

    Returns:
        The statements, and the first chunk that is as before.

    """
    step = 1
    while True:
        parts, is_open = yield from _splitting_before(window, following, stop)
        if parts is not None:
            return parts, stop
        # The window must grow until it contains the end of the comment.
        further = following.closing.find(1, stop) + 1 if is_open else stop + step
        further = min(further, len(following.chunks))
        window += "".join([chunk.text for chunk in following.chunks[stop:further]])
        stop = further
        step *= 4


def _splitting_before(
    window: str, following: Following, stop: int
) -> Generator[None, None, tuple[list[str] | None, bool]]:
    """The statements of ``window`` if they end where chunk ``stop`` begins, and whether a comment is open there."""
    chunks, closing = following
    ahead = []
    statements = 0
    follower = stop
    is_closed_in_rest = False
    continues = False
    while follower < len(chunks) and (statements <= LOOK_AHEAD or continues):
        chunk = chunks[follower]
        seen = min(2 * LOOK_AHEAD, len(chunk))
        while seen < min(len(chunk), MOST_PIECES) and is_piece(chunk.part(seen)):
            seen += 1
        end = chunk.starts()[min(seen + 1, len(chunk))]  # with the ',' or '}' that makes an element of them
        ahead.append(chunk.text[:end])
        is_closed_in_rest = chunk.closes and chunk.text.find("*/", max(end - 1, 0)) >= 0
        statements += len(chunk)
        continues = statements < MOST_PIECES and is_piece(chunk.part(len(chunk) - 1))
        follower += 1
        if end < chunk.length:
            break
    closed_later = is_closed_in_rest or closing.find(1, follower) >= 0
    parts = yield from splitting(window + "".join(ahead), closed_later)
    is_open = closed_later and any(open_comment(part) >= 0 for part in parts)
    if stop == len(chunks):
        return parts, is_open
    if is_open:
        return None, True
    # The number of statements of which the text before chunk ``stop`` consists, if a statement ends there.
    ends = list(accumulate(map(len, parts), initial=0))
    count = bisect_left(ends, len(window))
    return (parts[:count], False) if count < len(parts) and ends[count] == len(window) else (None, False)
