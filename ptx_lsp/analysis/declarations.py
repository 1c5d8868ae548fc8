"""From declaration statements to symbols.

Source: PTX ISA, "Variables", "Function Declarations", "Parameterized Variable Names".
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.names import only_name
from ptx_lsp.analysis.symbols import Place, Symbol, SymbolKind, operand_code
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.operand import Written
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import WARP_SZ
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import LONGEST_DIRECTIVE
from ptx_lsp.syntax.tree import Declaration, Declarator, FunctionHead, Label, Prototype, Tree

OPAQUE = frozenset({".texref", ".samplerref", ".surfref"})
"""Types of names for textures, samplers and surfaces."""
_LONGEST_NUMBER = 4000
"""Digits; Python reads no decimals that are much longer."""
_MASK = (1 << 64) - 1
_LABEL = operand_code(Written("label"))
_FUNCTION = operand_code(Written("function"))


def symbols_of(chunk: Chunk, index: int) -> tuple[Symbol, ...]:
    """The symbols that a declaring statement introduces; of a function head the function comes first."""
    statement = chunk.statement(index)
    tree = statement.shape.tree
    if isinstance(tree, Label):
        place = Place(chunk, index, tree.name)
        return (Symbol(only_name(statement, tree.name), SymbolKind.LABEL, place, code=_LABEL),)
    if isinstance(tree, Declaration):
        return tuple(_declared(statement, tree, chunk, index, SymbolKind.VARIABLE))
    if isinstance(tree, FunctionHead):
        return tuple(_function(statement, tree, chunk, index))
    return ()


def sizes(statement: Statement, declarator: Declarator) -> list[int]:
    """The dimensions of an array, 0 for an empty one; nothing for what is no array."""
    return [number(statement.word(token)) & _MASK if token >= 0 else 0 for token in declarator.dimensions]


def is_cut(statement: Statement) -> bool:
    """Whether a declaration is too long to be read beyond its first ``=``."""
    return len(statement.text) > LONGEST_DIRECTIVE


def declarations_in(tree: Tree | None) -> tuple[Declaration, ...]:
    """The declaration that a tree is, or those of the parameters of a function or prototype."""
    if isinstance(tree, Declaration):
        return (tree,)
    if isinstance(tree, FunctionHead | Prototype):
        return (*(tree.returns or ()), *(tree.parameters or ()))
    return ()


def is_declarable(declaration: Declaration) -> bool:
    """Whether something can have the declared type; what is declared otherwise fits every operand."""
    return declaration.type_token < 0 or declaration.type in catalogue().vocabulary.declarable


def stands_in_bodies(tree: Declaration, version: Version, target: Target) -> bool:
    """Whether a variable of this state space can stand between the braces of a function."""
    gate = catalogue().vocabulary.spaces[tree.space].body
    return gate is not None and gate.allows(version, target)


def _declared(
    statement: Statement, tree: Declaration, chunk: Chunk, index: int, kind: SymbolKind
) -> Iterator[Symbol]:
    vector = int(tree.vector[2:]) if tree.vector else 0
    if tree.space == ".reg":
        kind = SymbolKind.REGISTER
        meaning = Written("register", type=tree.type if not vector else f"{tree.vector}{tree.type}")
    else:
        opaque = tree.type[1:] if tree.type in OPAQUE else "variable"
        meaning = Written(opaque, type=tree.type, space=tree.space)
    extern = tree.linkage >= 0 and statement.word(tree.linkage) == ".extern"
    is_single = len(tree.declarators) == 1 and isinstance(statement.shape.tree, Declaration)
    for declarator in tree.declarators:
        meant = meaning._replace(array=True) if declarator.dimensions and kind is not SymbolKind.REGISTER else meaning
        count = number(statement.word(declarator.count)) if declarator.count >= 0 else None
        is_only = is_single and declarator.initialiser is None
        yield Symbol(
            only_name(statement, declarator.name) if is_only else statement.word(declarator.name),
            kind,
            Place(chunk, index, declarator.name),
            type=tree.type,
            space=tree.space,
            vector=vector,
            count=count,
            code=operand_code(meant) if is_declarable(tree) else 0,
            is_definition=not extern,
        )


def _function(statement: Statement, tree: FunctionHead, chunk: Chunk, index: int) -> Iterator[Symbol]:
    returns = tuple(declaration.type for declaration in tree.returns or ())
    parameters = tuple(declaration.type for declaration in tree.parameters or ())
    yield Symbol(
        statement.word(tree.name), SymbolKind.FUNCTION, Place(chunk, index, tree.name), type=tree.kind, code=_FUNCTION,
        is_definition=not tree.has_semicolon, signature=(returns, parameters),
        never_returns=any(statement.word(one.word) == ".noreturn" for one in tree.tuning),
    )
    for declaration in (*(tree.returns or ()), *(tree.parameters or ())):
        yield from _declared(statement, declaration, chunk, index, SymbolKind.PARAMETER)


def number(text: str) -> int:
    """The integer of a declaration: a count, a dimension, an alignment. What is no number counts as 0."""
    if text == "WARP_SZ":
        return WARP_SZ
    if len(text) > _LONGEST_NUMBER:
        return 0
    try:
        return int(text.rstrip("U"), 0)
    except ValueError:
        return int(text, 8) if text.isdecimal() else 0
