"""Instructions that take only certain constants, so that statements of one shape can differ in their faults."""

from __future__ import annotations

from functools import cache, lru_cache

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import InstructionForm, flatten
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.syntax.shape import Shape


@cache
def limits_values(instruction: InstructionPage) -> bool:
    """Whether some form of a page takes only certain constants."""
    return any(_mentions_constants(form) for form in instruction.forms)


def _mentions_constants(form: InstructionForm) -> bool:
    cells = [*form.kinds.values(), *(cell for table in form.tables for row in table.rows for cell in row.cells)]
    return any("imm" in cell for cell in cells) or any(operand.kind == "number" for operand in flatten(form.operands))


@lru_cache(maxsize=1 << 13)
def depends_on_values(shape: Shape) -> bool:
    """Whether the page of the shape's opcode limits the value of a constant."""
    instruction = catalogue().instruction(shape.opcode) if shape.constants and shape.opcode else None
    return instruction is not None and limits_values(instruction)


@lru_cache(maxsize=1 << 13)
def ignores_values(opcode: tuple[str, ...]) -> bool:
    """Whether no page that an opcode may mean limits the value of a constant: all numbers fit, or none."""
    candidates = catalogue().candidates(opcode)
    return bool(candidates) and not any(map(limits_values, candidates))
