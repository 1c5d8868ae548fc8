"""``ptx-lsp decode`` and ``ptx-lsp encode``: packed values on the command line."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections.abc import Iterable
from textwrap import fill
from typing import Any

from ptx_lsp.cli.terminal import printable
from ptx_lsp.isa.model.target import Target
from ptx_lsp.layouts.decode import DecodedValue, decode, fields_of
from ptx_lsp.layouts.encode import EncodeError, encode, from_digits
from ptx_lsp.layouts.layout import CodeMeaning, Field, Layout
from ptx_lsp.layouts.layout_lookup import layouts_named, unknown_layout
from ptx_lsp.layouts.load import layouts
from ptx_lsp.layouts.value_notation import MAX_DIGITS, parse_value

_WRONG_USAGE = 2
_WIDTH = 100
_SPELLING = re.compile(r"\.?[bh]([0-7]+)")
"""A selector as written in opcodes."""
_TARGET = re.compile(r"sm_\d{2,3}[af]?")


class _UsageError(Exception):
    """Wrong usage; the message is the reason."""


def decode_value(options: Namespace) -> int:
    """Print the fields of a value; 1 if there are findings."""
    try:
        layout = _layout(options)
        if layout is None:
            return 0
        words = [options.value, *options.rest] if options.value is not None else options.rest
        if len(words) != 1:
            raise _UsageError(f"one value is needed: ptx-lsp decode {options.layout} 0x…")
        value, known = _spelled(words[0], layout)
        reading = decode(layout, value, _context(options), known)
    except (_UsageError, ValueError) as error:
        return _refuse(error)
    _print(reading, options.json)
    return 1 if reading.findings else 0


def encode_fields(options: Namespace) -> int:
    """Print the value with the given fields; 1 if these conflict."""
    try:
        layout = _layout(options)
        if layout is None:
            return 0
        meanings = _meanings(options.rest)
        context = _context(options)
        if not meanings and not options.json:
            _print_fields(layout, context)
            return 0
        reading = decode(layout, encode(layout, meanings, context), context)
    except (_UsageError, EncodeError) as error:
        return _refuse(error)
    _print(reading, options.json)
    return 1 if reading.findings else 0


def _refuse(error: Exception) -> int:
    print(f"ptx-lsp: {printable(str(error))}", file=sys.stderr)
    return _WRONG_USAGE


def _layout(options: Namespace) -> Layout | None:
    """The requested layout; None if the list of layouts was requested, which is printed."""
    if options.layout == "list":
        names = max(map(len, layouts()))
        for layout in layouts().values():
            bits = "bit " if layout.width == 1 else "bits"
            print(f"{layout.name:{names}}{layout.width:4} {bits}  {layout.title.replace('`', '')}")
        return None
    context = _context(options)
    found = layouts_named(options.layout, context, Target.parse(options.arch) if options.arch else None)
    if len(found) == 1:
        return found[0]
    if not found:
        raise _UsageError(unknown_layout(options.layout))
    raise _UsageError(f"'{options.layout}' can be {' or '.join(one.name for one in found)}; specify {_needed(found)}")


def _needed(found: list[Layout]) -> str:
    """The option that distinguishes layouts of one name."""
    kinds = [word for one in found for place in one.places for _, part in place.when.parts for word in part]
    if any(word.startswith(".kind::") for word in kinds):
        return "--kind"
    operands = [{name for place in one.places for name in place.operands} for one in found]
    return "--arch" if set.intersection(*operands) else "which"


def _context(options: Namespace) -> frozenset[str]:
    """The words of the opcode and the target that the options name."""
    words = {f".{word.lstrip('.')}" for word in options.words or ()}
    if options.kind:
        words.add(f".kind::{options.kind.removeprefix('.kind::')}")
    if options.cta_group:
        words.add(f".cta_group::{options.cta_group}")
    if options.arch:
        if not _TARGET.fullmatch(options.arch):
            raise _UsageError(f"'{options.arch}' is not a target such as sm_90a")
        words.add(options.arch)
    return frozenset(words)


def _spelled(word: str, layout: Layout) -> tuple[int, int]:
    """A value and its known bits; ``word`` may also be a selector such as ``.b3210``."""
    found = _SPELLING.fullmatch(word)
    whole = (1 << layout.width) - 1
    if found is not None and layout.spelled:
        value = from_digits(layout, found[1])
        if value is None:
            raise _UsageError(f"'{word}' is not a {layout.title.partition(' of ')[0]}")
        return value, whole
    return parse_value(word, layout.width)


def _meanings(words: Iterable[str]) -> dict[str, CodeMeaning]:
    """The meanings of fields by name, from ``--m 128 --atype=e4m3``."""
    found: dict[str, CodeMeaning] = {}
    pending: str | None = None
    for word in words:
        if pending is not None:
            found[pending] = _meaning(word)
            pending = None
        elif word.startswith("--"):
            key, equals, value = word[2:].partition("=")
            if equals:
                found[key] = _meaning(value)
            else:
                pending = key
        else:
            raise _UsageError(f"'{word}' is not a field; fields are options such as --m 128")
    if pending is not None:
        raise _UsageError(f"'--{pending}' has no value")
    return found


def _meaning(word: str) -> CodeMeaning:
    try:
        return int(word, 0) if len(word) <= MAX_DIGITS else word
    except ValueError:
        return word


def _print(reading: DecodedValue, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_as_json(reading), indent=2))
        return
    print(f"{reading.digits}  {reading.layout.title.replace('`', '')}")
    print(reading.summary)
    print()
    fields = [one for one in reading.fields if not one.is_rest]
    names = max(len(one.field.name) for one in fields)
    codes = max(len(one.shown) for one in fields)
    texts = max(len(one.text) for one in fields)
    for one in fields:
        words = one.field.words.replace("`", "")
        meaning = f"{one.shown:>{codes}}  {one.text:{texts}}"
        print(f"  {one.field.bits:>5}  {one.field.name:{names}}  {meaning}  {words}".rstrip())
    for note in reading.layout.notes:
        print()
        print(fill(note.replace("`", ""), _WIDTH))
    if reading.findings:
        print()
    for finding in reading.findings:
        print(f"wrong: {finding.says}")


def _as_json(reading: DecodedValue) -> dict[str, Any]:
    return {
        "layout": reading.layout.name,
        "value": reading.digits,
        "summary": reading.summary,
        "fields": [
            {"field": one.field.key, "bits": _ends(one.field), "code": one.code, "meaning": one.meaning}
            for one in reading.fields
        ],
        "findings": [{"bits": f"{finding.mask:#x}", "message": finding.says} for finding in reading.findings],
    }


def _ends(field: Field) -> list[int]:
    """The lowest and the highest bit of a field; of bits in several places those of each."""
    return [bit for run in field.runs for bit in (run.low, run.high)]


def _print_fields(layout: Layout, context: frozenset[str]) -> None:
    print(f"{layout.name}: {layout.title.replace('`', '')}")
    for field in fields_of(layout, context):
        holds = field.holds
        legal = ", ".join(word for _, word in holds.codes)
        if not legal:
            number = f"{holds.least} to {holds.most} {holds.unit}".rstrip()
            legal = holds.reader or (str(holds.fixed) if holds.fixed is not None else number)
        words = field.words.replace("`", "")
        print(f"  --{field.key:14} {legal:40} {words}".rstrip())
