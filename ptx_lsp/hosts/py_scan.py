"""The lexer of Python and Mojo: finds calls with templates, and CUDA C++ in strings of Python."""

from __future__ import annotations

import re
from collections.abc import Generator, Hashable
from functools import partial

from ptx_lsp.hosts.blocks import Block, FoundSite, MacroTable, Stops
from ptx_lsp.hosts.host_tables import calls
from ptx_lsp.hosts.nested_cpp import nested_sites
from ptx_lsp.hosts.py_call import HEAD, call_extent, indentation, reading_call
from ptx_lsp.hosts.py_names import BINDINGS, LocalName, LocalNames, bound_value
from ptx_lsp.hosts.py_tokens import TOKEN, string_at
from ptx_lsp.hosts.site import Certainty, Site


class PythonLexer:
    """Lexes one text; ``names`` is the table of values that its sites refer to, which the caller fills."""

    def __init__(self, text: str, host: str, names: MacroTable) -> None:
        self.text = text
        self._binding = BINDINGS[host]
        self._names = names
        self._host = host
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
                    value = bound_value(text, binding.end())
                    held = max(held, value.looked_at)
                    if indent:
                        local.bind(LocalName(indent, binding["name"], value.text))
                    else:
                        names.append((binding["name"], value.text))
                binding = self._binding.search(text, binding.end())
                continue
            if call is not None and call.start() < begin:
                if not _is_definition(text, call.start()):
                    at, looked_at = self._add(sites, call, start, local)
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

    def _add(self, sites: list[FoundSite], found: re.Match[str], start: int, local: LocalNames) -> tuple[int, int]:
        """Adds a call; its end, and the end of the text that decides it."""
        head = HEAD.match(self.text, found.start())
        assert head is not None
        extent = call_extent(self.text, head.end())
        name = head["keyword"]
        certainty = Certainty.DEVICE if name in self.mode.split() else Certainty.UNKNOWN
        text = self.text[found.start() : extent.end]
        place = (self._host, self._calls[name].dialect, found.start(), text)
        known = local.in_call(text, indentation(self.text, found.start())) if local.names else {}
        read = partial(reading_call, self._host, known, self._names)
        site = Site(read, place, certainty, tuple(known.items()))
        sites.append(FoundSite(found.start() - start, -1, site))
        return extent.end, extent.looked_at


def _is_definition(text: str, at: int) -> bool:
    return text[max(0, at - 5) : at].split()[-1:] in (["def"], ["fn"])
