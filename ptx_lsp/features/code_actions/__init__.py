"""Code actions: fixes of findings, and refactorings that preserve the meaning of the program.

One file per group of actions; :data:`_REFACTORINGS` and :data:`_SOURCE` list them.
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
    ActionRequest,
    CodeAction,
)
from ptx_lsp.features.code_actions.declare_function import declare_function
from ptx_lsp.features.code_actions.declare_register import declare_register
from ptx_lsp.features.code_actions.enclose_in_block import enclose_in_block
from ptx_lsp.features.code_actions.field_comments import field_comments
from ptx_lsp.features.code_actions.header import header, lowered, raised, raised_here
from ptx_lsp.features.code_actions.invert_branch import invert_branch
from ptx_lsp.features.code_actions.literal_spellings import literal_spellings
from ptx_lsp.features.code_actions.logic_expressions import logic_expressions
from ptx_lsp.features.code_actions.merge_declarations import merge_declarations
from ptx_lsp.features.code_actions.named_values import named_values
from ptx_lsp.features.code_actions.opcode_corrections import opcode_corrections
from ptx_lsp.features.code_actions.packed_fields import packed_fields
from ptx_lsp.features.code_actions.quick_fixes import all_of_a_kind, fix_all, quick_fixes
from ptx_lsp.features.code_actions.register_declarations import register_declarations
from ptx_lsp.features.code_actions.silence import silences
from ptx_lsp.features.code_actions.sort_qualifiers import sort_here, sorted_everywhere
from ptx_lsp.text import Span

__all__ = ["KINDS", "ActionRequest", "CodeAction", "code_actions", "is_wanted", "relevant_diagnostics"]

_PROPOSALS: tuple[Callable[[ActionRequest, list[Diagnostic]], Iterable[CodeAction]], ...] = (
    declare_register,
    declare_function,
    opcode_corrections,
    logic_expressions,
    raised_here,
)
"""Fixes that are searched for only when code actions are requested."""

_REFACTORINGS: tuple[Callable[[ActionRequest], Iterable[CodeAction]], ...] = (
    sort_here,
    literal_spellings,
    field_comments,
    packed_fields,
    named_values,
    register_declarations,
    merge_declarations,
    invert_branch,
    enclose_in_block,
    header,
)
"""Rewrites of the code under the cursor, independent of findings."""

_SOURCE: tuple[tuple[str, Callable[[ActionRequest], Iterable[CodeAction]]], ...] = (
    (RAISE_HEADER, raised),
    (LOWER_HEADER, lowered),
    (SORT_QUALIFIERS, sorted_everywhere),
)
"""Rewrites of a whole file, which a client requests by kind."""


def code_actions(
    request: ActionRequest, only: Collection[str] | None = None, chosen: Collection[Diagnostic] | None = None
) -> list[CodeAction]:
    """Return the available actions, most likely first.

    Args:
        request: the module, its findings and the selection.
        only: the requested kinds, each including its subkinds (``refactor`` includes ``refactor.rewrite``); None: all
            kinds except ``source``.
        chosen: the findings to fix; None: all findings in the selection.

    """
    return list(_offered(request, only, chosen))


def _offered(
    request: ActionRequest, only: Collection[str] | None, chosen: Collection[Diagnostic] | None
) -> Iterator[CodeAction]:
    if is_wanted(QUICK_FIX, only):
        here = _here(request)
        if chosen is not None:
            here = [one for one in here if one in chosen]
        here = with_header_fixes(request.semantics, here)
        yield from quick_fixes(request.semantics.module.document, here)
        for propose in _PROPOSALS if here else ():
            yield from propose(request, here)
        yield from all_of_a_kind(request, here)
        yield from silences(request, here)
    if is_wanted(REWRITE, only):
        for offer in _REFACTORINGS:
            yield from offer(request)
    if only is None:
        return
    if is_wanted(FIX_ALL, only):
        document = request.semantics.module.document
        whole = fix_all(document, with_header_fixes(request.semantics, request.diagnostics))
        if whole is not None:
            yield whole
    for kind, source in _SOURCE:
        if is_wanted(kind, only):
            yield from source(request)


def relevant_diagnostics(request: ActionRequest, only: Collection[str] | None = None) -> list[Diagnostic]:
    """Return the findings whose fixes :func:`code_actions` reads."""
    if only is not None and is_wanted(FIX_ALL, only):
        return list(request.diagnostics)
    codes = {one.code for one in _here(request)} if is_wanted(QUICK_FIX, only) else set()
    return [one for one in request.diagnostics if one.code in codes]


def _here(request: ActionRequest) -> list[Diagnostic]:
    start, end = request.span.start, request.span.end

    def is_here(span: Span) -> bool:
        return span.start <= end and start <= span.end

    return [
        one
        for one in request.diagnostics
        if is_here(one.span) or (one.repeats and any(is_here(place.span) for place in one.repeats))
    ]


def is_wanted(kind: str, only: Collection[str] | None) -> bool:
    """Whether a kind of action, or a parent of it, is among the requested kinds."""
    return only is None or any(not one or kind == one or kind.startswith(f"{one}.") for one in only)
