"""The lexer of Rust: finds ``asm!``."""

from __future__ import annotations

import re
from collections.abc import Generator, Hashable

from ptx_lsp.hosts.blocks import Block, FoundSite, Stops
from ptx_lsp.hosts.host_tables import calls, register_classes
from ptx_lsp.hosts.rust_call import finding_rust_extent, reading_asm
from ptx_lsp.hosts.rust_tokens import rust_tokens
from ptx_lsp.hosts.site import Certainty, Site

_STATE = ()
"""Between two tokens nothing is open that matters: brackets are only looked at in a call."""
_REGISTER = re.compile(r"(?<!\w)(?:in|out|lateout|inout|inlateout)\s*\(\s*(?P<class>\w+|\")")


class RustLexer:
    """Lexes one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._call = calls("rust")["asm!"]
        self._classes = register_classes("rust")
        self.mode = "device" if self._call.is_device(text) else ""

    def beginning(self) -> Hashable:
        """The state at the start of a text."""
        return _STATE

    def block(self, start: int, _state: Hashable, stops: Stops) -> Generator[None, None, Block]:
        """The block of lines that begins at ``start``, to where ``stops`` ends it or the end of the text."""
        text = self.text
        sites: list[FoundSite] = []
        at = held = start
        while True:
            token = next(rust_tokens(text, at, len(text), has_signs=False), None)
            begin = token.start if token is not None else len(text)
            if begin >= stops.wanted:
                line = text.find("\n", max(at, held, stops.wanted - 1), begin) + 1
                if line and stops.reached(line, lambda: _STATE):
                    return Block(line - start, sites, [], _STATE, ())
                yield
            if token is None:
                return Block(len(text) - start, sites, [], _STATE, ())
            at = token.end
            if token.kind == "call":
                extent = yield from finding_rust_extent(text, token.end)
                at, held = extent.end, extent.looked_at
                site = text[token.start : extent.end]
                place = ("rust", self._call.dialect, token.start, site)
                sites.append(FoundSite(token.start - start, -1, Site(reading_asm, place, self._certainty(site))))

    def _certainty(self, call: str) -> Certainty:
        """By the class of the first register that is an operand: those of PTX have names of their own."""
        found = _REGISTER.search(call)
        if found is not None:
            return Certainty.DEVICE if found["class"] in self._classes else Certainty.HOST
        return Certainty.DEVICE if self.mode else Certainty.UNKNOWN
