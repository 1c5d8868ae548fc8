"""E109 module-header."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.analysis.module.header import ADDRESS_SIZES, HeaderLine, opening_statements, target_of
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.support.deletion import deletion
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

RULE = error("E109")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A module that does not begin with `.version` and then `.target`.

    ```ptx
    //- module
    .target sm_80
    // <--- error[E109]: a module must begin with '.version'
    // ptxas: Missing .version directive at start of file
    ```

    **Right:**

    ```ptx
    //- module
    .version 8.0
    .target sm_80
    .address_size 64
    ```

    **Fixes offered:** insert the missing line.

    ---

    The order is: `.version` once, `.target` once or several times, `.address_size` (32 or 64) at most once. The first
    word after `.target` must be an architecture; of several architectures ptxas uses the last. Contrary to the manual
    it accepts another `.target` in the body of a function, but not between functions.
    """
    statements = opening_statements(module.document.chunks)
    opening = list(islice((place for place in statements if _kind(place) != Kind.EMPTY), _MOST_OPENING))
    reported = list(_beginning(module, opening))
    places = {placed.place for placed in reported}
    seen: set[str] = set()
    for line in module.header.lines:
        yield None
        while reported and not module.positions.is_before(line.place.chunk, line.place.statement, reported[0].place):
            yield reported.pop(0)
        fault = None if _is_inside(module, line.place) else _fault(module, line, seen)
        if fault is not None and line.place not in places:
            yield PlacedFinding(line.place, fault)
        seen.add(line.directive)
    yield from reported


def _is_inside(module: Module, place: Place) -> bool:
    return module.function_of(place.chunk).is_inside(place.chunk, place.statement)


def check_empty() -> Iterator[Finding]:
    """An empty file."""
    yield RULE.at(Span(0, 0), "the file is empty; a module must begin with '.version'")


def _names_target(place: Place) -> bool:
    """Whether a statement is a misspelt '.target', whose correction is the fix: it names an architecture."""
    statement = place.chunk.statement(place.statement)
    return any(target_of(statement.word(at)) is not None for at in range(min(len(statement.tokens), _MOST_WORDS)))


_MOST_WORDS = 6


def _kind(place: Place) -> Kind:
    return Kind(place.chunk.kinds[place.statement])


def _is_broken(place: Place) -> bool:
    """Whether a line of the header is not finished."""
    shape = place.chunk.statement(place.statement).shape
    return shape.kind is not Kind.HEADER and shape.meant == Kind.HEADER


def _span(place: Place, token: int) -> Span:
    return place.chunk.statement(place.statement).span(token)


_MOST_OPENING = 2


def _beginning(module: Module, opening: list[Place]) -> Iterator[PlacedFinding]:
    """The faults of the first two statements; a broken one is a syntax error and nothing else."""
    if not opening:
        chunks = module.document.chunks
        if chunks:
            yield PlacedFinding(Place(chunks[0], 0, 0), _no_version(module, Span(0, 0)))
        return
    first, second = opening[0], opening[1] if len(opening) > 1 else None
    if _is_broken(first):
        return
    lines = {line.place: line for line in module.header.lines if line.place in opening}
    line = lines.get(first)
    if line is None or line.directive != ".version":
        yield PlacedFinding(first, _no_version(module, _span(first, 0)))
        if line is None or line.directive != ".target" or line.place != module.header.lines[0].place:
            return
        second = first
    if second is not None and _is_broken(second):
        return
    target = lines.get(second) if second is not None else None
    if target is None or target.directive != ".target":
        if second is None:
            end = _span(first, lines[first].tokens[-1] if lines[first].tokens else 0).end
            span, insert = Span(_span(first, 0).start, end), Edit(Span(end, end), f"\n.target {module.target}")
            yield PlacedFinding(first, _no_target(module, span, "'.target' must follow '.version'", insert))
            return
        span = _span(second, 0)
        message = "'.target' expected here, right after '.version'"
        statement = second.chunk.statement(second.statement)
        begins_line = second == first or "\n" in statement.text[: span.start]
        text = f".target {module.target}\n" if begins_line else f"\n.target {module.target}\n"
        insert = Edit(Span(span.start, span.start), text)
        is_misspelt = _names_target(second)
        yield PlacedFinding(
            second, RULE.at(span, message) if is_misspelt else _no_target(module, span, message, insert)
        )
    elif target.words and target.words[0] in catalogue().vocabulary.rare.target_options:
        span = _span(target.place, target.tokens[0])
        later = next((word for word in target.words if target_of(word) is not None), "")
        message = "'.target' must begin with the architecture" + (f", '{later}'" if later else ", such as 'sm_90'")
        yield PlacedFinding(target.place, RULE.at(span, message))


def _no_target(module: Module, span: Span, message: str, insert: Edit) -> Finding:
    """The finding, with the insertion of the target that the settings name, or with the need of one that fits."""
    if module.header.is_target_known:
        return RULE.at(span, message, fixes=(Fix(f"insert '.target {module.target}'", (insert,)),))
    return RULE.at(span, message).needing(target=module.target)


def _no_version(module: Module, span: Span) -> Finding:
    is_only = all(line.directive != ".version" for line in module.header.lines)
    # An open comment changes what is a line, and statements with mistakes are read otherwise in a module.
    is_readable = not any(chunk.opens or chunk.derived(summarise).broken for chunk in module.document.chunks)
    edits = (Edit(Span(span.start, span.start), f".version {module.version}\n"),)
    insert = Fix(f"insert '.version {module.version}'", edits, is_sure=is_only and is_readable)  # a second one is wrong
    return RULE.at(span, "a module must begin with '.version'", fixes=(insert,))


def _fault(module: Module, line: HeaderLine, seen: set[str]) -> Finding | None:
    """The fault of a line by itself, or of its place among the others."""
    if line.directive in seen and line.directive != ".target":
        edit = deletion(module.document.chunks, line.place.chunk, line.place.statement)
        fixes = (Fix(f"remove this '{line.directive}'", (edit,)),)
        return RULE.at(_span(line.place, 0), f"'{line.directive}' is only allowed once", fixes=fixes)
    if line.directive == ".target" and (not line.is_opening or ".address_size" in seen):
        message = "'.target' is only allowed at the beginning, right after '.version'"
        return RULE.at(_span(line.place, 0), message)
    if line.directive == ".address_size":
        if not line.is_opening:
            message = "'.address_size' is only allowed at the beginning, right after '.target'"
            return RULE.at(_span(line.place, 0), message)
        if line.tokens and integer_or_none(line.words[0]) not in ADDRESS_SIZES:
            span = _span(line.place, line.tokens[0])
            return RULE.at(span, f"'.address_size' must be 32 or 64, not '{line.words[0]}'")
    return None
