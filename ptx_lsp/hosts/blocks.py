"""Blocks of lines with the sites in them: what a lexer returns, and keeps for the next edit."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from typing import Any, Protocol

from ptx_lsp.hosts.site import Site
from ptx_lsp.named_tuples import NamedTuple


class FoundSite(NamedTuple):
    """A site relative to its block of lines."""

    start: int
    block: int
    """The offset of the function's ``{`` from the start of the block of lines; ``-2 - n`` for the bracket ``n`` of
    those that are open at the start; -1 outside of functions."""
    site: Site


class Block(NamedTuple):
    """Consecutive lines, read from a state of the lexer to the next one. Contains no offsets in the text."""

    length: int
    sites: list[FoundSite]
    macros: list[tuple[str, str | None]]
    """The macros that the lines define, with the text of those that are string literals."""
    end: Hashable
    """The state of the lexer after the block."""
    brackets: tuple[int, ...]
    """The places of the brackets that are open then, as in :class:`FoundSite`."""


_MOST = 1 << 17
_LEAST = 1 << 10
"""Characters: of all statements together if they are few, and of one if they are many."""


class MacroTable(dict[str, str | None]):
    """The macros or constants of a file: their values; None for one with several, or with one that is no literal.

    A few letters of a statement can stand for a long text, again and again, and in many statements. So the values that
    a statement can contain are limited; a macro beyond that is unknown, as one of another file is.
    """

    most = _MOST
    """The characters of values that one statement can contain: the fewer, the more statements the file has."""

    def fill(self, blocks: Iterable[Block]) -> None:
        """Take the values from all blocks of a file."""
        count = 0
        for block in blocks:
            count += len(block.sites)
            for name, value in block.macros:
                if self.setdefault(name, value) != value:
                    self[name] = None
        self.most = max(_MOST >> count.bit_length(), _LEAST) if any(self.values()) else _MOST
        for name, value in self.items():
            if value is not None and len(value) > self.most:
                self[name] = None  # as for one of another file: statements with it may be alike

    def is_same(self, other: MacroTable) -> bool:
        """Whether statements contain the same with another table."""
        return self == other and self.most == other.most


class Stops:
    """The offsets at which a lexer can stop, in ascending order. This one never stops."""

    wanted = 1 << 62
    """No earlier offset is of interest."""

    def reached(self, at: int, state: Callable[[], Hashable]) -> bool:  # noqa: ARG002
        """Whether the lexer stops at the start of a line at which a block of lines can begin.

        It is asked for the first such line from ``wanted`` on, and can ask for the state of the lexer there.
        """
        return False


class Lexer(Protocol):
    """The lexer of a host language, for one text."""

    text: str
    mode: str
    """A property of the whole text that the lexer depends on; if it changes, the text is read as a whole."""

    def beginning(self) -> Hashable:
        """The state at the start of a text."""

    def block(self, start: int, state: Any, stops: Stops) -> Generator[None, None, Block]:
        """The block of lines that begins at ``start``, to where ``stops`` ends it or the end of the text.

        There are pauses after the first wanted stop: one line may be as long as a file.
        """
