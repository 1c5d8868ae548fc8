"""The callee of an unfinished call, with the names of its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.call_layout import CallLayout
from ptx_lsp.analysis.symbols.calls import callees
from ptx_lsp.analysis.symbols.symbols import FunctionSignature, Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tokens import Token, TokenKind, tokenize
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Prototype
from ptx_lsp.text import Span

_LOOKAHEAD = 1000
"""Number of characters after the cursor that are searched for the rest of the call."""


class CalleeParameter(NamedTuple):
    """A result or parameter."""

    name: str
    layout: CallLayout


@dataclass(frozen=True, eq=False)
class Callee:
    """A callee of a call."""

    name: str
    """The name of the function; for an indirect call that of the prototype or list."""
    signature: FunctionSignature
    results: tuple[CalleeParameter, ...]
    parameters: tuple[CalleeParameter, ...]
    shown: str
    """The call target as written."""
    name_start: int
    """The offset of the call target in the document."""
    is_indirect: bool = False

    def is_before_name(self, place: UnfinishedStatement) -> bool:
        """Whether the cursor is in the list of results."""
        return place.typed.start < self.name_start


def callee_at(place: UnfinishedStatement) -> Iterator[Callee]:
    """The function that a call names, before or after the cursor; for an indirect call all possible callees.

    Empty for other instructions and for an undeclared name.
    """
    if place.opcode[:1] != ("call",):
        return
    names = _names(place)
    if not names:
        return
    target, start = names[0]
    symbol = place.context.visible(target)
    if symbol is not None and symbol.kind is SymbolKind.FUNCTION and symbol.signature is not None:
        yield _callee(place.context.module, symbol, symbol.signature, target, start)
    elif len(names) > 1 and (targets := place.context.visible(names[-1][0])) is not None:
        for name, signature in callees(targets, place.context.scope) or ():
            found = place.context.scope.lookup(name)
            if found is not None:
                yield _callee(place.context.module, found, signature, target, start, targets.name)


def _callee(
    module: Module, symbol: Symbol, signature: FunctionSignature, shown: str, start: int, through: str = ""
) -> Callee:
    results, parameters = formals(module, symbol, signature)
    return Callee(through or symbol.name, signature, results, parameters, shown, start, bool(through))


def formals(
    module: Module, symbol: Symbol, signature: FunctionSignature
) -> tuple[tuple[CalleeParameter, ...], tuple[CalleeParameter, ...]]:
    """The results and parameters of a function or prototype; those without a name are numbered."""
    statement = symbol.place.chunk.statement(symbol.place.statement)
    tree = statement.shape.tree
    if symbol.kind is SymbolKind.PROTOTYPE and not isinstance(tree, Prototype):
        chunk, index, _ = symbol.place
        place = module.function_of(chunk).after(chunk, index)
        if place is not None:
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
    found: list[tuple[CalleeParameter, ...]] = []
    returns = tree.returns if isinstance(tree, FunctionHead | Prototype) else None
    takes = tree.parameters if isinstance(tree, FunctionHead | Prototype) else None
    for declared, layouts, stem in ((returns, signature.results, "ret"), (takes, signature.parameters, "param")):
        names = [statement.word(token) for token in _tokens(declared)]
        found.append(
            tuple(
                CalleeParameter(names[at] if at < len(names) and names[at] != "_" else f"{stem}{at}", layout)
                for at, layout in enumerate(layouts)
            )
        )
    return found[0], found[1]


def _tokens(declarations: tuple[Declaration, ...] | None) -> list[int]:
    return [declarator.name for one in declarations or () for declarator in one.declarators]


def words_after_cursor(place: UnfinishedStatement) -> list[tuple[str, int]]:
    """The words after the one at the cursor up to the end of the statement, each with its parenthesis depth."""
    found = _words(place)
    return [(word, depth) for word, start, _, depth in found if start >= place.typed.end and word != ";"]


def _names(place: UnfinishedStatement) -> list[tuple[str, int]]:
    """The names outside of parentheses after the opcode, with their offsets in the document."""
    return [(word, start) for word, start, kind, depth in _words(place) if not depth and kind is TokenKind.NAME]


def _words(place: UnfinishedStatement) -> list[tuple[str, int, TokenKind, int]]:
    """The words after the opcode, on both sides of the cursor: text, offset, kind and parenthesis depth."""
    document = place.context.module.document
    end = place.start + len(place.text)
    rest = document.slice(Span(end, end + _LOOKAHEAD)).partition(";")[0]
    before = place.text
    text = before + rest
    opcode = place.tokens[place.first + len(place.opcode) - 1].end
    tokens = [token for token in tokenize(text) if token.start >= opcode]
    found: list[tuple[str, int, TokenKind, int]] = []
    depth = 0
    for at, token in enumerate(tokens):
        word = text[token.start : token.end]
        begins = token.kind in (TokenKind.NAME, TokenKind.DOT)
        if begins and token.start >= len(before) and _is_on_a_new_line(text, tokens, at):
            break
        if word in "{}":
            break
        depth -= word == ")"
        found.append((word, place.start + token.start, token.kind, depth))
        depth += word == "("
    return found


def _is_on_a_new_line(text: str, tokens: list[Token], at: int) -> bool:
    """Whether a token after the cursor starts a line after a complete operand: the next statement."""
    if not at:
        return "\n" in text[: tokens[at].start]
    before = tokens[at - 1]
    return "\n" in text[before.end : tokens[at].start] and text[before.start : before.end] not in (",", "(")
