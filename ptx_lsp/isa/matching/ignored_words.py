"""The words of an opcode that ptxas ignores on a form: anywhere, or at the end of the opcode."""

from __future__ import annotations

from collections.abc import Collection

from ptx_lsp.isa.matching import matrix_operands
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.prepared_form import PreparedForm


def ignored(
    form: PreparedForm,
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    foreign: Collection[str],
    level: LanguageLevel,
) -> tuple[int, ...]:
    """Where an opcode holds ``foreign`` words, or words that ptxas ignores on this form."""
    meaningless, trailing = (
        {word for group in groups if level.allows(group.gate) for word in group.words}
        for groups in (form.form.meaningless, form.form.trailing)
    )
    meaningless = meaningless.difference(form.homes).union(foreign)
    if form.form.mnemonic in ("mma", "wmma"):
        meaningless -= matrix_operands.not_ignored(opcode, operands)
    found = [at for at, word in enumerate(opcode) if word in meaningless]
    following: list[str] = []
    for at in reversed(range(len(opcode)) if trailing else ()):
        word = opcode[at]
        if word in trailing and (not following or matrix_operands.is_taken_for(word, following, opcode, level.allows)):
            found.append(at)
        elif form.order.get(word) == "type" and word not in matrix_operands.SCALE_TYPES:
            following.append(word)
    return tuple(dict.fromkeys(found))
