"""The module that a question is asked for: its version and target, and the gates it has passed so far."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ptx_lsp.isa.model.gate import AcceptancePolicy, Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version


class LanguageLevel:
    """A version with a target. Remembers its answers: the same few gates are asked again and again."""

    def __init__(
        self, version: Version, target: Target, judge: Version | AcceptancePolicy = AcceptancePolicy.ANY
    ) -> None:
        self.version = version
        self.target = target
        self.judge = judge
        """The release of ptxas whose verdict is asked for, or any, or all of them."""
        self._known: dict[int, tuple[Gate, bool]] = {}

    def allows(self, gate: Gate) -> bool:
        """Whether the gate lets such a module pass."""
        known = self._known.get(id(gate))
        if known is None:
            known = self._known[id(gate)] = (gate, self._judge(gate))
        return known[1]

    def _judge(self, gate: Gate) -> bool:
        return gate.allows(self.version, self.target, self.judge)

    def allows_all(self, gates: Iterable[Gate]) -> bool:
        """Whether all gates let such a module pass."""
        return all(map(self.allows, gates))


class OpenLevel(LanguageLevel):
    """A module for which every gate stands open that the judge opens: what exists at any version, on any target."""

    def _judge(self, gate: Gate) -> bool:
        return any(one.releases.has(self.judge) for one in (gate, *gate.others))


@cache
def language_level(
    version: Version, target: Target, judge: Version | AcceptancePolicy = AcceptancePolicy.ANY
) -> LanguageLevel:
    """The one context of a version and target."""
    return LanguageLevel(version, target, judge)


ANYWHERE = OpenLevel(Version(99, 0), Target(999, "a"))
"""The context in which nothing is too new, and nothing gone."""

DOCUMENTED = OpenLevel(Version(99, 0), Target(999, "a"), AcceptancePolicy.LATEST)
"""The context in which nothing is too new or gone, but for what only ptxas, or only older releases of it, take."""
