"""The lexer of Python and Mojo: finds calls with templates, and CUDA C++ in strings of Python.

Names can stand for templates: constants of a module of Python, ``alias`` and ``comptime`` of Mojo.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Hashable
from functools import partial

from ptx_lsp.hosts.alike import alike_of
from ptx_lsp.hosts.blocks import Block, FoundSite, MacroTable, Stops
from ptx_lsp.hosts.host_tables import calls
from ptx_lsp.hosts.nested_cpp import nested_sites
from ptx_lsp.hosts.py_call import HEAD, finding_call, reading_call, reading_literals
from ptx_lsp.hosts.py_tokens import BRACKET_TOKEN, STATEMENT, TOKEN, finding_extent, indentation, string_at
from ptx_lsp.hosts.site import Certainty, Site
from ptx_lsp.named_tuples import NamedTuple

_VALUE = r"[ \t]*+(?::[^=\n]*+)?=(?!=)[ \t]*+"
_BINDINGS = {
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


class _BoundValue(NamedTuple):
    """The value of a name."""

    text: str | None
    """None if it is no literal."""
    looked_at: int
    """The end of the text that decides it."""


def _reading_value(text: str, at: int) -> Generator[None, None, _BoundValue]:
    """The value at an offset: a literal, or several in parentheses, up to the end of the line."""
    if text.startswith("(", at):
        extent = yield from finding_extent(text, at + 1, _STATEMENTS)
        if not extent.is_closed:
            return _BoundValue(None, extent.looked_at)
        start, stop, end = at + 1, extent.end - 1, extent.end
    else:
        prefix = _PREFIX.match(text, at)
        token = BRACKET_TOKEN.match(text, prefix.end() if prefix is not None else at)
        literal = string_at(text, token) if token is not None else None
        if literal is None or literal.start != at:
            return _BoundValue(None, at)
        start, stop, end = at, literal.end, literal.end
    rest = _REST.match(text, end)
    if rest is None:
        return _BoundValue(None, end)
    return _BoundValue((yield from reading_literals(text, start, stop)), rest.end())


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


class PythonLexer:
    """Lexes one text; ``names`` is the table of values that its sites refer to, which the caller fills."""

    def __init__(self, text: str, host: str, names: MacroTable) -> None:
        self.text = text
        self._binding = _BINDINGS[host]
        self._names = names
        self._host = host
        self._alike_of = partial(alike_of, host, names)
        self._calls = calls(host)
        self.mode = " ".join(name for name, call in self._calls.items() if call.is_device(text))
        bracket = r"\[" if host == "mojo" else r"\("
        self._call = re.compile(rf"(?<!\w)(?:{'|'.join(self._calls)})\s*+{bracket}")

    def beginning(self) -> Hashable:
        """The state at the start of a text: no names of scopes around it. Brackets are only looked at in a call."""
        return ()

    def block(self, start: int, state: tuple[LocalName, ...], stops: Stops) -> Generator[None, None, Block]:
        """The block of lines that begins at ``start``, to where ``stops`` ends it or the end of the text."""
        text = self.text
        sites: list[FoundSite] = []
        at = held = start
        tokens = TOKEN.finditer(text, at)
        token = next(tokens, None)
        call = self._call.search(text, at)
        names: list[tuple[str, str | None]] = []
        local = LocalNames(state)
        binding = self._binding.search(text, at)
        while True:
            begin = token.start() if token is not None else len(text)
            if call is not None and call.start() < at:
                call = self._call.search(text, at)
            if binding is not None and binding.start() < at:
                binding = self._binding.search(text, at)
            following = min((found.start() for found in (call, binding) if found is not None), default=len(text))
            if begin >= stops.wanted:
                yield
            while begin >= stops.wanted:
                line = text.find("\n", max(at, held, stops.wanted - 1), begin) + 1
                if not line or line > following:
                    break
                if stops.reached(line, lambda: local.names):
                    return Block(line - start, sites, names, local.names, ())
                if stops.wanted <= line:
                    break
            if binding is not None and binding.start() < min(begin, call.start() if call is not None else begin):
                indent = len(binding["indent"])
                held = max(held, binding.end())
                if binding["scope"] is not None:
                    local.begin_scope(indent)
                else:
                    value = yield from _reading_value(text, binding.end())
                    held = max(held, value.looked_at)
                    if indent:
                        local.bind(LocalName(indent, binding["name"], value.text))
                    else:
                        names.append((binding["name"], value.text))
                binding = self._binding.search(text, binding.end())
                continue
            if call is not None and call.start() < begin:
                if not _is_definition(text, call.start()):
                    at, looked_at = yield from self._adding(sites, call, start, local)
                    held = max(held, looked_at)
                call = self._call.search(text, max(at, call.end()))
                if at > begin:
                    tokens = TOKEN.finditer(text, at)
                    token = next(tokens, None)
                continue
            if token is None:
                return Block(len(text) - start, sites, names, local.names, ())
            at = token.end()
            literal = string_at(text, token) if self._host == "python" and "asm" in token[0] else None
            if literal is not None:
                nested = yield from nested_sites(text, literal, start)
                sites += [found._replace(start=found.start - start) for found in nested]
            token = next(tokens, None)

    def _adding(
        self, sites: list[FoundSite], found: re.Match[str], start: int, local: LocalNames
    ) -> Generator[None, None, tuple[int, int]]:
        """Adds a call; its end, and the end of the text that decides it."""
        head = HEAD.match(self.text, found.start())
        assert head is not None
        extent = yield from finding_call(self.text, head.end())
        name = head["keyword"]
        certainty = Certainty.DEVICE if name in self.mode.split() else Certainty.UNKNOWN
        text = self.text[found.start() : extent.end]
        place = (self._host, self._calls[name].dialect, found.start(), text)
        known = local.in_call(text, indentation(self.text, found.start())) if local.names else {}
        read = partial(reading_call, self._host, known, self._names)
        site = Site(read, place, certainty, tuple(known.items()), None if known else self._alike_of)
        sites.append(FoundSite(found.start() - start, -1, site))
        return extent.end, extent.looked_at


def _is_definition(text: str, at: int) -> bool:
    return text[max(0, at - 5) : at].split()[-1:] in (["def"], ["fn"])
