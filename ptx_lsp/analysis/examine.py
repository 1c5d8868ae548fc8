"""Which statements of a chunk need a closer look?

Almost all statements of a file are fine, and most of them can be told so by the
hundred: a *shape* whose names are all numbered registers (``%r1``, ``%rd22``) has
one verdict for all its statements, and the registers of a whole chunk are compared
with the declared ones as sets. What remains (named operands, constants with a
legal range, undeclared names) is looked at one by one, and only statements that
some check may speak about are returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_lsp.analysis.function import Function, Segment
from ptx_lsp.analysis.special import special_code, special_names
from ptx_lsp.analysis.symbols import Scope, Symbol
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.form import InstructionForm, flatten
from ptx_lsp.isa.instruction import Instruction as InstructionPage
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction

if TYPE_CHECKING:
    from ptx_lsp.analysis.module import Module

FINE, ONE_BY_ONE, FLAGGED = range(3)
"""Verdicts on a shape in a scope: nothing to say; depends on the statement; every statement is worth a look."""

_REGISTERS = re.compile(r"%[\w$]++(?!<)")
_LOOKED_AT_IF_NAMED = frozenset({Kind.VARIABLE, Kind.TARGETS, Kind.ALIAS})
_LARGEST_SET = 1 << 16


@lru_cache(maxsize=64)
def _members(prefix: str, count: int) -> frozenset[str]:
    """All names of ``prefix<count>``."""
    return frozenset(f"{prefix}{number}" for number in range(count))


def undeclared_registers(names: set[str], scope: Scope) -> set[str]:
    """The names that neither the scope nor a special register explains."""
    left = names
    for around in scope.chain():
        left = left - around.names.keys()
        for prefix, group in around.groups.items():
            count = group.count or 0
            if count <= _LARGEST_SET:
                left = left - _members(prefix, count)
    left = left - special_names()
    return {name for name in left if scope.lookup(name) is None} if left else left


def examine(module: Module, function: Function, chunk: Chunk) -> list[int]:
    """The statements of ``chunk``, by index and in order, that some check may speak about."""
    flagged: set[int] = set(chunk.flawed())
    for segment in function.segments[chunk]:
        _examine_segment(module, function, chunk, segment, flagged)
    return sorted(flagged)


def _examine_segment(module: Module, function: Function, chunk: Chunk, segment: Segment, flagged: set[int]) -> None:
    start, end, scope = segment
    shapes = chunk.shapes[start:end]
    verdicts = module.verdicts(scope)
    closer: dict[int, int] = {}
    for number in set(shapes):
        verdict = verdicts.get(number)
        if verdict is None:
            at = start + shapes.index(number)
            verdict = verdicts[number] = _verdict(module, scope, SHAPES[number], chunk.statement(at))
        if verdict:
            closer[number] = verdict
    if closer:
        for index, number in enumerate(shapes, start):
            verdict = closer.get(number, FINE)
            if verdict == FLAGGED or verdict and not _is_fine(module, function, scope, chunk, index):
                flagged.add(index)
    _flag_registers(function, chunk, segment, flagged)


def _flag_registers(function: Function, chunk: Chunk, segment: Segment, flagged: set[int]) -> None:
    start, end, scope = segment
    whole = end - start == len(chunk.kinds)
    text = chunk.text if whole else "".join(chunk.parts()[start:end])
    names = set(_REGISTERS.findall(text))
    suspects = undeclared_registers(names, scope)
    late = function.late.get(scope)
    if late:
        suspects |= {name for name in names if _is_late(name, scope, late)}
    if not suspects:
        return
    wanted = re.compile("(?:" + "|".join(map(re.escape, sorted(suspects))) + r")(?![\w$])")
    kinds = chunk.kinds
    for index, part in enumerate(chunk.parts()[start:end], start):
        if kinds[index] == Kind.INSTRUCTION and wanted.search(part):
            flagged.add(index)


def _is_late(name: str, scope: Scope, late: dict[str, Symbol]) -> bool:
    symbol = scope.lookup(name)
    return symbol is not None and late.get(symbol.name) is symbol


def _verdict(module: Module, scope: Scope, shape: Shape, statement: Statement) -> int:
    """What can be said of all statements of a shape at once."""
    kind = shape.kind
    if shape.errors:
        return FINE  # syntax errors are listed by the chunk
    if kind in _LOOKED_AT_IF_NAMED and shape.names:
        return ONE_BY_ONE
    if kind != Kind.INSTRUCTION:
        return FINE
    codes = []
    for _, prefix in shape.names:
        code = scope.prefix_code(prefix) if prefix else None
        if code is None:
            return ONE_BY_ONE
        codes.append(code)
    if shape.constants and depends_on_values(shape):
        return ONE_BY_ONE
    return FINE if module.matcher.is_fine(shape, tuple(codes), statement) else FLAGGED


@lru_cache(maxsize=None)
def limits_values(instruction: InstructionPage) -> bool:
    """Whether some form of a page takes only certain constants."""
    return any(_mentions_constants(form) for form in instruction.forms)


def _mentions_constants(form: InstructionForm) -> bool:
    cells = [*form.kinds.values(), *(cell for table in form.tables for row in table.rows for cell in row.cells)]
    return any("imm" in cell for cell in cells) or any(operand.kind == "number" for operand in flatten(form.operands))


def depends_on_values(shape: Shape) -> bool:
    """Whether the page of the shape's opcode limits the value of a constant."""
    if not isinstance(shape.tree, Instruction):
        return False
    instruction = catalogue().instruction(shape.opcode)
    return instruction is not None and limits_values(instruction)


def _is_fine(module: Module, function: Function, scope: Scope, chunk: Chunk, index: int) -> bool:
    statement = chunk.statement(index)
    shape = statement.shape
    codes = tuple(name_codes(module, scope, statement))
    if 0 in codes:
        return False
    late = function.late
    if late and any(_declared_later(module, scope, late, statement.word(token), chunk, index) for token, _ in shape.names):
        return False
    if shape.constants and depends_on_values(shape):
        found = module.matcher.match(shape, codes, statement, values=True)
        return found is None or not found.mismatches and not found.notes and module.matcher.is_fine(shape, codes, statement)
    return module.matcher.is_fine(shape, codes, statement)


def _declared_later(
    module: Module, scope: Scope, late: dict[Scope, dict[str, Symbol]], name: str, chunk: Chunk, index: int
) -> bool:
    symbol = scope.lookup(name)
    if symbol is None or not any(symbol.name in names and names[symbol.name] is symbol for names in late.values()):
        return False
    return module.is_before(chunk, index, symbol.place)


def name_codes(module: Module, scope: Scope, statement: Statement) -> Iterable[int]:
    """What each used name of a statement means, as an index into ``OPERANDS``; 0 for an undeclared name."""
    for token, _ in statement.shape.names:
        name = statement.word(token)
        symbol = scope.lookup(name)
        yield symbol.code if symbol is not None else special_code(name, module.version, module.target)
