"""Words of an opcode that no form of its instruction has and that ptxas does not ignore.

What is wrong with a statement does not depend on how such a word is spelled: the statement with a stand-in for it has
the same mismatches. A file can have any number of misspelt opcodes, and to find the nearest form takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage

_BY_BEGINNING = ".kind::"
"""Words that begin so are looked at by their beginning."""


def with_stand_ins(opcode: tuple[str, ...], candidates: Iterable[InstructionPage]) -> tuple[str, ...]:
    """The opcode with a stand-in for each foreign word; equal words have the same one."""
    shared = catalogue().shared
    strange = {
        word
        for word in frozenset(opcode[1:])
        if word not in shared.order
        and word not in shared.free
        and word not in shared.repeatable
        and word not in shared.meaningless
        and not word.startswith(_BY_BEGINNING)
    }
    for page in candidates if strange else ():
        for form in page.prepared.get(opcode[0], ()):
            strange.difference_update(form.homes)
            for group in (*form.form.meaningless, *form.form.trailing):
                strange.difference_update(group.words)
            if not strange:
                return opcode
    if not strange:
        return opcode
    numbers: dict[str, str] = {}
    return tuple(numbers.setdefault(word, f".?{len(numbers)}") if word in strange else word for word in opcode)
