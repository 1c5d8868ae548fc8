"""The fields of a tensor-map as layouts, derived from the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.rare_words import TensormapField
from ptx_lsp.isa.vocabulary.register_types import BITS
from ptx_lsp.layouts.conditions import parse_condition
from ptx_lsp.layouts.expressions import Expression
from ptx_lsp.layouts.layout import BitRun, Field, FieldEncoding, FieldRule, Layout, LayoutPlace

_CODE = re.compile(r"(\d+) ([^,]+)")
_RANGE = re.compile(r"(\d+) to (\d+)")
_MULTIPLE = re.compile(r"on a multiple of (\d+)|a multiple of (\d+)")
_LESS = "minus 1"
"""The phrase of a number that is stored minus one."""
_MANUAL = (
    "9.7.9.28",
    "tensormap.replace",
    "https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-tensormap-replace",
)


def tensor_map_layouts() -> Iterator[Layout]:
    """A layout for each field that ``tensormap.replace`` writes: ``tensormap.swizzle-mode``."""
    for field in catalogue().vocabulary.rare.tensormap_fields.values():
        yield _layout(field)


def _layout(field: TensormapField) -> Layout:
    name = field.name.lstrip(".").replace("_", "-")
    words = name.replace("-", " ")
    width = BITS[field.type]
    codes = tuple((int(code), word.strip().replace("`", "")) for code, word in _CODE.findall(field.values))
    low_high = _RANGE.match(field.values)
    multiple = _MULTIPLE.search(field.values)
    rules: list[FieldRule] = []
    key = name.replace("-", "_")
    plus = int(_LESS in field.values)
    if low_high is not None:
        codes = ()
        least, most = int(low_high[1]) + plus, int(low_high[2]) + plus
        says = f"{words} must be {least} to {most}"
        rules.append(FieldRule(None, Expression(f"{least} <= {key} <= {most}"), parse_condition(""), says))
    if multiple is not None:
        step = multiple[1] or multiple[2]
        codes = ()
        says = f"{words} must be a multiple of {step}"
        rules.append(FieldRule(None, Expression(f"{key} % {step} == 0"), parse_condition(""), says))
    holds = FieldEncoding(codes=codes, width=width, plus=plus)
    place = LayoutPlace(("value",), ("tensormap.replace",), parse_condition(field.name))
    title = f"`{field.name}` of a tensor-map"
    row = Field(name, words, (BitRun(0, width),), holds, parse_condition(""), field.words)
    return Layout(
        f"tensormap.{name}",
        title,
        f"{field.words}: {field.values}",
        width,
        (place,),
        (row,),
        tuple(rules),
        (),
        (f"{words} {{{name}}}",),
        (),
        "",
        (),
        *_MANUAL,
    )
