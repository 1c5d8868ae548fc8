"""E205 wrong-symbol."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.function import LISTS, Function
from ptx_lsp.analysis.symbols import Place, Scope, SymbolKind
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import HERE, Finding, PlacedFinding, error
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Label, Targets

RULE = error("E205")


def check(use: Use) -> Iterator[Finding]:
    """A label of a place where `brx.idx` wants one of a `.branchtargets` list, or of a list where `bra` wants a place.

    ```ptx
    //- sm_80 ptx 7.0
    CASE0:
    brx.idx %r1, CASE0;
    //           ^^^^^ error[E205]
    // ptxas: Label with '.branchtargets' directive expected for argument 1 of instruction 'brx.idx'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    CASES: .branchtargets CASE0, CASE1;
    brx.idx %r1, CASES;
    CASE0:
    CASE1:
    ```
    """
    tree = use.instruction
    if tree is None or tree.opcode[0] != "brx" or not tree.operands:
        return
    operand = tree.operands[-1]
    label = use.symbols.get(operand.name)
    if label is None or label.kind is not SymbolKind.LABEL:
        return
    if use.module.kind_after(label.place) is not Kind.TARGETS:
        message = f"'{label.name}' is a place{HERE}; 'brx.idx' wants a '.branchtargets' list"
        yield RULE.at(use.span(operand.name), message, declared=label)


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """Branches to labels of lists and prototypes, in the few functions that have such labels."""
    if not function.has_lists:
        return
    lists = set(_labels_of_lists(function))
    for chunk in function.chunks:
        for segment in function.segments.get(chunk, ()):
            for index in range(segment.start, segment.end):
                if chunk.kinds[index] == Kind.TARGETS:
                    yield from _listed(chunk, index, segment.scope)
                elif chunk.kinds[index] == Kind.INSTRUCTION and SHAPES[chunk.shapes[index]].opcode[0] == "bra":
                    yield from _branch(chunk, index, segment.scope, lists)


def _branch(chunk: Chunk, index: int, scope: Scope, lists: set[Place]) -> Iterator[PlacedFinding]:
    statement = chunk.statement(index)
    for token, _ in statement.shape.names:
        label = scope.lookup(statement.word(token))
        if label is not None and label.place in lists:
            message = f"'{label.name}' is a list or prototype{HERE}; 'bra' wants a label of a place"
            yield PlacedFinding(Place(chunk, index, token), RULE.at(statement.span(token), message, declared=label))


def _listed(chunk: Chunk, index: int, scope: Scope) -> Iterator[PlacedFinding]:
    """What stands in a ``.branchtargets`` list and is no label."""
    statement = chunk.statement(index)
    tree = statement.shape.tree
    if not isinstance(tree, Targets) or statement.word(tree.word) != ".branchtargets":
        return
    for token, _ in statement.shape.names:
        name = statement.word(token)
        symbol = scope.lookup(name)
        if symbol is not None and symbol.kind is not SymbolKind.LABEL:
            message = f"'{name}' is no label{HERE}; '.branchtargets' lists labels"
            yield PlacedFinding(Place(chunk, index, token), RULE.at(statement.span(token), message, declared=symbol))


def _labels_of_lists(function: Function) -> Iterator[Place]:
    """The labels right before a list of targets or a prototype."""
    label: Place | None = None
    for chunk in function.chunks:
        for index, kind in enumerate(chunk.kinds):
            tree = chunk.statement(index).shape.tree if kind == Kind.LABEL else None
            if label is not None and kind in LISTS:
                yield label
            label = Place(chunk, index, tree.name) if isinstance(tree, Label) else None
