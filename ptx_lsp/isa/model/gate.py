"""Gates: since which version, on which targets, a part of the language exists.

Their text is that of the pages, ``8.6 sm_100a sm_101a or 8.8 sm_100f until 9.0``, their description that of hovers and
messages. ``ptxas 13.4`` or ``ptxas until 13.0`` after it names the releases of ptxas that accept the part, where they
differ about one version of the language; ``ptxas`` alone means that all accept what the manual does not list.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache

from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.toolkits import first_reader
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple

FIRST = Version(1, 0)


class AcceptancePolicy(Enum):
    """Whose verdict is asked for where releases of ptxas differ."""

    ANY = "any"
    """It is fine if one of them accepts it."""
    ALL = "all"
    """All must accept it."""
    LATEST = "latest"
    """The newest, and those to come, accept it."""


class Releases(NamedTuple):
    """The releases of ptxas that accept something, named after their CUDA toolkit."""

    first: Version | None = None
    until: Version | None = None
    """The first that refuses it again."""
    documented: bool = True
    """Whether the manual lists it."""

    @staticmethod
    def parse(text: str) -> Releases:
        """Read ``13.4 until 13.6``; either part may be missing, and without both the manual does not list it."""
        first, _, until = text.partition("until")
        begin, end = (Version.parse(part.strip()) if part.strip() else None for part in (first, until))
        return Releases(begin, end, documented=bool(begin or end))

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.first or ""), f"until {self.until}" if self.until else "")))

    def has(self, judge: Version | AcceptancePolicy) -> bool:
        """Whether a release accepts it, or any, or all."""
        if judge is AcceptancePolicy.LATEST:
            return self.until is None and self.documented
        if isinstance(judge, AcceptancePolicy):
            return judge is AcceptancePolicy.ANY or self == EVERY_RELEASE
        return (self.first is None or judge >= self.first) and (self.until is None or judge < self.until)

    def describe(self) -> str:
        """In words: ``ptxas of CUDA 13.4 or newer``, ``ptxas before CUDA 13.0``, ``ptxas, contrary to the manual``."""
        if not self.documented:
            return "ptxas, contrary to the manual"
        if self.first is None:
            return f"ptxas before CUDA {self.until}"
        return f"ptxas of CUDA {self.first} or newer" + (f", before {self.until}" if self.until else "")


EVERY_RELEASE = Releases()
UNDOCUMENTED = Releases(documented=False)
"""All releases, against the manual."""


class Need(NamedTuple):
    """The version, target or release that a module lacks for a part that it uses."""

    version: Version | None = None
    """The version that it needs; with ``until`` the one that dropped the part. None: its own is new enough."""
    targets: tuple[Target, ...] = ()
    """Targets one of which it must imply; with ``until`` those that lost the part. Empty: its own is fine."""
    until: bool = False
    """The part is gone rather than not there yet."""
    releases: Releases = EVERY_RELEASE
    """The only releases of ptxas that accept the part, if the one in question refuses it. The version and the targets
    are then those with which all releases accept it."""

    def describe(self) -> str:
        """The need in words, as it follows "needs": ``sm_100 or newer``, ``PTX 7.8``, ``sm_100a or sm_110a``."""
        if self.releases != EVERY_RELEASE:
            return self.releases.describe()
        return self.describe_language()

    def describe_language(self) -> str:
        """The version and the targets in words, without the releases of ptxas."""
        if self.until:
            older = f"PTX {self.version.previous} or older" if self.version else ""
            targets = " or ".join(f"a target before {target}" for target in self.targets)
            return " or ".join(filter(None, (older, targets)))
        version = f"PTX {self.version}" if self.version else ""
        return " and ".join(filter(None, (version, describe_targets(self.targets, " or "))))


class Since(NamedTuple):
    """One way through a gate: a version, and targets one of which must be implied (none: any target)."""

    version: Version
    targets: tuple[Target, ...] = ()

    def allows(self, version: Version, target: Target) -> bool:
        """Whether a module of this version and target passes."""
        return version >= self.version and self.allows_target(target)

    def allows_target(self, target: Target) -> bool:
        """Whether the target alone passes."""
        return not self.targets or any(target.implies(needed) for needed in self.targets)

    def __str__(self) -> str:
        words = [] if self.version == FIRST and self.targets else [str(self.version)]
        return " ".join([*words, *map(str, self.targets)])


class Gate(NamedTuple):
    """Since when something exists: any of ``since`` lets a module pass, unless ``until`` shuts it again."""

    since: tuple[Since, ...] = (Since(FIRST),)
    until: Since | None = None
    others: tuple[Gate, ...] = ()
    """Gates beside it, each with an end of its own: any of them lets a module pass too."""
    releases: Releases = EVERY_RELEASE
    """The releases of ptxas that accept it."""

    @staticmethod
    @cache
    def parse(text: str) -> Gate:
        """Read the notation of the pages, without the ``@``.

        Raises:
            ValueError: on a word that is neither a version nor a target.
        """
        language, named, releases = text.partition("ptxas")
        opening, _, closing = language.partition("until")
        since = tuple(_since(part.split()) for part in opening.split(" or ") if part.strip())
        until = _since(closing.split()) if closing else None
        return Gate(since or (Since(FIRST),), until, releases=Releases.parse(releases) if named else EVERY_RELEASE)

    def __str__(self) -> str:
        text = " or ".join(map(str, self.since))
        if self.until:
            text += f" until {self.until}"
        return text if self.releases == EVERY_RELEASE else f"{text} ptxas {self.releases}".rstrip()

    def either(self, other: Gate) -> Gate:
        """A gate that lets pass what one of the two does."""
        if self.until == other.until and self.releases == other.releases and not self.others:
            return self._replace(since=self.since + other.since)
        return self._replace(others=(*self.others, other))

    def allows(
        self, version: Version, target: Target, judge: Version | AcceptancePolicy = AcceptancePolicy.ANY
    ) -> bool:
        """Whether a module of this version and target may use the part, as ``judge`` says: a release of ptxas."""
        if self.others and any(other.allows(version, target, judge) for other in self.others):
            return True
        if not self.releases.has(judge):
            return False
        if self.releases.until is not None and (first_reader(version) or FIRST) >= self.releases.until:
            return False
        if self.until is not None and self.until.allows(version, target):
            return False
        return any(since.allows(version, target) for since in self.since)

    def why_not(
        self, version: Version, target: Target, judge: Version | AcceptancePolicy = AcceptancePolicy.ANY
    ) -> Need | None:
        """The version, target or release that such a module lacks; None if none.

        Another ptxas is asked for first, where that is enough, then a newer version, then other targets, then both.
        """
        if self.allows(version, target, judge):
            return None
        parts = (self._replace(others=()), *self.others)
        for gate in parts:
            if gate.allows(version, target):
                documented = next((part for part in parts if part.releases == EVERY_RELEASE), None)
                need = documented.why_not(version, target) if documented is not None else None
                return (need or Need())._replace(releases=gate.releases)
        if self.until is not None and self.until.allows(version, target):
            return Need(self.until.version, self.until.targets, until=True)
        right_target = [since.version for since in self.since if since.allows_target(target)]
        if right_target:
            return Need(version=min(right_target))
        in_time = [since for since in self.since if version >= since.version]
        targets = tuple(dict.fromkeys(needed for since in in_time or self.since for needed in since.targets))
        return Need(None if in_time else min(since.version for since in self.since), targets)

    def describe(self) -> str:
        """The gate in words: ``PTX 7.4, sm_70 or newer``; ``PTX 8.0, sm_90a only``; ``PTX 8.6 on sm_100a, ...``."""
        words = self._language()
        return words if self.releases == EVERY_RELEASE else f"{words}; {self.releases.describe()}"

    def _language(self) -> str:
        words = self._opening()
        if self.until is None:
            return words
        closing = f"up to PTX {self.until.version.previous}"
        if self.until.targets:
            closing += f" on {describe_targets(self.until.targets, ', ')}"
        return closing if self.since == (Since(FIRST),) else f"{words}; {closing}"

    def _opening(self) -> str:
        if len(self.since) == 1:
            only = self.since[0]
            targets = describe_targets(only.targets, ", ")
            if only.targets and all(target.suffix == "a" for target in only.targets):
                targets += " only"
            version = "" if only.version == FIRST and targets else f"PTX {only.version}"
            return ", ".join(filter(None, (version, targets)))
        parts = [
            f"PTX {since.version}" + (f" on {describe_targets(since.targets, ', ')}" if since.targets else "")
            for since in self.since
        ]
        return ("; " if any("," in part for part in parts) else ", ").join(parts)


OPEN = Gate()
"""The gate of what has always been there."""


def why_not(gates: Iterable[Gate], version: Version, target: Target) -> Need | None:
    """The need of the first of several gates that does not let pass; all must."""
    return next((need for gate in gates if (need := gate.why_not(version, target)) is not None), None)


def describe_targets(targets: tuple[Target, ...], between: str) -> str:
    """Targets in words: ``sm_70 or newer``, ``sm_90a``, ``the sm_100f family``, ``the sm_100f, sm_110f families``.

    Of those without a suffix only the oldest is named: the others are newer.
    """
    oldest = min((target.canonical for target in targets if not target.suffix), default=0)
    targets = tuple(target for target in targets if target.suffix or target.canonical == oldest)
    words = [str(target) if target.suffix else f"{target} or newer" for target in targets if target.suffix != "f"]
    family = [str(target) for target in targets if target.suffix == "f"]
    if family:
        words.append(f"the {between.join(family)} {'family' if len(family) == 1 else 'families'}")
    return between.join(words)


def _since(words: list[str]) -> Since:
    version = FIRST
    if words and words[0][0].isdecimal():
        version = Version.parse(words.pop(0))
    return Since(version, tuple(map(Target.parse, words)))
