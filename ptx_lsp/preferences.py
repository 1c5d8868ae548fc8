"""Settings of what an editor shows: tables of ``ptx-lsp.toml`` and sections of the editors' settings.

A table is a named tuple; its fields are the keys, their docstrings the documentation for users. A field is a
boolean, a number with :class:`Bounds`, or one of the words of a :class:`Choice`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar, get_type_hints

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.value_text import describe_value, truncated


class Bounds(NamedTuple):
    """The bounds of a number, both included."""

    least: int
    most: int


class Choice(dict[str, str]):
    """The words that a field may have, each with its description."""


class Completion(NamedTuple):
    """``[completion]``."""

    unavailable: bool = True
    """Also offer words that need a newer target or version: last, struck through, with what they need."""
    snippets: bool = True
    """Offer templates with placeholders."""


class InlayHints(NamedTuple):
    """``[inlay-hints]``."""

    register_types: Annotated[
        str,
        Choice(
            never="No types.",
            named="Types of named registers.",
            all="Types of numbered registers such as `%r7` too.",
        ),
    ] = "named"
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
    asm_operands: bool = True
    """The expressions of operands such as ``%1`` in inline assembly."""
    byte_picks: bool = True
    """The bytes that ``prmt`` selects."""
    branches: bool = True
    """Direction and distance of branches."""
    parameter_offsets: bool = True
    """The byte offset of a kernel parameter in the parameter space."""
    descriptors: bool = True
    """The decoded fields of descriptors of tensor-core instructions."""
    addresses: bool = True
    """The parameter, variable or allocation that an address in a register is in, with the offset."""
    source_lines: bool = False
    """The text of the source line after each ``.loc`` line, if the file exists."""


class CodeLenses(NamedTuple):
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
    asm_targets: bool = False
    """The version and target that a statement of inline assembly requires, where not all targets take it."""


class Names(NamedTuple):
    """``[names]``."""

    demangle: bool = True
    """Show the names of C++ and Rust functions and variables as in the source, shortened, in outlines, lists of
    symbols, code lenses and the call hierarchy. Hovers show both; what is edited keeps its name."""


class Format(NamedTuple):
    """``[format]``."""

    style: Annotated[
        str,
        Choice(
            aligned="Operands and comments aligned in columns, as the other keys specify.",
            nvcc="The layout of nvcc; the other keys have no effect.",
        ),
    ] = "aligned"
    """``aligned`` uses columns, as the other keys specify; ``nvcc`` is the layout of nvcc."""
    indent: Annotated[int, Bounds(0, 16)] = 0
    """Columns of indentation per block. 0: the tab size of the editor; 4 on the command line."""
    tabs: Annotated[
        str,
        Choice(
            auto="As set in the editor; on the command line, blanks.",
            always="Tabs.",
            never="Blanks.",
        ),
    ] = "auto"
    """Whether blocks are indented with tabs. ``auto``: as set in the editor; not on the command line."""
    align: bool = True
    """Align the operands of consecutive instructions. A blank line, label or brace begins a new group."""
    operand_column: Annotated[int, Bounds(0, 80)] = 0
    """The column of the operands, counted from the opcode. 0: determined by the longest opcode of the group."""
    longest_opcode: Annotated[int, Bounds(0, 80)] = 24
    """An opcode that is longer, including its guard, does not move the operands of other lines."""
    align_comments: bool = True
    """Align comments at the ends of lines. Otherwise they follow the code after two blanks."""
    label_indent: Annotated[int, Bounds(0, 16)] = 0
    """Columns of indentation of a label, relative to the braces of its block."""
    width: Annotated[int, Bounds(0, 1000)] = 100
    """The line width at which lists of operands are broken. 0: never."""
    blank_lines: Annotated[int, Bounds(0, 10)] = 1
    """The maximum number of consecutive blank lines."""


TableT = TypeVar("TableT", Completion, InlayHints, CodeLenses, Names, Format)


def described(table: type) -> dict[str, object]:
    """The bounds or the choice of each field; None for a boolean."""
    hints = get_type_hints(table, include_extras=True)
    return {name: next(iter(getattr(hint, "__metadata__", ())), None) for name, hint in hints.items()}


def read_table(table: TableT, mapping: object) -> tuple[TableT, list[str]]:
    """``table`` updated by ``mapping``, and the problems of the mapping, one sentence each.

    >>> read_table(Completion(), {"snippets": False, "unavailable": 1})
    (Completion(unavailable=True, snippets=False), ["'unavailable' must be true or false, not 1"])
    """
    if not isinstance(mapping, Mapping):
        return table, [f"must be a table of keys and values, not {describe_value(mapping)}"]
    known = {_fold(name): name for name in table._fields}
    limits = described(type(table))
    problems = []
    for key, value in mapping.items():
        if value is None:  # editors send null for a setting that is not set
            continue
        name = known.get(_fold(str(key)))
        if name is None:
            names = ", ".join(one.replace("_", "-") for one in table._fields)
            problems.append(f"has no key '{truncated(str(key))}'; there are {names}")
            continue
        wrong = _wrong(limits[name], value)
        if wrong:
            problems.append(f"'{key}' {wrong}, not {describe_value(value)}")
        else:
            table = table._replace(**{name: value})
    return table, problems


def _wrong(limits: object, value: object) -> str:
    """The reason why a value is invalid for a field with these bounds or this choice; empty if it is valid."""
    if isinstance(limits, Choice):
        return "" if value in tuple(limits) else f"must be one of {', '.join(map(repr, limits))}"
    if isinstance(limits, Bounds):
        is_valid = isinstance(value, int) and not isinstance(value, bool) and limits.least <= value <= limits.most
        return "" if is_valid else f"must be a number from {limits.least} to {limits.most}"
    return "" if isinstance(value, bool) else "must be true or false"


def _fold(key: str) -> str:
    return key.replace("-", "").replace("_", "").lower()
