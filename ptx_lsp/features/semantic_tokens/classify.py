"""The token classes of a statement, by token index; equal for statements of one shape and equal name meanings."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.dataflow.effects import accesses
from ptx_lsp.analysis.statements.directives import directive_needs, type_needs
from ptx_lsp.analysis.statements.matcher import matcher
from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.features.semantic_tokens.legend import Modifier, TokenType
from ptx_lsp.features.semantic_tokens.name_classes import TokenClass, class_of, register, variable
from ptx_lsp.features.semantic_tokens.word_classes import (
    KEYWORDS,
    ClassifiedToken,
    TokenClasses,
    in_order,
    lexical,
    qualifier,
)
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Match, Problem
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
"""The maximum number of characters of a directive that are highlighted; longer ones are data tables."""


def highlighted_text(text: str, shape: Shape) -> str:
    """Return the highlighted part of a statement: of a long directive, at most :data:`LONGEST` characters."""
    if len(text) <= LONGEST or isinstance(shape.tree, Instruction):
        return text
    cut = text[: max(text.rfind("\n", 0, LONGEST), LONGEST // 2)]
    comment = cut.rfind("/*")
    return cut[:comment] if comment > cut.rfind("*/") else cut


def classify(
    statement: Statement, codes: Iterable[int], version: Version, target: Target
) -> tuple[ClassifiedToken, ...]:
    """Return the classes of all tokens that have one, in text order.

    Args:
        statement: any statement of its shape, with a tree.
        codes: the meanings of the shape's names, see :mod:`~ptx_lsp.features.semantic_tokens.name_classes`.
        version: the module's PTX version.
        target: the module's architecture.

    """
    tree, names = statement.shape.tree, statement.shape.names
    classes: TokenClasses = {}
    _plain(statement, classes)
    numbers = tuple(codes)
    for (token, _), number in zip(names, numbers, strict=True):
        token_class = class_of(number)
        classes.pop(token, None)
        if token_class is not None:
            classes[token] = token_class
    if isinstance(tree, Instruction):
        _instruction(statement, tree, tuple(max(number, 0) for number in numbers), version, target, classes)
    else:
        _directive(statement, version, target, classes)
    return in_order(classes)


_DEBUG_LINE = "@@"


def _plain(statement: Statement, classes: TokenClasses) -> None:
    text = statement.text
    is_instruction = isinstance(statement.shape.tree, Instruction)
    is_debug_line = bool(statement.tokens) and text.startswith(_DEBUG_LINE, statement.tokens[0].start)
    for index, token in enumerate(statement.tokens):
        word = text[token.start : token.end]
        if token.kind is TokenKind.NAME and is_debug_line:  # its shape does not say which words it has
            classes[index] = TokenClass(TokenType.DIRECTIVE if index == 1 else TokenType.CONSTANT)
        elif token.kind is TokenKind.NAME:
            token_class = KEYWORDS.get(word)
            if token_class is not None:
                classes[index] = token_class
            elif not is_instruction and word != "_":
                classes[index] = TokenClass(TokenType.CONSTANT)
        elif token.kind is TokenKind.DOT and is_instruction:
            classes[index] = TokenClass(TokenType.PROPERTY)
        else:
            lexical(token, word, classes, index)


# -------------------------------------------------------------------- instructions

_GATED = frozenset({Problem.NEWER_VERSION, Problem.NEWER_TARGET, Problem.REMOVED})


def _instruction(
    statement: Statement,
    tree: Instruction,
    codes: tuple[int, ...],
    version: Version,
    target: Target,
    classes: TokenClasses,
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
            classes[token] = TokenClass(TokenType.OPCODE)
        elif at:
            classes[token] = TokenClass(qualifier(word))
    if match is not None:
        _matched(tree, match, version, target, in_name, classes)


def _matched(
    tree: Instruction, match: Match, version: Version, target: Target, in_name: int, classes: TokenClasses
) -> None:
    """Add the modifiers that depend on the matched form: modification, deprecated, unavailable."""
    for mismatch in match.mismatches:
        if mismatch.problem in _GATED:
            if mismatch.qualifier < in_name and not mismatch.operand:
                _mark(tree.opcode_tokens[:in_name], Modifier.UNAVAILABLE, classes)
            elif mismatch.qualifier >= 0:
                _mark(tree.opcode_tokens[mismatch.qualifier : mismatch.qualifier + 1], Modifier.UNAVAILABLE, classes)
    if not match.fits:
        return
    written, _ = accesses(tree, match)
    _mark((token for token in written if _is_register(classes.get(token))), Modifier.MODIFICATION, classes)
    if match.notes:
        return
    for one in match.form.deprecated:
        if one.word in tree.opcode and one.gate.allows(version, target):
            at = tree.opcode.index(one.word)
            _mark(tree.opcode_tokens[at : at + 1] if at else tree.opcode_tokens[:in_name], Modifier.DEPRECATED, classes)


def _is_register(token_class: TokenClass | None) -> bool:
    return token_class is not None and token_class.type in (TokenType.REGISTER, TokenType.PREDICATE)


def _mark(tokens: Iterable[int], modifier: Modifier, classes: TokenClasses) -> None:
    for token in tokens:
        token_class = classes.get(token)
        if token_class is not None:
            classes[token] = TokenClass(token_class.type, token_class.modifiers | modifier)


# -------------------------------------------------------------------- everything else


def _directive(statement: Statement, version: Version, target: Target, classes: TokenClasses) -> None:
    tree = statement.shape.tree
    if isinstance(tree, Label):
        classes[tree.name] = TokenClass(TokenType.LABEL, Modifier.DECLARATION)
    elif isinstance(tree, Section):
        classes[tree.name] = TokenClass(TokenType.SECTION)
    elif isinstance(tree, FunctionHead):
        definition = Modifier.NONE if tree.has_semicolon else Modifier.DEFINITION
        classes[tree.name] = TokenClass(TokenType.FUNCTION, Modifier.DECLARATION | definition)
    results = tree.returns or () if isinstance(tree, FunctionHead | Prototype) else ()
    of_kernel = isinstance(tree, FunctionHead) and tree.kind == ".entry"
    for declaration in declarations_in(tree):
        is_result = any(declaration is one for one in results)
        _declaration(declaration, "kernel parameter" if of_kernel and not is_result else "", classes)
    if statement.shape.errors:
        return
    # Strings and options have gates too, but a shape does not contain their words.
    needs = (*directive_needs(statement, version, target), *type_needs(statement, version, target))
    tokens = statement.tokens
    _mark((token for token, _ in needs if tokens[token].kind is TokenKind.DOT), Modifier.UNAVAILABLE, classes)


def _declaration(declaration: Declaration, role: str, classes: TokenClasses) -> None:
    token_class = register(declaration.type) if declaration.space == ".reg" else variable(declaration.space, role)
    for declarator in declaration.declarators:
        if declarator.name in classes:  # not the '_' of a prototype
            classes[declarator.name] = TokenClass(token_class.type, token_class.modifiers | Modifier.DECLARATION)
        if declarator.initializer is not None:
            _initializer(declarator.initializer, classes)


def _initializer(value: Operand, classes: TokenClasses) -> None:
    todo = [value]
    while todo:
        operand = todo.pop()
        todo += operand.parts
        if operand.kind is OperandKind.FIELD and operand.name in classes:
            classes[operand.name] = TokenClass(TokenType.PROPERTY)
        elif operand.kind is OperandKind.GENERIC and operand.name in classes:
            classes[operand.name] = TokenClass(TokenType.DIRECTIVE)
