"""Text on terminals: colours, widths, and replacement of control characters."""

from __future__ import annotations

import os
import re
from typing import TextIO

from ptx_lsp.diagnostic import Severity
from ptx_lsp.patterns import compiled_on_use

_RESET = "\x1b[0m"
STYLES = {"place": "1", "line": "34", "fix": "32", "note": "36"}
SEVERITIES = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFORMATION: "1;36", Severity.HINT: "1;90"}

_UNPRINTABLE = compiled_on_use(
    "[\x00-\x08\x0a-\x1f\x7f"  # controls, but not the tab
    "\x80-\x9f\u2028\u2029"  # more controls
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls: would change the displayed order of code
    "\ud800-\udfff]"  # bytes that were not UTF-8
)


def printable(text: str) -> str:
    r"""The text with one visible character in place of each control or unprintable character.

    >>> printable("a\x1b[31mb")
    'a␛[31mb'
    """
    return text if text.isprintable() else _UNPRINTABLE().sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"


def width(text: str) -> int:
    """Columns of printable text without tabs in a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wants_colour(stream: TextIO) -> bool:
    """Whether to write colours to the stream: on terminals, unless NO_COLOR or FORCE_COLOR says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    """The text with the escape sequence of a style."""
    return f"\x1b[{style}m{text}{_RESET}"
