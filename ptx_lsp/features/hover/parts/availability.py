"""The availability of a spelling, determined by matching it for every version and target."""

from __future__ import annotations

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
    """Return the first version and the least target, up to this module's, that accept the matched spelling.

    None if the module itself does not accept it.
    """
    form = prepared_form(match)
    version, target = module.version, module.target
    if not _exists(form, match, version, target):
        return None
    first = next(old for old in catalogue().vocabulary.versions if _exists(form, match, old, target))
    least = next((old for old in _targets_up_to(target) if _exists(form, match, version, old)), target)
    oldest = _targets_up_to(target)[0]
    if least.suffix == "a":
        return Gate((Since(first, _alike(form, match, version, least)),))
    return Gate((Since(first, () if least == oldest else (least,)),))


def _alike(form: PreparedForm, match: Match, version: Version, target: Target) -> tuple[Target, ...]:
    """Return the architecture-specific targets that accept a spelling, including this one."""
    words = [word for word in catalogue().vocabulary.targets.values() if word.target.suffix == "a"]
    found = [word.target for word in words if version >= word.version and _exists(form, match, version, word.target)]
    return tuple(found) if target in found else (target,)


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
    """Return the plain targets that this one implies, oldest first; then those of its family."""
    words = [word.target for word in catalogue().vocabulary.targets.values()]
    plain = [word for word in words if not word.suffix and target.implies(word)]
    return plain + [word for word in words if word.suffix == "f" and target.implies(word)]


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
