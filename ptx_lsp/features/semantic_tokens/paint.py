"""How the tokens of a statement look, by their index: alike in all of a shape whose names mean the same."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.dataflow.effects import accesses
from ptx_lsp.analysis.statements.directives import directive_needs, type_needs
from ptx_lsp.analysis.statements.matcher import matcher
from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.features.semantic_tokens.legend import Modifier, TokenType
from ptx_lsp.features.semantic_tokens.meaning import Look, look_of, register, variable
from ptx_lsp.features.semantic_tokens.words import KEYWORDS, Looks, Painted, in_order, lexical, qualifier
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import Match, Problem
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import (
    Declaration,
    FunctionHead,
    Instruction,
    Label,
    Operand,
    OperandKind,
    Prototype,
    Section,
)

LONGEST = 1 << 14
"""Characters of a directive beyond which it is not coloured: a table of numbers needs no colours to its end."""


def beginning(text: str, shape: Shape) -> str:
    """The part of a statement that is coloured: all of it, but of long ones no more than :data:`LONGEST` characters."""
    if len(text) <= LONGEST or isinstance(shape.tree, Instruction):
        return text
    cut = text[: max(text.rfind("\n", 0, LONGEST), LONGEST // 2)]
    comment = cut.rfind("/*")
    return cut[:comment] if comment > cut.rfind("*/") else cut


def paint(statement: Statement, codes: Iterable[int], version: Version, target: Target) -> tuple[Painted, ...]:
    """The looks of all tokens that have one, in order.

    Args:
        statement: any statement of its shape, one that has a tree.
        codes: what the shape's names mean, see :mod:`~ptx_lsp.features.semantic_tokens.meaning`.
        version: the module's PTX version.
        target: the module's architecture.

    """
    tree, names = statement.shape.tree, statement.shape.names
    looks: Looks = {}
    _plain(statement, looks)
    numbers = tuple(codes)
    for (token, _), number in zip(names, numbers, strict=True):
        look = look_of(number)
        looks.pop(token, None)
        if look is not None:
            looks[token] = look
    if isinstance(tree, Instruction):
        _instruction(statement, tree, tuple(max(number, 0) for number in numbers), version, target, looks)
    else:
        _directive(statement, version, target, looks)
    return in_order(looks)


def _plain(statement: Statement, looks: Looks) -> None:
    text = statement.text
    is_instruction = isinstance(statement.shape.tree, Instruction)
    for index, token in enumerate(statement.tokens):
        word = text[token.start : token.end]
        if token.kind is TokenKind.NAME:
            look = KEYWORDS.get(word)
            if look is not None:
                looks[index] = look
            elif not is_instruction and word != "_":
                looks[index] = Look(TokenType.CONSTANT)
        elif token.kind is TokenKind.DOT and is_instruction:
            looks[index] = Look(TokenType.PROPERTY)
        else:
            lexical(token, word, looks, index)


# -------------------------------------------------------------------- instructions

_GATED = frozenset({Problem.NEWER_VERSION, Problem.NEWER_TARGET, Problem.REMOVED})


def _instruction(
    statement: Statement, tree: Instruction, codes: tuple[int, ...], version: Version, target: Target, looks: Looks
) -> None:
    shape = statement.shape
    match = None if shape.errors else matcher(version, target).match(shape, codes, statement, values=False)
    page = match.instruction if match is not None else catalogue().instruction(tree.opcode)
    if page is None and catalogue().status(tree.opcode) == "unknown":
        in_name = 0
    else:
        in_name = page.name_in(tree.opcode).count(".") + 1 if page is not None else 1
    for at, (word, token) in enumerate(zip(tree.opcode, tree.opcode_tokens, strict=True)):
        if at < in_name:
            looks[token] = Look(TokenType.OPCODE)
        elif at:
            looks[token] = Look(qualifier(word))
    if match is not None:
        _matched(tree, match, version, target, in_name, looks)


def _matched(tree: Instruction, match: Match, version: Version, target: Target, in_name: int, looks: Looks) -> None:
    """What only the form tells: writes, deprecated words, words that the module does not have."""
    for mismatch in match.mismatches:
        if mismatch.problem in _GATED:
            if mismatch.qualifier < in_name and not mismatch.operand:
                _mark(tree.opcode_tokens[:in_name], Modifier.UNAVAILABLE, looks)
            elif mismatch.qualifier >= 0:
                _mark(tree.opcode_tokens[mismatch.qualifier : mismatch.qualifier + 1], Modifier.UNAVAILABLE, looks)
    if not match.fits:
        return
    written, _ = accesses(tree, match)
    _mark((token for token in written if _is_register(looks.get(token))), Modifier.MODIFICATION, looks)
    if match.notes:
        return
    for one in match.form.deprecated:
        if one.word in tree.opcode and one.gate.allows(version, target):
            at = tree.opcode.index(one.word)
            _mark(tree.opcode_tokens[at : at + 1] if at else tree.opcode_tokens[:in_name], Modifier.DEPRECATED, looks)


def _is_register(look: Look | None) -> bool:
    return look is not None and look.type in (TokenType.REGISTER, TokenType.PREDICATE)


def _mark(tokens: Iterable[int], modifier: Modifier, looks: Looks) -> None:
    for token in tokens:
        look = looks.get(token)
        if look is not None:
            looks[token] = Look(look.type, look.modifiers | modifier)


# -------------------------------------------------------------------- everything else


def _directive(statement: Statement, version: Version, target: Target, looks: Looks) -> None:
    tree = statement.shape.tree
    if isinstance(tree, Label):
        looks[tree.name] = Look(TokenType.LABEL, Modifier.DECLARATION)
    elif isinstance(tree, Section):
        looks[tree.name] = Look(TokenType.SECTION)
    elif isinstance(tree, FunctionHead):
        definition = Modifier.NONE if tree.has_semicolon else Modifier.DEFINITION
        looks[tree.name] = Look(TokenType.FUNCTION, Modifier.DECLARATION | definition)
    results = tree.returns or () if isinstance(tree, FunctionHead | Prototype) else ()
    of_kernel = isinstance(tree, FunctionHead) and tree.kind == ".entry"
    for declaration in declarations_in(tree):
        is_result = any(declaration is one for one in results)
        _declaration(declaration, "kernel parameter" if of_kernel and not is_result else "", looks)
    if statement.shape.errors:
        return
    # Strings and options have gates too, but a shape does not keep their words.
    needs = (*directive_needs(statement, version, target), *type_needs(statement, version, target))
    tokens = statement.tokens
    _mark((token for token, _ in needs if tokens[token].kind is TokenKind.DOT), Modifier.UNAVAILABLE, looks)


def _declaration(declaration: Declaration, role: str, looks: Looks) -> None:
    look = register(declaration.type) if declaration.space == ".reg" else variable(declaration.space, role)
    for declarator in declaration.declarators:
        if declarator.name in looks:  # not the '_' of a prototype
            looks[declarator.name] = Look(look.type, look.modifiers | Modifier.DECLARATION)
        if declarator.initializer is not None:
            _initialiser(declarator.initializer, looks)


def _initialiser(value: Operand, looks: Looks) -> None:
    todo = [value]
    while todo:
        operand = todo.pop()
        todo += operand.parts
        if operand.kind is OperandKind.FIELD and operand.name in looks:
            looks[operand.name] = Look(TokenType.PROPERTY)
        elif operand.kind is OperandKind.GENERIC and operand.name in looks:
            looks[operand.name] = Look(TokenType.DIRECTIVE)
