r"""Formatting of a document, of line ranges, and on typing.

Only white space is replaced, and only by white space: tokens and comments are unchanged, also in erroneous text. A
statement that does not parse is unchanged except for the indentation of its first line.

>>> formatted(".reg .b32 %r<3>;  add.s32   %r1,%r2 , 4 ;")
'.reg .b32 %r<3>;\nadd.s32 %r1, %r2, 4;\n'
"""

from __future__ import annotations

from ptx_lsp.features.formatting.document import format_document, formatted, formatting
from ptx_lsp.features.formatting.on_type import format_on_type
from ptx_lsp.features.formatting.options import Editor, Options
from ptx_lsp.features.formatting.ranges import format_ranges, formatting_ranges

__all__ = [
    "Editor",
    "Options",
    "format_document",
    "format_on_type",
    "format_ranges",
    "formatted",
    "formatting",
    "formatting_ranges",
]
