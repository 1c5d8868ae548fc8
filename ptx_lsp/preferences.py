"""Settings of what an editor shows: tables of ``ptx-lsp.toml`` and sections of the editors' settings.

A table is a frozen dataclass; its fields are the keys, their docstrings the documentation for users. A field is a
boolean, a bounded number, or an enumeration of words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from ptx_lsp.value_text import describe_value, truncated

TableT = TypeVar("TableT")


def _number(default: int, least: int, most: int) -> Any:
    return field(default=default, metadata={"bounds": (least, most)})


def _choice(default: str, **words: str) -> Any:
    """A field with enumerated values, each with its description."""
    return field(default=default, metadata={"words": words})


@dataclass(frozen=True, slots=True)
class Completion:
    """``[completion]``."""

    unavailable: bool = True
    """Also offer words that need a newer target or version: last, struck through, with what they need."""
    snippets: bool = True
    """Offer templates with placeholders."""


@dataclass(frozen=True, slots=True)
class InlayHints:
    """``[inlay-hints]``."""

    register_types: str = _choice(
        "named",
        never="No types.",
        named="Types of named registers.",
        all="Types of numbered registers such as `%r7` too.",
    )
    """The type of a register where it is first written, unless the opcode contains the type. ``named`` excludes
    numbered registers such as ``%r7``, because compilers name these after their type."""
    parameter_names: bool = True
    """The names of parameters of calls."""
    literals: bool = True
    """The value of a floating-point constant in hexadecimal."""
    masks: bool = True
    """Decimal constants of bitwise instructions in hexadecimal."""
    logic_tables: bool = True
    """The logical function of the table of ``lop3``."""
    byte_picks: bool = True
    """The bytes that ``prmt`` selects."""
    branches: bool = True
    """Direction and distance of branches."""
    parameter_offsets: bool = True
    """The byte offset of a kernel parameter in the parameter space."""
    descriptors: bool = True
    """The decoded fields of descriptors of tensor-core instructions."""


@dataclass(frozen=True, slots=True)
class CodeLenses:
    """``[code-lenses]``."""

    references: bool = True
    """The number of references to a function or variable."""
    callers: bool = True
    """The callers of a function."""
    needs: bool = True
    """The minimum version and target that a function needs."""
    registers: bool = True
    """The maximum number of registers that are live at once in a function."""
    memory: bool = True
    """The size of a kernel's parameters and shared memory in bytes."""


@dataclass(frozen=True, slots=True)
class Format:
    """``[format]``."""

    style: str = _choice(
        "aligned",
        aligned="Operands and comments aligned in columns, as the other keys specify.",
        nvcc="The layout of nvcc; the other keys have no effect.",
    )
    """``aligned`` uses columns, as the other keys specify; ``nvcc`` is the layout of nvcc."""
    indent: int = _number(0, 0, 16)
    """Columns of indentation per block. 0: the tab size of the editor; 4 on the command line."""
    tabs: str = _choice(
        "auto",
        auto="As set in the editor; on the command line, blanks.",
        always="Tabs.",
        never="Blanks.",
    )
    """Whether blocks are indented with tabs. ``auto``: as set in the editor; not on the command line."""
    align: bool = True
    """Align the operands of consecutive instructions. A blank line, label or brace begins a new group."""
    operand_column: int = _number(0, 0, 80)
    """The column of the operands, counted from the opcode. 0: determined by the longest opcode of the group."""
    longest_opcode: int = _number(24, 0, 80)
    """An opcode that is longer, including its guard, does not move the operands of other lines."""
    align_comments: bool = True
    """Align comments at the ends of lines. Otherwise they follow the code after two blanks."""
    label_indent: int = _number(0, 0, 16)
    """Columns of indentation of a label, relative to the braces of its block."""
    width: int = _number(100, 0, 1000)
    """The line width at which lists of operands are broken. 0: never."""
    blank_lines: int = _number(1, 0, 10)
    """The maximum number of consecutive blank lines."""


def read_table(table: TableT, mapping: object) -> tuple[TableT, list[str]]:
    """``table`` updated by ``mapping``, and the problems of the mapping, one sentence each.

    >>> read_table(Completion(), {"snippets": False, "unavailable": 1})
    (Completion(unavailable=True, snippets=False), ["'unavailable' must be true or false, not 1"])
    """
    if not isinstance(mapping, Mapping):
        return table, [f"must be a table of keys and values, not {describe_value(mapping)}"]
    known = {_fold(one.name): one for one in fields(table)}  # type: ignore[arg-type]
    problems = []
    for key, value in mapping.items():
        if value is None:  # editors send null for a setting that is not set
            continue
        one = known.get(_fold(str(key)))
        if one is None:
            names = ", ".join(name.name.replace("_", "-") for name in known.values())
            problems.append(f"has no key '{truncated(str(key))}'; there are {names}")
            continue
        wrong = _wrong(one.default, one.metadata, value)
        if wrong:
            problems.append(f"'{key}' {wrong}, not {describe_value(value)}")
        else:
            table = replace(table, **{one.name: value})  # type: ignore[type-var]
    return table, problems


def _wrong(default: object, metadata: Mapping[str, Any], value: object) -> str:
    """The reason why a value is invalid for a field; empty if it is valid."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "must be true or false"
    if "words" in metadata:
        words = metadata["words"]
        return "" if value in tuple(words) else f"must be one of {', '.join(map(repr, words))}"
    least, most = metadata["bounds"]
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return ""
    return f"must be a number from {least} to {most}"


def _fold(key: str) -> str:
    return key.replace("-", "").replace("_", "").lower()
