"""Code lenses of inline assembly: the targets that take a statement, where not all do."""

from __future__ import annotations

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.requirements import least_requirements
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.isa.model.target import Target
from ptx_lsp.syntax.document import Document

_OLDEST = Target.parse("sm_75")
"""The oldest target of the compilers of today: what it takes, all take."""


def target_lens(fragment: AsmFragment, likeliest: Target, wanted: TargetSet) -> str | None:
    """The requirements of a statement; None if all targets take it for which it is compiled.

    Args:
        fragment: the statement.
        likeliest: the target that has most of its instructions.
        wanted: the targets for which it is compiled.

    """
    module = Module(Document(fragment.checked), None, likeliest, given=fragment.given())
    if not any(function.chunks for function in module.functions):
        return None
    needed = least_requirements(module, module.functions)
    title = f"requires PTX {needed.version}, {needed.target}"
    others = [target for target in wanted.targets if not target.implies(needed.target)]
    if wanted.is_named:
        names = ", ".join(map(str, others))
        return f"{title}; compiled for {names} too" if others else None
    is_for_old = any(target.number < _OLDEST.number for target in wanted.targets)
    current = [target for target in others if target.number >= _OLDEST.number]
    return title if current or is_for_old and not _OLDEST.implies(needed.target) else None
