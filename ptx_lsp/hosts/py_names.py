"""Names that stand for templates: constants of a module of Python, ``alias`` and ``comptime`` of Mojo."""

from __future__ import annotations

import re

from ptx_lsp.hosts.py_call import STATEMENT, bracket_extent, literal_text
from ptx_lsp.hosts.py_tokens import BRACKET_TOKEN, string_at
from ptx_lsp.named_tuples import NamedTuple

_VALUE = r"[ \t]*+(?::[^=\n]*+)?=(?!=)[ \t]*+"
BINDINGS = {
    "python": re.compile(rf"^(?P<indent>)(?:(?P<name>[A-Z_][A-Z0-9_]*+){_VALUE}|(?P<scope>(?!)))", re.MULTILINE),
    "mojo": re.compile(
        rf"^(?P<indent>[ \t]*+)(?:(?:alias|comptime)[ \t]++(?P<name>[A-Za-z_]\w*+){_VALUE}"
        r"|(?P<scope>(?:async[ \t]++)?(?:def|fn|struct|trait|extension)\b))",
        re.MULTILINE,
    ),
}
"""By language: what binds a name, or begins a scope. In Python names in capitals are constants by convention."""
_STATEMENTS = re.compile(rf"{STATEMENT.pattern}|[A-Z_][A-Z0-9_]*+{_VALUE}")
"""Lines that end the value of a name that nothing closes; within a call the last ones could be arguments."""
_MOST_LOCAL = 64
"""The names of scopes that are known at a place; older ones are unknown."""
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
        extent = bracket_extent(text, at + 1, _STATEMENTS)
        if not extent.is_closed:
            return BoundValue(None, extent.looked_at)
        start, stop, end = at + 1, extent.end - 1, extent.end
    else:
        prefix = _PREFIX.match(text, at)
        token = BRACKET_TOKEN.match(text, prefix.end() if prefix is not None else at)
        literal = string_at(text, token) if token is not None else None
        if literal is None or literal.start != at:
            return BoundValue(None, at)
        start, stop, end = at, literal.end, literal.end
    rest = _REST.match(text, end)
    return BoundValue(literal_text(text, start, stop) if rest is not None else None, rest.end() if rest else end)


class LocalName(NamedTuple):
    """A name that is bound within a function or structure."""

    indent: int
    """The width of the white space before it."""
    name: str
    value: str | None
    """None if it is no literal."""


class LocalNames:
    """The names of the scopes around a place, the innermost and latest last."""

    def __init__(self, names: tuple[LocalName, ...]) -> None:
        self.names = names

    def begin_scope(self, indent: int) -> None:
        """A function or structure begins: what was bound in the one before it ends."""
        self.names = tuple(one for one in self.names if one.indent <= indent)

    def bind(self, new: LocalName) -> None:
        """A name is bound; those in deeper blocks before it end."""
        kept = (one for one in self.names if one.indent <= new.indent and one[:2] != new[:2])
        self.names = (*kept, new)[-_MOST_LOCAL:]

    def in_call(self, text: str, indent: int) -> dict[str, str | None]:
        """The names that the text of a call contains, with their values."""
        return {one.name: one.value for one in self.names if one.indent <= indent and one.name in text}
