"""The sources: templates in CUDA, with the values that their parameters may take written in comments.

A comment ``// NAME = a b c`` lists the values of a parameter, ``// use: …`` is an instantiation with parameters in
braces. ``// least: sm_80`` names the oldest target, ``// exactly: sm_90a`` the only one.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import NamedTuple

FOLDER = Path(__file__).parent / "sources"

_PARAMETER = re.compile(r"^// (\w+) = (.+)$", re.MULTILINE)
_USE = re.compile(r"^// use: (.+)$", re.MULTILINE)
_LEAST = re.compile(r"^// least: sm_(\d+)$", re.MULTILINE)
_EXACTLY = re.compile(r"^// exactly: (\w+)$", re.MULTILINE)
_NAME_IN_USE = re.compile(r"\{(\w+)\}")


class Source(NamedTuple):
    """A source: its name, text, legal targets, parameters with their values, and the patterns of instantiations."""

    name: str
    text: str
    least: int
    exactly: str
    parameters: dict[str, list[str]]
    uses: list[str]

    def compiles_for(self, target: str) -> bool:
        """Whether the source is legal for a target such as ``sm_90a``."""
        return self.exactly == target if self.exactly else int(re.sub(r"\D", "", target)) >= self.least

    def instantiated(self, random: Random, count: int) -> str:
        """The source with at most ``count`` different instantiations, chosen at random."""
        chosen = {self._one_use(random): None for _ in range(count)}
        return "\n".join([self.text, *chosen, ""])

    def _one_use(self, random: Random) -> str:
        values = {name: random.choice(choices) for name, choices in self.parameters.items()}
        return _NAME_IN_USE.sub(lambda found: values[found[1]], random.choice(self.uses))


def sources() -> list[Source]:
    """All sources, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.cu"))]


def _read(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    least, exactly = _LEAST.search(text), _EXACTLY.search(text)
    parameters = {name: values.split() for name, values in _PARAMETER.findall(text)}
    return Source(
        path.stem, text, int(least[1]) if least else 0, exactly[1] if exactly else "", parameters, _USE.findall(text)
    )
