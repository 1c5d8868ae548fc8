"""The words of an opcode that ptxas ignores on a form: anywhere, or at the end of the opcode."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from ptx_lsp.isa.matching.trailing_types import SCALE_TYPES, is_taken_for
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.process_cache import memoized


def ignored(
    form: PreparedForm,
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    foreign: Collection[str],
    level: LanguageLevel,
) -> tuple[int, ...]:
    """Indices of the ``foreign`` words of an opcode, and of those that ptxas ignores on this form."""
    if not foreign and ignorable(form).isdisjoint(opcode):
        return ()
    open_words, trailing = _ignorable_in(form, level)
    meaningless = open_words.union(foreign)
    if "second-kind" in form.deviations:
        kinds = {word for word in opcode if word.startswith(".kind::")}
        meaningless -= kinds if len(kinds) > 1 else set()
    if "vector-length" in form.deviations:
        lengths = {f".v{len(operand.parts)}" for operand in operands if operand.kind == "vector"}
        meaningless -= {word for word in (".v2", ".v4", ".v8") if lengths != {word}}
    found = [at for at, word in enumerate(opcode) if word in meaningless]
    following: list[str] = []
    for at in reversed(range(len(opcode)) if trailing else ()):
        word = opcode[at]
        if word in trailing and (not following or is_taken_for(word, following, opcode, level.allows)):
            found.append(at)
        elif form.order.get(word) == "type" and word not in SCALE_TYPES:
            following.append(word)
    return tuple(dict.fromkeys(found))


@memoized(1024)
def _ignorable_in(form: PreparedForm, level: LanguageLevel) -> tuple[frozenset[str], frozenset[str]]:
    """The words that ptxas ignores on a form in a module of some level: anywhere, and at the end of the opcode."""
    meaningless, trailing = (
        frozenset(word for group in groups if level.allows(group.gate) for word in group.words)
        for groups in (form.form.meaningless, form.form.trailing)
    )
    return meaningless.difference(form.homes), trailing


@cache
def ignorable(form: PreparedForm) -> frozenset[str]:
    """The words that ptxas may ignore on a form."""
    return frozenset(word for group in (*form.form.meaningless, *form.form.trailing) for word in group.words)
