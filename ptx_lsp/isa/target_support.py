"""The targets that have an instruction, by the gates of its forms alone."""

from __future__ import annotations

from functools import lru_cache

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version


@lru_cache(maxsize=4096)
def supporting_targets(opcode: tuple[str, ...], version: Version, targets: tuple[Target, ...]) -> frozenset[Target]:
    """The targets with a form that has all words of an opcode; all targets if no form has.

    An upper bound: gates of single words, and of operands, are not asked.
    """
    forms = [
        form
        for page in catalogue().candidates(opcode)
        for form in page.prepared.get(opcode[0], ())
        if all(word in form.homes or word in form.form.names for word in opcode[1:])
    ]
    found = frozenset(
        target
        for target in targets
        if any(language_level(version, target).allows_all(form.form.gates) for form in forms)
    )
    return found or frozenset(targets)
