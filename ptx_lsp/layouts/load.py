"""Parser for the pages of grammar/layouts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product

from ptx_lsp.grammar_files import grammar_file, read_grammar
from ptx_lsp.layouts.conditions import parse_condition
from ptx_lsp.layouts.expressions import Expression
from ptx_lsp.layouts.layout import BitRun, CodeMeaning, Field, FieldEncoding, FieldRule, Layout, LayoutPlace, Template
from ptx_lsp.layouts.readers import READERS
from ptx_lsp.layouts.tensor_maps import tensor_map_layouts
from ptx_lsp.markdown_tables import read_tables

_HEADING = re.compile(r"# ([\w.-]+): (.+)")
_SUMMARY = re.compile(r"^Summary: `(.+)`$", re.MULTILINE)
_SHORT = re.compile(r"^Short: `(.+)`$", re.MULTILINE)
_SPELLED = re.compile(r"^Spelled: (digits|set)$", re.MULTILINE)
_NOTE = re.compile(r"^Note: (.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
_MANUAL = re.compile(r"^Manual: (.+?): \[([^\]]+)\]\((https://[^)\s]+)\)", re.MULTILINE)
_RUN = re.compile(r"(\d+)(?:-(\d+))?")
_BITS = re.compile(rf"({_RUN.pattern}(?:, {_RUN.pattern})*)(?: (?:(?P<step>\d+) )?× (?P<count>\d+))?")
_NUMBER = re.compile(r"(signed )?(?:(-?\d+) \* )?n(?: \+ (\d+))?(?: (\w+(?: \w+)?))?")
_CODE = re.compile(r"(-?\d+) = ([^,]+)")
_OPEN = ", n"


class LayoutError(Exception):
    """A page of a layout is invalid."""


@cache
def layouts() -> dict[str, Layout]:
    """All layouts by name."""
    found = [*map(_of_page, _pages()), *tensor_map_layouts()]
    return {layout.name: layout for layout in found}


@cache
def places() -> tuple[tuple[LayoutPlace, Callable[[], Layout]], ...]:
    """The places of all layouts; each with what reads the layout, since few of them are ever asked for."""
    found: list[tuple[LayoutPlace, Callable[[], Layout]]] = []
    for name, text in _pages().items():
        first = text[text.index("|") :].partition("\n\n")[0]
        found += [(place, partial(_of_page, name)) for place in map(_place, read_tables(first)[0])]
    for layout in tensor_map_layouts():
        found += [(place, partial(_same, layout)) for place in layout.places]
    return tuple(found)


@cache
def _pages() -> dict[str, str]:
    """The texts of the pages by the names of their files."""
    names = sorted(name for name in os.listdir(grammar_file("layouts")) if name.endswith(".md"))
    return {name: read_grammar(f"layouts/{name}") for name in names}


@cache
def _of_page(name: str) -> Layout:
    return load_layout(name, _pages()[name])


def _same(layout: Layout) -> Layout:
    return layout


def _place(row: dict[str, str]) -> LayoutPlace:
    return LayoutPlace(tuple(row["operand"].split()), tuple(row["of"].split()), parse_condition(row["when"]))


def load_layout(file: str, text: str) -> Layout:
    """The layout that a page describes.

    Raises:
        LayoutError: if the page cannot be read.
    """
    heading, summaries, manual = _HEADING.match(text), _SUMMARY.findall(text), _MANUAL.search(text)
    tables = read_tables(text)
    if heading is None or not summaries or manual is None or len(tables) < 2:
        raise LayoutError(f"{file}: a heading, the tables of places and of fields, a summary, and a link are needed")
    located, rows, *others = tables
    keys = {row["field"] for row in rows}
    return Layout(
        heading[1],
        heading[2],
        " ".join(text[heading.end() : text.index("|")].split()),
        int(located[0]["width"]),
        tuple(map(_place, located)),
        tuple(field for row in rows for field in _fields(file, row)),
        tuple(_rule(row) for table in others for row in table if "must" in row),
        tuple(one for table in others for row in table if "template" in row for one in _templates(file, row, keys)),
        tuple(summaries),
        tuple(_SHORT.findall(text)),
        spelled[1] if (spelled := _SPELLED.search(text)) is not None else "",
        tuple(" ".join(note.split()) for note in _NOTE.findall(text)),
        manual[1],
        manual[2],
        manual[3],
    )


def _fields(file: str, row: dict[str, str]) -> Iterator[Field]:
    """The fields of a row.

    ``0-3 × 8`` are eight side by side, ``0-2 4 × 4`` four with a distance of four bits, ``31, 3`` one in two places.
    """
    bits = _BITS.fullmatch(row["bits"])
    if bits is None:
        raise LayoutError(f"{file}: '{row['bits']}' are no bits")
    ends = [(int(run[1]), int(run[2] or run[1])) for run in _RUN.finditer(bits[1])]
    runs = [BitRun(low, high - low + 1) for low, high in ends]
    width = sum(run.width for run in runs)
    step, count = int(bits["step"] or width), int(bits["count"] or 1)
    for number in range(count):
        suffix = f"-{number}" if bits["count"] else ""
        yield Field(
            row["field"] + suffix,
            row["name"] + suffix.replace("-", " "),
            tuple(BitRun(run.low + number * step, run.width) for run in runs),
            parse_encoding(file, row["holds"], width),
            parse_condition(row["when"]),
            row["words"],
        )


def parse_encoding(file: str, text: str, width: int) -> FieldEncoding:
    """Parse the encoding of a field of the given width.

    Raises:
        LayoutError: for text that is neither a number, a list of codes, nor a reader.
    """
    if text.isdecimal():
        return FieldEncoding(fixed=int(text))
    if text in READERS:
        return FieldEncoding(reader=text, width=width)
    number = _NUMBER.fullmatch(text)
    if number is not None:
        scale, plus, unit = int(number[2] or 1), int(number[3] or 0), number[4] or ""
        return FieldEncoding(scale=scale, plus=plus, unit=unit, width=width, is_signed=bool(number[1]))
    written = [(int(code), word.strip()) for code, word in _CODE.findall(text)]
    codes = tuple((code % (1 << width), word) for code, word in written)
    if not codes:
        raise LayoutError(f"{file}: '{text}' is neither a number nor a list of codes")
    is_signed = any(code < 0 for code, _ in written)
    return FieldEncoding(codes=codes, is_open=text.endswith(_OPEN), width=width, is_signed=is_signed)


def _rule(row: dict[str, str]) -> FieldRule:
    condition, must = row["if"].strip("`"), row["must"].strip("`")
    given = Expression(condition) if condition else None
    return FieldRule(given, Expression(must), parse_condition(row["when"]), row["says"])


def _templates(file: str, row: dict[str, str], keys: set[str]) -> Iterator[Template]:
    """The templates of a row; ``n = 128 or 256`` yields two."""
    fields = [cell.partition(" = ") for cell in row["fields"].split(", ")]
    wrong = [key for key, _, _ in fields if key not in keys]
    if wrong:
        raise LayoutError(f"{file}: '{wrong[0]}' of a template is no field")
    choices = [[(key, _said(word)) for word in words.split(" or ")] for key, _, words in fields]
    return (Template(row["template"], meanings) for meanings in product(*choices))


def _said(word: str) -> CodeMeaning:
    return int(word) if word.isdecimal() else word
