"""Navigation in inline assembly: the operands, whose expressions are in the document around it."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.embedded.operand_places import operand_at, uses_of
from ptx_lsp.features import definition as find
from ptx_lsp.features.references import references
from ptx_lsp.server.documents.diagnostic_json import positions_json, range_json
from ptx_lsp.server.embedded.fragment_view import FragmentView
from ptx_lsp.server.transport.raw_json import RawJson, quoted


def uses_of_operand(view: FragmentView, offset: int) -> list[str]:
    """The ranges of all places of the operand at an offset."""
    place = operand_at(view.fragment, offset)
    if place is None:
        return []
    return [range_json(span, view.lines) for span in uses_of(view.fragment, place.operand)]


def location_in_fragment(
    view: FragmentView, offset: int, find_target: Callable[[Semantics, int], find.Destination | None]
) -> RawJson | None:
    """The place that an operand stands for; of other names that of their declaration in the template."""
    place = operand_at(view.fragment, offset)
    if place is not None:
        written = place.operand.written
        span = written.expression_span if written.expression else written.constraint_span
        return _location(view.uri, positions_json(*view.host_range(view.host_span(span))))
    target = find_target(view.checker.semantics, offset)
    return _location(view.uri, range_json(target.span, view.lines)) if target is not None else None


def references_in_fragment(view: FragmentView, offset: int, *, with_declaration: bool) -> RawJson:
    """The references to a name in its template; of an operand also the place where the host has it."""
    found = uses_of_operand(view, offset)
    place = operand_at(view.fragment, offset)
    if place is not None and with_declaration:
        found.insert(0, positions_json(*view.host_range(view.host_span(place.operand.written.expression_span))))
    elif place is None:
        names = references(view.checker.semantics, offset, with_declaration=with_declaration)
        found = [range_json(one.span, view.lines) for one in names]
    return RawJson(f"[{','.join(_location(view.uri, one).json for one in found)}]")


def _location(uri: str, place: str) -> RawJson:
    return RawJson(f'{{"uri":{quoted(uri)},"range":{place}}}')
