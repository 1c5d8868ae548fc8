"""The origins of unknown fields of a packed value: ``scale A id: ld.shared in line 210``."""

from __future__ import annotations

from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.descriptors.terms import Unknown, Unseen
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.features.hover.parts.hover_info import line_link
from ptx_lsp.layouts.layout import Field

_LONGEST_NAME = 32
_MOST_FIELDS = 2
_MOST_SOURCES = 2
_MOST_LINES = 4


def origins(context: StatementContext, known: KnownOperand, values: PackedValues) -> list[str]:
    """Return a line per origin with its fields; without the start address if that is described as a sum."""
    start = values.start_address(context, known.packed)
    is_reported = start is not None and bool(start.terms)
    found = []
    unknown = values.unknown(context, known)
    for fields, sources in unknown:
        is_all = len(unknown) == 1 and len(fields) == len(known.reading.fields)
        named = [field for field in fields if is_all or not (is_reported and field.key == "start")]
        known_sources = [one for one in sources if one.what is not Unseen.NEVER]
        if named and known_sources:
            found.append(f"{'all fields' if is_all else _names(named)}: {_together(context, known_sources)}")
    return found[:_MOST_LINES]


def _names(fields: list[Field]) -> str:
    names = [field.name for field in fields]
    more = len(names) - _MOST_FIELDS
    return ", ".join(names) if more < 2 else f"{', '.join(names[:_MOST_FIELDS])} and {more} more"


def _together(context: StatementContext, sources: list[Unknown]) -> str:
    said = list(dict.fromkeys(_said(context, one) for one in sources))
    more = len(said) - _MOST_SOURCES
    return ", ".join(said[:_MOST_SOURCES]) + (f" and {more} more" if more > 0 else "")


def _said(context: StatementContext, source: Unknown) -> str:
    name = f"`{_shortened(source.name)}`"
    place = f" in {line_link(context.module.positions.line_of(Place(*source.at, 0)))}" if source.at is not None else ""
    if source.what in (Unseen.PARAMETER, Unseen.RESULT):
        return f"{source.what.value} {name}{place}"
    return f"{name}{place}"


def _shortened(name: str) -> str:
    """Shorten a long name: keep the end of a numbered parameter's name, else the beginning."""
    if len(name) <= _LONGEST_NAME:
        return name
    _, marked, number = name.rpartition("_param_")  # including an added offset: param_3+12
    return f"…_param_{number}" if marked else f"{name[: _LONGEST_NAME - 1]}…"
