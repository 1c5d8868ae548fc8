"""Dependences between instructions: the sources of a value and its users, one dependence at a time."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.references.register_writes import accesses_at, reaching_writes, readers
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Instruction

_IN_MEMORY = frozenset({SymbolKind.PARAMETER, SymbolKind.VARIABLE})


class Dependence(NamedTuple):
    """A statement that computes or uses a value, or the declaration at which it begins."""

    place: Place
    """The token that stands for it: a result, a name in a declaration, or a use."""
    name: str
    """The register, parameter or variable; of an instruction without a result its opcode."""
    is_declaration: bool
    """Whether it is a parameter or a variable, from which nothing leads on."""


def result_of(context: StatementContext, semantics: Semantics, place: Place) -> str:
    """The register at a place if the statement writes it there; empty if the place is a use or a declaration."""
    if not isinstance(context.statement.shape.tree, Instruction):
        return ""
    _, is_written = accesses_at(semantics, context, place.token)
    return context.word(place.token) if is_written else ""


def sources(semantics: Semantics, context: StatementContext) -> list[Dependence] | None:
    """The writes, parameters and variables that an instruction depends on, in the order of its operands.

    None if the graph of a long function is needed that is not made yet.
    """
    found: dict[tuple[object, ...], Dependence] = {}
    for token, name in _names(context):
        symbol = context.symbols.get(token)
        if symbol is None:
            continue
        if symbol.kind in _IN_MEMORY:
            found.setdefault(symbol.place, Dependence(symbol.place, name, is_declaration=True))
        elif symbol.kind is SymbolKind.REGISTER and _is_read(semantics, context, token):
            writes = reaching_writes(semantics, context, name)
            if writes is None:
                return None
            for place in writes:
                found.setdefault((*place[:2], name), Dependence(place, name, is_declaration=False))
    return list(found.values())


def users(semantics: Semantics, context: StatementContext, name: str) -> list[Dependence] | None:
    """The instructions that read what an instruction leaves in a register, by their results; nearest first."""
    places = readers(semantics, context, name)
    return None if places is None else [_of_use(semantics, context, place) for place in places]


def _of_use(semantics: Semantics, context: StatementContext, place: Place) -> Dependence:
    """A statement that uses a value, by its first result if it has one."""
    reader = StatementContext(context.module, context.function, place.chunk, place.statement)
    effect = semantics.effects.of(place.chunk, place.statement)
    if effect.writes or effect.updates:
        for token, name in _names(reader):
            symbol = reader.symbols.get(token)
            if (
                symbol is not None
                and symbol.kind is SymbolKind.REGISTER
                and result_of(reader, semantics, place._replace(token=token))
            ):
                return Dependence(place._replace(token=token), name, is_declaration=False)
    tree = reader.instruction
    return Dependence(place, "".join(tree.opcode) if tree is not None else reader.word(0), is_declaration=False)


def _names(context: StatementContext) -> Iterator[tuple[int, str]]:
    return ((token, context.word(token)) for token, _ in context.statement.shape.names)


def _is_read(semantics: Semantics, context: StatementContext, token: int) -> bool:
    return accesses_at(semantics, context, token)[0]
