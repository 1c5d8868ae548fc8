"""The TextMate grammar in Sublime Text's own notation, which bat and delta read too.

A region becomes a context that its begin pushes and its end pops. Sublime Text has no patterns within a group: there
the qualifiers behind an opcode are a context of their own, pushed above that of the operands.

Source: Sublime Text, "Syntax Definitions".
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from editors.generate.patterns import DOTTED
from editors.generate.rules import Rule
from editors.generate.textmate import grammar

_QUALIFIERS: list[dict[str, Any]] = [
    {"include": "qualifiers"},
    {"match": DOTTED},  # what nobody knows
    {"match": r"[ \t]+(?=\.[A-Za-z0-9_])"},
    {"match": "", "pop": True},
]


def files() -> dict[Path, str]:
    """The syntax definition."""
    raw = grammar()
    contexts = _Contexts(raw)
    lines = [
        "%YAML 1.2",
        "---",
        "# Made by python -m editors.generate out of grammar/.",
        "name: PTX",
        "file_extensions: [ptx]",
        "scope: source.ptx",
        "contexts:",
        *contexts.lines(),
    ]
    return {Path("sublime/PTX.sublime-syntax"): "\n".join(lines) + "\n"}


class _Contexts:
    """The lists of rules of a grammar, and one more for each region."""

    def __init__(self, raw: Rule) -> None:
        self._made: dict[str, list[dict[str, Any]]] = {"main": []}
        self._made["main"] += self._rules(raw["patterns"])
        for name, listed in raw["repository"].items():
            self._made[name] = self._rules([listed] if "begin" in listed else listed["patterns"])
        self._made["behind-opcode"] = _QUALIFIERS

    def _rules(self, patterns: list[Rule]) -> list[dict[str, Any]]:
        return [self._rule(raw) for raw in patterns]

    def _rule(self, raw: Rule) -> dict[str, Any]:
        if "include" in raw:
            return {"include": raw["include"].removeprefix("#")}
        if "begin" not in raw:
            return _looks(raw, "match", "captures")
        begin = _looks(raw, "begin", "beginCaptures")
        begin.pop("scope", None)
        begin.update({"scope": raw["beginCaptures"]["0"]["name"]} if "0" in raw.get("beginCaptures", {}) else {})
        name = f"region-{len(self._made)}"
        body = self._made[name] = []
        if "name" in raw:
            body.append({"meta_scope": raw["name"]})
        if "contentName" in raw:
            body.append({"meta_content_scope": raw["contentName"]})
        end = _looks({**raw, "name": ""}, "end", "endCaptures")
        body += [{**end, "pop": True}, *self._rules(raw.get("patterns", []))]
        inner = any("patterns" in look for look in raw.get("beginCaptures", {}).values())
        return {**begin, "push": [name, "behind-opcode"] if inner else name}

    def lines(self) -> list[str]:
        """The contexts in YAML."""
        found = []
        for name, rules in self._made.items():
            found.append(f"  {name}:")
            for rule in rules:
                pairs = [_pair(key, value) for key, value in rule.items()]
                found += [f"    - {pairs[0]}", *(f"      {pair}" for pair in pairs[1:])]
        return found


def _looks(raw: Rule, pattern: str, captures: str) -> dict[str, Any]:
    """A match with the scopes of its groups; a group with rules of its own is left to the context that follows."""
    text: str = raw[pattern]
    looks: dict[str, Rule] = raw[captures] if captures in raw else raw.get("captures", {})
    if any("patterns" in look for look in looks.values()):
        text = _without_last_group(text)
    made: dict[str, Any] = {"match": text}
    if raw.get("name"):
        made["scope"] = raw["name"]
    named = {int(number): look["name"] for number, look in looks.items() if "name" in look and number != "0"}
    if named:
        made["captures"] = named
    return made


def _without_last_group(pattern: str) -> str:
    """``(ld)(...)`` as ``(ld)(?=...)``: the last group is seen and not taken."""
    assert pattern.endswith(")")
    depth = 0
    for at in range(len(pattern) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(pattern[at], 0)
        if not depth:
            return f"{pattern[:at]}(?={pattern[at + 1 :]}"
    raise ValueError(pattern)


def _pair(key: str, value: Any) -> str:
    """A pair in YAML; expressions stand in single quotes, where only those have to be doubled."""
    if isinstance(value, dict):
        return f"{key}: {{{', '.join(f'{number}: {name}' for number, name in value.items())}}}"
    if isinstance(value, list):
        return f"{key}: [{', '.join(value)}]"
    if value is True:
        return f"{key}: true"
    quoted = "'" + value.replace("'", "''") + "'"
    return f"{key}: {quoted if key == 'match' else value}"
