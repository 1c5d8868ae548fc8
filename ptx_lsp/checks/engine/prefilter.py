"""Statements that a check wants to see although the instruction set has nothing against them.

The analysis flags what ptxas refuses. A check that looks for something else says of a
*shape*, once, whether its statements can be meant (``accepts_shape(shape)``), and may have a
quick look at the text of each (``prefilter_statement(text, shape)``) before it gets them as a
:class:`~ptx_lsp.analysis.statements.context.StatementContext`. Most shapes interest no check, so most statements
cost nothing. Where they are many all the same, ``prefilter_chunk(text)`` says of the text of a
whole chunk whether any glance at its statements can succeed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks import CHECKS
from ptx_lsp.checks.support.finding import Finding
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape

log = logging.getLogger(__name__)

StatementCheck = Callable[[StatementContext], Iterator[Finding]]


class _Watcher(NamedTuple):
    check: StatementCheck
    prefilter_statement: Callable[[str, Shape], bool] | None
    prefilter_chunk: Callable[[str], bool] | None


_WATCHING = tuple(check for check in CHECKS if hasattr(check, "accepts_shape"))
_watchers: list[tuple[_Watcher, ...]] = []
"""By the id of a shape, who watches it."""
_watched: set[int] = set()
"""The shapes that are watched at all."""
_by_text: dict[str, tuple[StatementCheck, ...]] = {}
"""Who wants to see a statement of this text; lines of debug sections are alike by the thousand."""
_SHORT = 64
_MEMO_LIMIT = 100_000


def watched(chunk: Chunk) -> dict[int, tuple[StatementCheck, ...]]:
    """The statements of a chunk, by index, that some checks want to see, and those checks."""
    _ask_about_new_shapes()
    numbers = _watched.intersection(chunk.shapes)
    if not numbers:
        return {}
    passed: dict[StatementCheck, bool] = {}
    eager = {number: tuple(one for one in _watchers[number] if _passes(one, chunk.text, passed)) for number in numbers}
    eager = {number: watchers for number, watchers in eager.items() if watchers}
    if not eager:
        return {}
    many = ((index, number) for index, number in enumerate(chunk.shapes) if number in eager)
    found = {index: _interested(eager[number], number, chunk.part(index)) for index, number in many}
    return {index: checks for index, checks in found.items() if checks}


def inside(function: Function, chunk: Chunk, index: int) -> bool:
    """Whether a statement stands where it may: an instruction outside of a body is wrong as such."""
    if chunk.kinds[index] != Kind.INSTRUCTION:
        return True
    return any(segment.inside for segment in function.segments[chunk] if segment.start <= index < segment.end)


def _interested(watchers: tuple[_Watcher, ...], number: int, text: str) -> tuple[StatementCheck, ...]:
    interested = _by_text.get(text)
    if interested is None:
        shape = SHAPES[number]
        interested = tuple(
            watcher.check
            for watcher in watchers
            if watcher.prefilter_statement is None or _glance(watcher, text, shape)
        )
        if len(text) <= _SHORT:
            if len(_by_text) > _MEMO_LIMIT:
                _by_text.clear()
            _by_text[text] = interested
    return interested


def _passes(watcher: _Watcher, text: str, known: dict[StatementCheck, bool]) -> bool:
    """Whether a check wants to see some statement of a chunk; one whose sift raises is logged and does not."""
    if watcher.prefilter_chunk is None:
        return True
    passes = known.get(watcher.check)
    if passes is None:
        try:
            passes = watcher.prefilter_chunk(text)
        except Exception:
            log.exception("the sift of %s failed", watcher.check.__module__)
            passes = False
        known[watcher.check] = passes
    return passes


def _glance(watcher: _Watcher, text: str, shape: Shape) -> bool:
    """Whether a check wants to see a statement; one that raises is logged and does not."""
    assert watcher.prefilter_statement is not None
    try:
        return watcher.prefilter_statement(text, shape)
    except Exception:
        log.exception("the glance of %s failed", watcher.check.__module__)
        return False


def _ask_about_new_shapes() -> None:
    while len(_watchers) < len(SHAPES):
        shape = SHAPES[len(_watchers)]
        watchers = () if shape.errors else tuple(_ask(shape))
        if watchers:
            _watched.add(shape.id)
        _watchers.append(watchers)


def _ask(shape: Shape) -> Iterator[_Watcher]:
    for check in _WATCHING:
        try:
            wants = check.accepts_shape(shape)
        except Exception:
            log.exception("check %s failed", check.__name__)
            continue
        if wants:
            yield _Watcher(
                check.check, getattr(check, "prefilter_statement", None), getattr(check, "prefilter_chunk", None)
            )
