"""Reads TextMate grammars as VS Code does, as far as ours goes: no ``while``, no ``\\G``, no back references.

Source: TextMate manual, "Language Grammars"; which of several rules goes first is seen in vscode-textmate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """Characters ``[start, end)`` of a line under one list of scopes."""

    start: int
    end: int
    scopes: tuple[str, ...]


@dataclass(eq=False)
class Rule:
    """A rule with its expressions compiled; ``patterns`` are rules, includes resolved."""

    raw: dict[str, Any]
    grammar: Grammar
    begin: re.Pattern[str] | None = field(init=False)
    end: re.Pattern[str] | None = field(init=False)

    def __post_init__(self) -> None:
        begin = self.raw.get("match", self.raw.get("begin"))
        self.begin = re.compile(begin) if begin is not None else None
        self.end = re.compile(self.raw["end"]) if "end" in self.raw else None
        self._patterns: list[Rule] | None = None

    @property
    def name(self) -> tuple[str, ...]:
        return tuple(self.raw.get("name", "").split())

    @property
    def content(self) -> tuple[str, ...]:
        return tuple(self.raw.get("contentName", "").split())

    @property
    def patterns(self) -> list[Rule]:
        if self._patterns is None:
            self._patterns = list(self.grammar.expand(self.raw.get("patterns", [])))
        return self._patterns

    def captures(self, kind: str) -> dict[int, Rule]:
        found = self.raw.get(kind, self.raw.get("captures", {}))
        return {int(number): self.grammar.rule(raw) for number, raw in found.items()}


class Grammar:
    """A grammar that tokenizes."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        self._rules: dict[int, Rule] = {}
        self.root = self.rule({"patterns": raw["patterns"]})

    def rule(self, raw: dict[str, Any]) -> Rule:
        if id(raw) not in self._rules:
            self._rules[id(raw)] = Rule(raw, self)
        return self._rules[id(raw)]

    def expand(self, patterns: list[dict[str, Any]]) -> Iterator[Rule]:
        """The rules of a list with those that it includes in their places."""
        for raw in patterns:
            name = raw.get("include")
            raw = self.raw["repository"][name[1:]] if name else raw
            if "begin" in raw or "match" in raw:
                yield self.rule(raw)
            else:
                yield from self.expand(raw["patterns"])

    def lines(self, text: str) -> Iterator[list[Piece]]:
        """The pieces of each line."""
        stack: list[tuple[Rule, tuple[str, ...]]] = [(self.root, ())]
        for line in text.split("\n"):
            pieces: list[Piece] = []
            _Line(line + "\n", len(line) + 1, pieces).read(0, stack)
            yield [piece for piece in pieces if piece.start < piece.end]


class _Line:
    """A line, or the beginning of one that a capture has."""

    def __init__(self, text: str, end: int, pieces: list[Piece]) -> None:
        self.text, self.end, self.pieces = text, end, pieces
        self._seen: dict[re.Pattern[str], re.Match[str] | None] = {}

    def read(self, at: int, stack: list[tuple[Rule, tuple[str, ...]]]) -> None:
        """Tokenize from ``at`` on; the stack of open regions is left as the next line finds it."""
        stuck = 0
        while True:
            rule, scopes = stack[-1]
            scopes_inside = (*scopes, *rule.content)
            found, chosen = None, None
            for one in (None, *rule.patterns):  # the end goes first
                pattern = rule.end if one is None else one.begin
                match = self._find(pattern, at) if pattern is not None else None
                if match is not None and (found is None or match.start() < found.start()):
                    found, chosen = match, one
            if found is None:
                self._put(at, self.end, scopes_inside)
                return
            self._put(at, found.start(), scopes_inside)
            stuck = stuck + 1 if found.end() == at else 0
            assert stuck < 20, f"no progress at {at} of {self.text!r}"
            if chosen is None:
                self._captured(found, rule.captures("endCaptures"), scopes)
                stack.pop()
            else:
                inner = (*scopes_inside, *chosen.name)
                kind = "captures" if chosen.end is None else "beginCaptures"
                self._captured(found, chosen.captures(kind), inner)
                if chosen.end is not None:
                    stack.append((chosen, inner))
            at = found.end()

    def _find(self, pattern: re.Pattern[str], at: int) -> re.Match[str] | None:
        if pattern in self._seen:
            match = self._seen[pattern]
            if match is None or match.start() >= at:
                return match
        match = self._seen[pattern] = pattern.search(self.text, at, self.end)
        return match

    def _captured(self, match: re.Match[str], captures: dict[int, Rule], scopes: tuple[str, ...]) -> None:
        at = match.start()
        for number in sorted(captures):
            start, end = match.span(number)
            if start < 0 or start == end or start < at:
                continue
            self._put(at, start, scopes)
            rule, at = captures[number], end
            inner = (*scopes, *rule.name)
            if rule.patterns:
                _Line(self.text, end, self.pieces).read(start, [(rule, inner)])
            else:
                self._put(start, end, inner)
        self._put(at, match.end(), scopes)

    def _put(self, start: int, end: int, scopes: tuple[str, ...]) -> None:
        if start < end:
            self.pieces.append(Piece(start, end, scopes))
