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
    and each later one in which an older target, or the family, followed. None if the module does not accept it.
    """
    form = prepared_form(match)
    version, target = module.version, module.target
    if not _exists(form, match, version, target):
        return None
    older = _targets_up_to(target)
    targets = [name for name in older if _exists(form, match, version, name)]
    if all(name.suffix == "a" for name in targets):
        return Gate(tuple(_alike(form, match, version)))
    found: list[Since] = []
    for old in catalogue().vocabulary.versions:
        least = next((name for name in targets if _has(old, name) and _exists(form, match, old, name)), None)
        if old <= version and least is not None and not (found and found[-1].allows_target(least)):
            found.append(Since(old, () if least == older[0] else (least,)))
    return Gate(tuple(found))


def _alike(form: PreparedForm, match: Match, version: Version) -> Iterator[Since]:
    """Yield the architecture-specific targets that accept a spelling, by the versions since which they do."""
    names = [word.target for word in catalogue().vocabulary.targets.values() if word.target.suffix == "a"]
    for old in catalogue().vocabulary.versions:
        if old <= version:
            new = [name for name in names if _has(old, name) and _exists(form, match, old, name)]
            names = [name for name in names if name not in new]
            lasting = tuple(name for name in new if _exists(form, match, version, name))
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


def _exists(form: PreparedForm, match: Match, version: Version, target: Target) -> bool:
    """Whether the spelling is legal in a module of this version and target."""
    module = language_level(version, target)
    if not module.allows_all(form.form.gates):
        return False
    values = list(match.values)
    gates = (slot.choices.get(value) for slot, value in zip(form.form.slots, values, strict=True))
    if not all(gate is None or module.allows(gate) for gate in gates):
        return False
    return all(check.test(values, module) for check in form.checks) and _takes_operands(form, match, version, target)


def _takes_operands(form: PreparedForm, match: Match, version: Version, target: Target) -> bool:
    """Whether the rows of tables that a module of this version and target has are for operands such as the written."""
    fitting = Fitting(form, list(match.values), language_level(version, target, AcceptancePolicy.ALL))
    specified = fitting.operands()
    return len(specified) != len(match.operands) or fitting.fits(specified, match.operands)
