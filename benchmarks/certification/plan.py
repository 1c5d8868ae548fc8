"""The targets and versions that questions are asked for."""

from __future__ import annotations

from benchmarks.certification.releases import Release
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.language_level import LanguageLevel, language_level
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

GATE_TARGETS = (
    "sm_13 sm_20 sm_30 sm_50 sm_53 sm_60 sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f "
    "sm_103a sm_107a sm_107f sm_110a sm_110f sm_120 sm_120a sm_120f"
).split()
"""Targets of the gate questions."""

NEIGHBOUR_TARGETS = "sm_50 sm_75 sm_80 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103a sm_107a sm_120a".split()
"""Targets of the questions about neighbours, with the newest version."""

CODE_TARGETS = "sm_50 sm_70 sm_75 sm_80 sm_90a sm_100a sm_103a sm_107a sm_120a".split()
"""Targets that machine code is generated for, with the newest version that they have: one of each family."""

OLD_CODE = (("6.2", "sm_60"), ("6.3", "sm_60"), ("6.3", "sm_70"))
"""Modules for what exists in no new version; a ptxas that no longer knows the target takes its oldest."""

_NEIGHBOUR_OLD = (
    "sm_20 3.1, sm_30 3.2, sm_50 4.2, sm_60 6.0, sm_75 6.5, sm_80 7.1, sm_80 8.3, sm_90 8.0, sm_90a 8.3, sm_100 8.6, "
    "sm_100a 8.7, sm_103a 8.8"
).split(", ")
"""Older modules of the questions about neighbours."""

_SAMPLED = "sm_100a sm_120a sm_103a sm_90a sm_110a sm_107a sm_107f sm_120f sm_13 sm_60".split()
_OLD = ((1, 3, "sm_13"), (5, 0, "sm_60"), (6, 3, "sm_60"))


def sampled_modules(release: Release) -> list[LanguageLevel]:
    """The modules that samples are looked for in: the newest with everything, then old ones."""
    return [language_level(release.newest, Target.parse(name), release.name) for name in _SAMPLED] + [
        language_level(Version(major, minor), Target.parse(name), release.name) for major, minor, name in _OLD
    ]


def neighbour_modules(newest: Version) -> list[tuple[Version, str]]:
    """The versions and targets of the questions about neighbours."""
    old = [(Version.parse(version), target) for target, version in map(str.split, _NEIGHBOUR_OLD)]
    return [(newest, target) for target in NEIGHBOUR_TARGETS if newest in versions_of(target, newest)] + [
        module for module in old if module[0] < newest
    ]


def versions_of(target: str, newest: Version) -> list[Version]:
    """The versions that take a target, oldest first; without 5.1, which no toolkit brought and ptxas takes as 6.0."""
    vocabulary = catalogue().vocabulary
    first = vocabulary.targets[target].version
    return [version for version in vocabulary.versions if first <= version <= newest and version != (5, 1)]
