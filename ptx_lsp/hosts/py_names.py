"""Names that stand for templates: constants of a module of Python, ``alias`` and ``comptime`` of Mojo."""

from __future__ import annotations

import re

from ptx_lsp.hosts.py_call import call_extent, literal_text
from ptx_lsp.hosts.py_tokens import BRACKET_TOKEN, string_at
from ptx_lsp.named_tuples import NamedTuple

_VALUE = r"[ \t]*+(?::[^=\n]*+)?=(?!=)[ \t]*+"
BINDINGS = {
    "python": re.compile(rf"^(?P<name>[A-Z_][A-Z0-9_]*+){_VALUE}", re.MULTILINE),
    "mojo": re.compile(rf"^[ \t]*+(?:alias|comptime)[ \t]++(?P<name>[A-Za-z_]\w*+){_VALUE}", re.MULTILINE),
}
"""By language: what binds a name for the whole file. In Python names in capitals are constants by convention."""
_REST = re.compile(r"[ \t]*+(?:#[^\n]*+)?(?=\n|\Z)")
_PREFIX = re.compile(r"[rRbBfFtTuU]{0,2}")


class BoundValue(NamedTuple):
    """The value of a name."""

    text: str | None
    """None if it is no literal."""
    looked_at: int
    """The end of the text that decides it."""


def bound_value(text: str, at: int) -> BoundValue:
    """The value at an offset: a literal, or several in parentheses, up to the end of the line."""
    if text.startswith("(", at):
        end = call_extent(text, at + 1).end
        start, stop = at + 1, end - 1
    else:
        prefix = _PREFIX.match(text, at)
        token = BRACKET_TOKEN.match(text, prefix.end() if prefix is not None else at)
        literal = string_at(text, token) if token is not None else None
        if literal is None or literal.start != at:
            return BoundValue(None, at)
        start, stop, end = at, literal.end, literal.end
    rest = _REST.match(text, end)
    return BoundValue(literal_text(text, start, stop) if rest is not None else None, rest.end() if rest else end)
