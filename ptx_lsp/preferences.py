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
    """Offer what only newer targets or versions have, last and struck through."""
    snippets: bool = True
    """Offer templates with places to fill in."""


@dataclass(frozen=True, slots=True)
class InlayHints:
    """``[inlay-hints]``."""

    register_types: str = _choice(
        "named",
        never="No register's.",
        named="Those of registers with a name of their own.",
        all="Also those of numbered registers such as `%r7`.",
    )
    """The type of a register where it is first written, unless the opcode says it: of none, of those with a name of
    their own, or also of numbered ones such as ``%r7``, whose names follow their type in what compilers write."""
    parameter_names: bool = True
    """The names of parameters in calls."""
    literals: bool = True
    """The value of a floating-point constant in hexadecimal."""
    masks: bool = True
    """Decimal constants of bitwise instructions in hexadecimal."""
    logic_tables: bool = True
    """The function that the table of ``lop3`` stands for."""
    byte_picks: bool = True
    """The bytes that the selector of ``prmt`` picks."""
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
    """The number of uses of a function or variable."""
    callers: bool = True
    """The callers of a function."""
    needs: bool = True
    """The least version and target that a function needs."""
    registers: bool = True
    """The most registers that live at once in a function."""
    memory: bool = True
    """The bytes of a kernel's parameters and shared memory."""


@dataclass(frozen=True, slots=True)
class Format:
    """``[format]``."""

    style: str = _choice(
        "aligned",
        aligned="Operands and comments in columns, as the other keys say.",
        nvcc="As NVIDIA's compiler writes; the other keys do not count.",
    )
    """``nvcc`` writes like NVIDIA's compiler, and none of the other keys count; ``aligned`` is ours."""
    indent: int = _number(0, 0, 16)
    """Columns of a block; 0: as many as the editor's tabs, 4 on the terminal."""
    tabs: str = _choice(
        "auto",
        auto="As the editor says; on the terminal never.",
        always="By tabs.",
        never="By blanks.",
    )
    """Whether blocks are indented by tabs; ``auto``: as the editor says, never on the terminal."""
    align: bool = True
    """Operands stand in a column, as far as the instructions follow each other without a blank line, label or brace."""
    operand_column: int = _number(0, 0, 80)
    """That column, counted from the opcode; 0: as the longest opcode of the run asks for."""
    longest_opcode: int = _number(24, 0, 80)
    """A longer opcode, with its guard, does not push the operands of the other lines."""
    align_comments: bool = True
    """Comments at line ends are aligned in a column too; else they follow the code after two blanks."""
    label_indent: int = _number(0, 0, 16)
    """Columns of a label, counted from the braces of its block."""
    width: int = _number(100, 0, 1000)
    """Lists of operands that would go beyond are broken; 0: never."""
    blank_lines: int = _number(1, 0, 10)
    """Blank lines in a row that are kept."""


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
