"""How a text is laid out: a user's table ``[format]`` and what the editor says, made one."""

from __future__ import annotations

from dataclasses import dataclass

from ptx_lsp.preferences import Format

_USUAL = 4
"""Columns of a block where nobody says anything."""


@dataclass(frozen=True, slots=True)
class Editor:
    """What an editor asks for besides; LSP specification, "FormattingOptions"."""

    tab_size: int = _USUAL
    insert_spaces: bool = True
    trim_trailing_whitespace: bool = True
    insert_final_newline: bool = True
    trim_final_newlines: bool = True


@dataclass(frozen=True, slots=True)
class Options:
    """The layout asked for."""

    nvcc: bool
    unit: str
    """What a block is indented by."""
    columns: int
    """The columns that ``unit`` takes."""
    continuation: str
    """What the further lines of a statement are indented by, beyond its first one."""
    align: bool
    operand_column: int
    longest_opcode: int
    align_comments: bool
    label_indent: str
    width: int
    """0: as wide as it comes."""
    blank_lines: int
    trim: bool
    """Remove blanks at line ends."""
    final_newline: bool
    trim_final_newlines: bool

    @classmethod
    def of(cls, table: Format | None = None, editor: Editor | None = None) -> Options:
        """The options of a table of settings and an editor; what the table leaves open the editor says."""
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
