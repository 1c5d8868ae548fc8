"""Availability of directives and declarations for the version and target of the module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.module.header import target_of
from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.analysis.symbols.pragmas import pragma_strings
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import (
    Data,
    Declaration,
    File,
    FunctionHead,
    Header,
    Location,
    Operand,
    OperandKind,
    Pragma,
    Prototype,
    Tree,
    has_only_numbers,
    inner_values,
    kinds_of,
)

if TYPE_CHECKING:
    from ptx_lsp.analysis.statements.context import StatementContext

GATED = frozenset(
    {
        *HEADS,
        Kind.REGISTERS,
        Kind.VARIABLE,
        Kind.ALIAS,
        Kind.PROTOTYPE,
        Kind.TARGETS,
        Kind.PRAGMA,
        Kind.SECTION,
        Kind.DIRECTIVE,
        Kind.HEADER,
        Kind.FILE,
        Kind.LOCATION,
        Kind.DATA,
    }
)
"""Kinds of statements with directives, or parts of them, that are newer than PTX 1.0."""


@memoized(4)
def directive(text: str, shape: int) -> Statement:
    """A directive as a statement, which is divided into words once for all versions and targets that are tried."""
    return Statement(text, shape)


def directive_needs(statement: Statement, version: Version, target: Target) -> Iterator[tuple[int, Need]]:
    """The unavailable or removed directives of a statement: token and unmet requirement."""
    if statement.kind not in GATED:
        return
    if statement.word(0) == "@@":
        need = _directive_need("@@DWARF", version, target)
        if need is not None:
            yield 1, need
        return
    words = statement.words_before(statement.text.rfind(".") + 1)
    directives = catalogue().vocabulary.directives
    needs = {word: _directive_need(word, version, target) for word in directives.keys() & set(words)}
    if not any(needs.values()):
        yield from _part_needs(statement, version, target)
        return
    for index, word in enumerate(words):
        need = needs.get(word)
        if need is not None:
            yield index, need


@memoized(1024)
def _directive_need(word: str, version: Version, target: Target) -> Need | None:
    """The unmet requirement of a word, if it is a directive."""
    directive = catalogue().vocabulary.directives.get(word)
    return directive.gate.why_not(version, target) if directive is not None else None


def _part_needs(statement: Statement, version: Version, target: Target) -> Iterator[tuple[int, Need]]:
    rare = catalogue().vocabulary.rare
    match statement.shape.tree:
        case Header(".target", _, values):
            yield from _option_needs(statement, values, version, target)
        case Pragma():
            for token, name, _ in pragma_strings(statement):
                pragma = rare.pragmas.get(name)
                need = pragma.gate.why_not(version, target) if pragma is not None else None
                if need is not None:
                    yield token, need
    for token, part in _parts(statement):
        need = rare.directive_parts[part].gate.why_not(version, target)
        if need is not None:
            yield token, need
            return


def part_at(statement: Statement, token: int) -> str:
    """The name in messages of the directive part that begins at a token; empty if there is none."""
    part = next((name for at, name in _parts(statement) if at == token), None)
    return catalogue().vocabulary.rare.directive_parts[part].words if part is not None else ""


def _parts(statement: Statement) -> Iterator[tuple[int, str]]:
    """The parts that are newer than their directive: first token and name."""
    match statement.shape.tree:
        case Location(function=function) if function >= 0:
            yield function - 1, "inlining"
        case Declaration(space=".const", bank=bank) if bank >= 0:
            yield bank, "bank"
        case File(values=values) if values:
            yield values[0], "time"
        case Data(_, items) if "-" in statement.text:
            for item in items:
                if item.offset is not None and item.sign:
                    yield item.first + 1, "difference"
                elif "-" in item.sign or any(statement.word(at) == "-" for at in range(item.first, item.last)):
                    yield item.first, "negative"


def _option_needs(
    statement: Statement, words: tuple[int, ...], version: Version, target: Target
) -> Iterator[tuple[int, Need]]:
    """The unavailable options of ``.target``: ptxas tests them against the architecture before them."""
    options = catalogue().vocabulary.rare.target_options
    for token in words:
        word = statement.word(token)
        target = target_of(word) or target
        option = options.get(word)
        need = option.gate.why_not(version, target) if option is not None else None
        if need is not None:
            yield token, need


def is_plain_target(statement: Statement) -> bool:
    """Whether a statement is a ``.target`` without options, which all versions have."""
    tree, options = statement.shape.tree, catalogue().vocabulary.rare.target_options
    if not isinstance(tree, Header) or tree.directive != ".target":
        return False
    text = statement.text
    return not any(word in text for word in options) or not any(statement.word(at) in options for at in tree.values)


def type_needs(statement: Statement, version: Version, target: Target) -> Iterator[tuple[int, Need]]:
    """The unavailable declared types: token and unmet requirement.

    ptxas tests packed types always, other types except for arrays and parameters of functions without a body.
    """
    head = statement.shape.tree
    declarations = declarations_in(head)
    needs = _needs_by_type({tree.type for tree in declarations}, version, target)
    if not needs:
        return  # of parameters there can be as many as a file has words
    types = catalogue().vocabulary.types
    is_announced = (isinstance(head, FunctionHead) and head.has_semicolon) or isinstance(head, Prototype)
    for tree in declarations:
        need = needs.get(tree.type)
        if need is None or tree.vector:
            continue
        if types[tree.type].holder or not (is_announced or all(one.dimensions for one in tree.declarators)):
            yield tree.type_token, need


def _needs_by_type(names: set[str], version: Version, target: Target) -> dict[str, Need]:
    """The unmet requirements of the types among some that have one."""
    types = catalogue().vocabulary.types
    gates = {name: types[name].declared for name in names & types.keys()}
    needs = {name: gate.why_not(version, target) for name, gate in gates.items() if gate is not None}
    return {name: need for name, need in needs.items() if need is not None}


_GATED_VALUES = frozenset({OperandKind.NAME, OperandKind.GENERIC, OperandKind.MASK})


def has_gated_values(tree: Tree | None) -> bool:
    """Whether an initializer contains more than numbers."""
    if not isinstance(tree, Declaration):
        return False
    if has_only_numbers(tree):
        return False
    layer = [declarator.initializer for declarator in tree.declarators if declarator.initializer is not None]
    while layer:
        kinds = kinds_of(layer)
        if not _GATED_VALUES.isdisjoint(kinds):
            return True
        layer = inner_values(layer) if OperandKind.VECTOR in kinds else []
    return False


def _gated_values(tree: Declaration) -> Iterator[Operand]:
    if has_only_numbers(tree):
        return
    todo = [declarator.initializer for declarator in tree.declarators if declarator.initializer is not None]
    while todo:
        value = todo.pop()
        if value.kind in _GATED_VALUES:
            yield value
        if value.kind in (OperandKind.VECTOR, OperandKind.MASK):
            todo += value.parts


def value_needs(context: StatementContext) -> Iterator[tuple[int, Need, str]]:
    """The unavailable parts of initializers: token, unmet requirement, and description."""
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration) or _is_packed(tree.type):
        return
    gates = catalogue().vocabulary.rare.initial_values
    needs = {name: gate.why_not(context.module.version, context.module.target) for name, gate in gates.items()}
    if not any(needs.values()):
        return
    for value in _gated_values(tree):
        for token, name, what in _value_parts(context, value):
            need = needs[name]
            if need is not None:
                yield token, need, what


def _is_packed(name: str) -> bool:
    """Whether ptxas accepts arbitrary values for a type, as long as they are in braces."""
    word = catalogue().vocabulary.types.get(name)
    return word is not None and bool(word.holder)


def _value_parts(context: StatementContext, value: Operand) -> Iterator[tuple[int, str, str]]:
    if value.kind is OperandKind.MASK:
        is_number = value.parts[0].kind in (OperandKind.INTEGER, OperandKind.CONSTANT)
        yield value.first, "masked number" if is_number else "mask", f"'{context.word(value.first)}(...)'"
        return
    if value.kind is OperandKind.GENERIC and context.word(value.name) == "generic":
        yield value.name, "generic", "'generic()'"
        return
    symbol = context.symbols.get(value.name)
    if symbol is None:
        return
    if symbol.kind is not SymbolKind.FUNCTION:
        yield value.name, "address", "an address as an initializer"
    elif symbol.type == ".entry":
        yield value.name, "kernel", "the address of a kernel as an initializer"
    else:
        yield value.name, "function", "the address of a function as an initializer"
