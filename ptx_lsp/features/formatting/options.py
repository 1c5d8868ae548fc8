"""Formatting options: the settings table ``[format]`` combined with the client's options."""

from __future__ import annotations

from dataclasses import dataclass

from ptx_lsp.preferences import Format

_USUAL = 4
"""The default indentation in columns."""
_MOST_LEVELS = 63
"""Blocks that are nested deeper are not indented further."""


@dataclass(frozen=True, slots=True)
class Editor:
    """The client's options. Source: LSP specification, "FormattingOptions"."""

    tab_size: int = _USUAL
    insert_spaces: bool = True
    trim_trailing_whitespace: bool = True
    insert_final_newline: bool = True
    trim_final_newlines: bool = True


@dataclass(frozen=True, slots=True)
class Options:
    """The effective formatting options."""

    nvcc: bool
    unit: str
    """The text of one indentation level."""
    columns: int
    """The width of ``unit`` in columns."""
    continuation: str
    """The additional indentation of a statement's continuation lines."""
    align: bool
    operand_column: int
    longest_opcode: int
    align_comments: bool
    label_indent: str
    width: int
    """The maximum line width in columns; 0: unlimited."""
    blank_lines: int
    trim: bool
    """Whether to remove white space at line ends."""
    final_newline: bool
    trim_final_newlines: bool

    def indent(self, depth: int) -> str:
        """The indentation of a nesting depth, up to a limit: each of many nested blocks would add to every line."""
        return self.unit * min(depth, _MOST_LEVELS)

    @classmethod
    def of(cls, table: Format | None = None, editor: Editor | None = None) -> Options:
        """Combine the settings table with the client's options, which apply where the table has no value."""
        table, editor = table or Format(), editor or Editor()
        nvcc = table.style == "nvcc"
        columns = table.indent or max(0, min(editor.tab_size, 16))
        tabs = nvcc or table.tabs == "always" or (table.tabs == "auto" and not editor.insert_spaces)
        unit = "\t" if tabs else " " * columns
        return cls(
            nvcc,
            unit,
            columns,
            unit or " " * _USUAL,
            table.align and not nvcc,
            table.operand_column,
            table.longest_opcode,
            table.align_comments and not nvcc,
            " " * table.label_indent,
            0 if nvcc else table.width,
            3 if nvcc else table.blank_lines,
            editor.trim_trailing_whitespace,
            editor.insert_final_newline,
            editor.trim_final_newlines,
        )
