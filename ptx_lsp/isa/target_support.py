"""The targets that have an instruction, by the gates of its forms alone."""

from __future__ import annotations

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import memoized


def supporting_targets(
    opcode: tuple[str, ...], version: Version, targets: tuple[Target, ...]
) -> frozenset[Target] | None:
    """The targets with a form that has all words of an opcode; None if no form has them for any.

    An upper bound: gates of single words, and of operands, are not asked.
    """
    return _supporting(opcode, version, targets) or None if _forms(opcode) else None


@memoized(1024)
def _supporting(opcode: tuple[str, ...], version: Version, targets: tuple[Target, ...]) -> frozenset[Target]:
    return frozenset(target for target in targets if has_form_for(opcode, version, target))


@memoized(1024)
def has_form_for(opcode: tuple[str, ...], version: Version, target: Target) -> bool:
    """Whether a target has a form with all words of an opcode, by the same gates."""
    level = language_level(version, target)
    return any(level.allows_all(form.form.gates) for form in _forms(opcode))


@memoized(256)
def _forms(opcode: tuple[str, ...]) -> tuple[PreparedForm, ...]:
    return tuple(
        form
        for page in catalogue().candidates(opcode)
        for form in page.prepared.get(opcode[0], ())
        if all(word in form.homes or word in form.form.names for word in opcode[1:])
    )
