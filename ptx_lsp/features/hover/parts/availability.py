"""The availability of a spelling, determined by matching it for every version and target."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.gate import FIRST, AcceptancePolicy, Gate, Since
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version


def prepared_form(match: Match) -> PreparedForm:
    """Return the prepared form of a match."""
    forms = match.instruction.prepared[match.form.mnemonic]
    return next(form for form in forms if form.form is match.form)


def since(match: Match, module: Module) -> Gate | None:
    """Return the versions and targets, up to this module's, from which the matched spelling is accepted.

    Each version is paired with targets that accept the spelling in that version: the first one with the least target,
    and each later one in which an older target, or the family, followed. What the manual says counts; for a spelling
    that only ptxas accepts, what ptxas does. None if the module does not accept it.
    """
    for judge in (AcceptancePolicy.LATEST, AcceptancePolicy.ANY):
        spelling = _MatchedSpelling(match, judge)
        if spelling.exists(module.version, module.target):
            return _since(spelling, module.version, module.target)
    return None


class _MatchedSpelling:
    """The spelling of a match, to be asked of any module."""

    def __init__(self, match: Match, judge: AcceptancePolicy) -> None:
        self.match = match
        self.form = prepared_form(match)
        self.judge = judge

    def exists(self, version: Version, target: Target) -> bool:
        """Whether it is legal in a module of this version and target."""
        module = language_level(version, target, self.judge)
        if not module.allows_all(self.form.form.gates):
            return False
        values = list(self.match.values)
        gates = (slot.choices.get(value) for slot, value in zip(self.form.form.slots, values, strict=True))
        if not all(gate is None or module.allows(gate) for gate in gates):
            return False
        return all(check.test(values, module) for check in self.form.checks) and self._takes_operands(version, target)

    def _takes_operands(self, version: Version, target: Target) -> bool:
        """Whether the rows of tables that such a module has are for operands such as the written."""
        fitting = Fitting(self.form, list(self.match.values), language_level(version, target, AcceptancePolicy.ALL))
        specified = fitting.operands()
        return len(specified) != len(self.match.operands) or fitting.fits(specified, self.match.operands)


def _since(spelling: _MatchedSpelling, version: Version, target: Target) -> Gate:
    older = _targets_up_to(target)
    targets = [name for name in older if spelling.exists(version, name)]
    if all(name.suffix == "a" for name in targets):
        return Gate(tuple(_alike(spelling, version)))
    found: list[Since] = []
    for old in catalogue().vocabulary.versions:
        least = next((name for name in targets if _has(old, name) and spelling.exists(old, name)), None)
        if old <= version and least is not None and not (found and found[-1].allows_target(least)):
            found.append(Since(old, () if least == older[0] else (least,)))
    return Gate(tuple(found))


def _alike(spelling: _MatchedSpelling, version: Version) -> Iterator[Since]:
    """Yield the architecture-specific targets that accept a spelling, by the versions since which they do."""
    names = [word.target for word in catalogue().vocabulary.targets.values() if word.target.suffix == "a"]
    for old in catalogue().vocabulary.versions:
        if old <= version:
            new = [name for name in names if _has(old, name) and spelling.exists(old, name)]
            names = [name for name in names if name not in new]
            lasting = tuple(name for name in new if spelling.exists(version, name))
            if lasting:
                yield Since(old, lasting)


def legal_words(match: Match, place: int, module: Module) -> list[str]:
    """Return the words of the manual for a place of the form that are legal with the other words of the opcode."""
    form = prepared_form(match)
    level = language_level(module.version, module.target, AcceptancePolicy.LATEST)
    checks = [check for check in form.checks if place in check.scope] if match.values else []
    values = list(match.values)
    found = []
    for word, gate in form.slots[place].choices.items():
        changed = [*values[:place], word, *values[place + 1 :]]
        if word and level.allows(gate) and all(check.test(changed, level) for check in checks):
            found.append(word)
    return found


def is_always_open(gate: Gate) -> bool:
    """Whether the gate has no requirement."""
    return gate == Gate((Since(FIRST),))


def _targets_up_to(target: Target) -> list[Target]:
    """Return the plain targets that this one implies, oldest first; then those of its family; then its own."""
    words = [word.target for word in catalogue().vocabulary.targets.values() if target.implies(word.target)]
    return [word for suffix in ("", "f", "a") for word in words if word.suffix == suffix]


def _has(version: Version, target: Target) -> bool:
    """Whether a version of the language has a target of this name."""
    words = catalogue().vocabulary.targets
    renamed = words.get(str(Target(target.canonical, target.suffix)))
    if target.number != target.canonical and renamed is not None and version >= renamed.version:
        return False
    return version >= words[str(target)].version
