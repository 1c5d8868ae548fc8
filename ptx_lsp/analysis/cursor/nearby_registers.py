"""Register candidates for completion: recently used ones, and unused ones."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.derived_values import once
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.documents.nearby import before, runs_before

_STATEMENTS = 60
"""Number of statements above the cursor that are searched."""
_CHARACTERS = 8000
_MOST_RECENT = 40
_FEW = 12
"""Of a group with fewer registers in these statements further ones are looked for above them."""
_MOST_NAMES = 100
"""Maximum number of individually named registers that are listed."""
_SCANNED = 100_000
"""Maximum length of a function that is searched for the highest register of a group."""
_MOST_GROUPS = 100
_MOST_DIGITS = 9
_NUMBERED = re.compile(r"(?<![\w$%.])[A-Za-z_$%][\w$]*\d(?![\w$])", re.ASCII)
_NAME = re.compile(r"(?<![\w$%.])[A-Za-z_$%][\w$]*", re.ASCII)
_CONDITIONS = 12
_FURTHER = 512
"""Number of statements above the cursor that are searched for conditions."""
_CONDITION = re.compile(r"(?:@!?[ \t]*|\bsetp\.[\w.]+[ \t]+)([A-Za-z_$%][\w$]*)", re.ASCII)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_VECTOR = re.compile(r"\{([\w$%, \t]+)\}", re.ASCII)


class NearbyRegisters:
    """The registers around an unfinished statement."""

    def __init__(self, place: UnfinishedStatement) -> None:
        self._place = place
        self._known: dict[str, Symbol | None] = {}
        self._numbers: dict[Symbol, int] = {}

    def symbol(self, name: str) -> Symbol | None:
        """The visible register of a name; None for other names."""
        if name not in self._known:
            found = self._place.context.visible(name)
            self._known[name] = found if found is not None and found.kind is SymbolKind.REGISTER else None
        return self._known[name]

    @once
    def recent(self) -> dict[str, Symbol]:
        """The registers in the statements above the cursor, the nearest statement first, each from left to right."""
        found: dict[str, Symbol] = {}
        for text in self._texts:
            for name in _NAME.findall(text):
                symbol = self.symbol(name)
                if symbol is not None:
                    found.setdefault(name, symbol)
            if len(found) >= _MOST_RECENT:
                break
        for name in _NAME.findall(self._place.text[: self._place.typed.start - self._place.start]):
            symbol = self.symbol(name)
            if symbol is not None:
                found.setdefault(name, symbol)
        return found

    @once
    def earlier(self) -> dict[str, Symbol]:
        """The registers further above of groups that have few recent ones, the nearest first.

        Compilers write dozens of loads in a row: all recent registers are pointers, and the sum that comes next needs
        others.
        """
        here = Counter(self.recent.values())
        missing = {group: _FEW - here[group] for group in self.groups}
        own: dict[Symbol, dict[str, Symbol]] = {group: {} for group in self.groups}
        context = self._place.context
        chunks = context.function.chunks
        left = _SCANNED
        for chunk in reversed(chunks[: chunks.index(context.chunk) + 1]):
            wanting = [group for group in self.groups if len(own[group]) < missing[group]]
            if not wanting or left <= 0:
                break
            end = chunk.starts()[context.index] if chunk is context.chunk else len(chunk.text)
            start = max(end - left, 0)  # what is searched must not depend on where the chunk begins
            left -= end
            is_whole = not start and end == len(chunk.text)
            members = chunk.derived(_members) if is_whole else members_in(chunk.text, start, end)
            for group in wanting:
                for name in members.get(group.name, ()):
                    if name not in self.recent and self.symbol(name) is group:
                        own[group][name] = group
                    if len(own[group]) >= missing[group]:
                        break
        return {name: group for names in own.values() for name, group in names.items()}

    @once
    def vectors(self) -> tuple[tuple[str, ...], ...]:
        """The vectors of registers in these statements, the nearest first."""
        found: dict[tuple[str, ...], None] = {}
        texts = [self._place.text[: self._place.typed.start - self._place.start], *self._texts]
        for text in texts:
            for inner in _VECTOR.findall(text):
                names = tuple(name.strip() for name in inner.split(","))
                if all(self.symbol(name) is not None for name in names):
                    found[names] = None
        return tuple(found)

    @once
    def groups(self) -> tuple[Symbol, ...]:
        """The visible parameterized declarations, from the innermost scope; the first ones if there are many."""
        found: dict[str, Symbol] = {}
        for scope in self._place.context.scope.chain():
            for prefix, symbol in scope.groups.items():
                if len(found) == _MOST_GROUPS:
                    break
                if symbol.kind is SymbolKind.REGISTER and self._place.context.visible(f"{prefix}0") is symbol:
                    found.setdefault(prefix, symbol)
        return tuple(found.values())

    def named(self) -> Iterator[Symbol]:
        """The visible individually named registers, the last declared first."""
        typed = self._place.prefix.lower()
        count = 0
        for scope in self._place.context.scope.chain():
            for name in reversed(scope.names):
                symbol = scope.names[name]
                if symbol.kind is SymbolKind.REGISTER and typed in name.lower() and self.symbol(name) is symbol:
                    yield symbol
                    count += 1
                    if count == _MOST_NAMES:
                        return

    def conditions(self) -> Iterator[tuple[str, Symbol]]:
        """The registers that are written and read as conditions further above, the nearest first."""
        context = self._place.context
        seen: set[str] = set()
        left = _CONDITIONS
        for run in runs_before(context.function.chunks, context.chunk, context.index, _FURTHER):
            starts = run.chunk.starts()
            for name in reversed(_CONDITION.findall(run.chunk.text, starts[run.first], starts[run.end])):
                symbol = self.symbol(name) if name not in seen else None
                seen.add(name)
                if symbol is not None:
                    yield name, symbol
                    left -= 1
                    if not left:
                        return

    def unused(self, group: Symbol, count: int = 1) -> tuple[str, ...]:
        """The first registers of a group after all used ones; empty if too few or unknown."""
        first = self._highest(group) + 1
        if first + count > (group.count or 0):
            return ()
        return tuple(f"{group.name}{first + at}" for at in range(count))

    def last(self, group: Symbol) -> str:
        """The most recently used register of a group; else its highest or first."""
        return next(
            (name for name, symbol in self.recent.items() if symbol is group),
            f"{group.name}{max(min(self._highest(group), (group.count or 1) - 1), 0)}",
        )

    def _highest(self, group: Symbol) -> int:
        """The highest used register of a group; in a long function the last of the group."""
        if group not in self._numbers:
            chunks = self._place.context.function.chunks
            highest = (group.count or 0) - 1
            if sum(chunk.length for chunk in chunks) <= _SCANNED:
                members = (chunk.derived(_members).get(group.name, ()) for chunk in chunks)
                highest = max((int(name[len(group.name) :]) for names in members for name in names), default=-1)
            self._numbers[group] = highest
        return self._numbers[group]

    @once
    def _texts(self) -> list[str]:
        """The statements above, without comments, the nearest first."""
        context = self._place.context
        found: list[str] = []
        left = _CHARACTERS
        for chunk, index in before(context.function.chunks, context.chunk, context.index, _STATEMENTS):
            part = chunk.part(index)
            left -= len(part)
            if left < 0:
                break
            found.append(_COMMENT.sub(" ", part) if "/" in part else part)
        return found


def members_in(text: str, start: int = 0, end: int = sys.maxsize) -> dict[str, list[str]]:
    """The names in a text that end with a number, by what stands before the number; the last ones in the text first.

    ``%r12`` can be a member of ``%r<100>`` and of ``%r1<9>``.

    >>> members_in("add.s32 %r1, %r12, %q; bra L1;")
    {'L': ['L1'], '%r1': ['%r12'], '%r': ['%r12', '%r1']}
    """
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(reversed(_NUMBERED.findall(text, start, end))):
        for digits in range(1, min(len(name), _MOST_DIGITS + 1)):
            if not name[-digits].isdigit():
                break
            found.setdefault(name[:-digits], []).append(name)
    return found


def _members(chunk: Chunk) -> dict[str, list[str]]:
    return members_in(chunk.text)
