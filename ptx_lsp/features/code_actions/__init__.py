"""What can be done at a place of the text: fixes of findings, and changes that keep the meaning.

A file for each group; :data:`_REFACTORINGS` and :data:`_SOURCE` are the contents page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from ptx_lsp.checks.engine.header_fixes import with_header_fixes
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.features.code_actions.action import (
    FIX_ALL,
    KINDS,
    LOWER_HEADER,
    QUICK_FIX,
    RAISE_HEADER,
    REWRITE,
    SORT_QUALIFIERS,
    Asked,
    CodeAction,
)
from ptx_lsp.features.code_actions.braces import braces
from ptx_lsp.features.code_actions.branches import branches
from ptx_lsp.features.code_actions.declare import declare
from ptx_lsp.features.code_actions.external import external
from ptx_lsp.features.code_actions.field_comments import field_comments
from ptx_lsp.features.code_actions.fixes import all_of_a_kind, fix_all, fixes
from ptx_lsp.features.code_actions.header import header, lowered, raised, raised_here
from ptx_lsp.features.code_actions.literals import literals
from ptx_lsp.features.code_actions.logic_expressions import logic_expressions
from ptx_lsp.features.code_actions.merging import merging
from ptx_lsp.features.code_actions.named_values import named_values
from ptx_lsp.features.code_actions.opcodes import opcodes
from ptx_lsp.features.code_actions.packed_fields import packed_fields
from ptx_lsp.features.code_actions.qualifiers import sort_here, sorted_everywhere
from ptx_lsp.features.code_actions.registers import registers
from ptx_lsp.features.code_actions.silence import silences

__all__ = ["KINDS", "Asked", "CodeAction", "code_actions", "concerned", "is_wanted"]

_PROPOSALS: tuple[Callable[[Asked, list[Diagnostic]], Iterable[CodeAction]], ...] = (
    declare,
    external,
    opcodes,
    logic_expressions,
    raised_here,
)
"""Remedies that are only looked for where somebody asks."""

_REFACTORINGS: tuple[Callable[[Asked], Iterable[CodeAction]], ...] = (
    sort_here,
    literals,
    field_comments,
    packed_fields,
    named_values,
    registers,
    merging,
    branches,
    braces,
    header,
)
"""Changes of what is under the cursor, whether or not there is a finding."""

_SOURCE: tuple[tuple[str, Callable[[Asked], Iterable[CodeAction]]], ...] = (
    (RAISE_HEADER, raised),
    (LOWER_HEADER, lowered),
    (SORT_QUALIFIERS, sorted_everywhere),
)
"""Changes of a whole file, which a client has to ask for by name."""


def code_actions(
    asked: Asked, only: Collection[str] | None = None, chosen: Collection[Diagnostic] | None = None
) -> list[CodeAction]:
    """What can be done, the likeliest first.

    Args:
        asked: the text, its findings and the place.
        only: the kinds that are wanted, each with all that it is the beginning of (``refactor`` stands for
            ``refactor.rewrite`` too); None: all but those of whole files.
        chosen: the findings that are to be mended; None: all at the place.

    """
    return list(_offered(asked, only, chosen))


def _offered(asked: Asked, only: Collection[str] | None, chosen: Collection[Diagnostic] | None) -> Iterator[CodeAction]:
    if is_wanted(QUICK_FIX, only):
        here = _here(asked)
        if chosen is not None:
            here = [one for one in here if one in chosen]
        here = with_header_fixes(asked.semantics, here)
        yield from fixes(here)
        for propose in _PROPOSALS if here else ():
            yield from propose(asked, here)
        yield from all_of_a_kind(asked, here)
        yield from silences(asked, here)
    if is_wanted(REWRITE, only):
        for offer in _REFACTORINGS:
            yield from offer(asked)
    if only is None:
        return
    if is_wanted(FIX_ALL, only):
        whole = fix_all(with_header_fixes(asked.semantics, asked.diagnostics))
        if whole is not None:
            yield whole
    for kind, source in _SOURCE:
        if is_wanted(kind, only):
            yield from source(asked)


def concerned(asked: Asked, only: Collection[str] | None = None) -> list[Diagnostic]:
    """The findings whose fixes :func:`code_actions` looks at."""
    if only is not None and is_wanted(FIX_ALL, only):
        return list(asked.diagnostics)
    codes = {one.code for one in _here(asked)} if is_wanted(QUICK_FIX, only) else set()
    return [one for one in asked.diagnostics if one.code in codes]


def _here(asked: Asked) -> list[Diagnostic]:
    start, end = asked.span.start, asked.span.end
    return [one for one in asked.diagnostics if one.span.start <= end and start <= one.span.end]


def is_wanted(kind: str, only: Collection[str] | None) -> bool:
    """Whether a kind of actions, or one that it is part of, is among those that are asked for."""
    return only is None or any(not one or kind == one or kind.startswith(f"{one}.") for one in only)
