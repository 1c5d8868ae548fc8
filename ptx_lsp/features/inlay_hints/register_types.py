"""``mov.b32 total: .f32, %r1``: the type of a register at its first write.

There is no hint if the opcode implies the type: after ``mov.u32``, ``.b32`` adds nothing, ``.f32`` does, and a
predicate destination is always ``.pred``. Compilers name numbered registers (``%r7``) after their type and define one
on nearly every line, so these have hints only with the setting ``all``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction

_INTEGERS = frozenset({"signed", "unsigned"})


def applies_to(shape: Shape) -> bool:
    """Whether it is an instruction with names other than numbered registers."""
    return _can_write(shape) and not all(prefix for _, prefix in shape.names)


def applies_to_numbered(shape: Shape) -> bool:
    """Whether it is an instruction whose only names are numbered registers."""
    return _can_write(shape) and all(prefix for _, prefix in shape.names)


def _can_write(shape: Shape) -> bool:
    return shape.kind == Kind.INSTRUCTION and not shape.errors and bool(shape.names)


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the types of the registers that a statement is the first to write."""
    effect = seen.semantics.effects.of(seen.chunk, seen.index)
    written = (*effect.writes, *effect.updates)
    shape = seen.context.statement.shape
    tree = shape.tree
    if not written or not isinstance(tree, Instruction):
        return
    wants_all = seen.visible.wanted.register_types == "all"
    all_words = words(seen.text)
    names = {all_words[at] for at in written if at < len(all_words)}
    # A hint between a result and its `|` would separate the pair.
    silent = {one.name for one in tree.operands if one.pair is not None}
    if tree.guard is not None:
        silent.add(tree.guard.name)
    for token, prefix in shape.names:
        if token in silent or prefix and not wants_all:
            continue
        name = seen.context.word(token)
        if name not in names:
            continue
        names.discard(name)
        symbol = seen.context.symbols.get(token)
        if symbol is None or symbol.kind is not SymbolKind.REGISTER or symbol.type in tree.opcode:
            continue
        if not wants_all and (_is_implied(symbol, tree.opcode) or _is_another_of_a_group(symbol, name)):
            continue
        if seen.visible.first_writes.is_first(seen.context.function, symbol, name, seen.chunk, seen.index):
            yield _hint(seen, token, name, symbol)


def _is_implied(symbol: Symbol, opcode: tuple[str, ...]) -> bool:
    """Whether the opcode determines the type of a destination register."""
    types = catalogue().vocabulary.types
    declared = types.get(symbol.type)
    if declared is None or declared.kind == "predicate":
        return True
    written = [types[word] for word in opcode if word in types and types[word].bits == declared.bits]
    if declared.kind == "untyped":
        return bool(written)
    return declared.kind in _INTEGERS and any(word.kind in _INTEGERS or word.kind == "untyped" for word in written)


def _is_another_of_a_group(symbol: Symbol, name: str) -> bool:
    """Whether a register is a later member of a group such as ``a<4>``."""
    return symbol.count is not None and name != f"{symbol.name}0"


def _type(symbol: Symbol) -> str:
    return f".v{symbol.vector} {symbol.type}" if symbol.vector else symbol.type


def _hint(seen: VisibleStatement, token: int, name: str, symbol: Symbol) -> Hint:
    def tooltip() -> str:
        of = f" as one of `{symbol.name}<{symbol.count}>`" if symbol.count is not None else ""
        line = seen.module.positions.line_of(symbol.place)
        return f"`{name}`: a `{_type(symbol)}` register, declared{of} in line {line}"

    offset = seen.start + seen.context.span(token).end
    return Hint(offset, f": {_type(symbol)}", "register_types", HintPosition.ADJACENT, tooltip, symbol.place)
