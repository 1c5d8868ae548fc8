"""A page as a text file: its heading, and the ``isa`` fence at its place."""

from __future__ import annotations

import re

from ptx_lsp.isa.pages.source import PageError
from ptx_lsp.named_tuples import NamedTuple

_HEADING = re.compile(r"# (.+?): (.+)")
_FENCE = re.compile(r"^```isa[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


class PageText(NamedTuple):
    """The parts of a page that the forms are read from."""

    names: tuple[str, ...]
    """The opcode names in the heading."""
    title: str
    fence: str
    """The fence's content, with an empty line for each line of the file before it."""


def read_heading(text: str, path: str) -> tuple[tuple[str, ...], str]:
    """The names and the title of ``# mul, mul.lo: product of two values``.

    Raises:
        PageError: if the page does not begin so.
    """
    heading = _HEADING.match(text)
    if heading is None:
        raise PageError(path, (1, 1), "a page begins with '# name, name: title'")
    return tuple(heading[1].split(", ")), heading[2].strip()


def read_page(text: str, path: str) -> PageText:
    """Split a page.

    Raises:
        PageError: if the heading is missing, or if there is not exactly one ``isa`` fence.
    """
    names, title = read_heading(text, path)
    return PageText(names, title, read_isa_fence(text, path))


def read_isa_fence(text: str, path: str) -> str:
    """The only ``isa`` fence, with empty lines in front so that its lines count as in the file."""
    fences = list(_FENCE.finditer(text))
    if len(fences) != 1:
        raise PageError(path, (1, 1), f"{len(fences)} fences called 'isa'; a page has one")
    return "\n" * text.count("\n", 0, fences[0].start(1)) + fences[0][1]
