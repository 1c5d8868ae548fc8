"""E104 unclosed."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.chunk_summary import any_of
from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.support.finding import Finding, Phase, PlacedFinding, RelatedPlace, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

RULE = error("E104", phase=Phase.SYNTAX).for_syntax_errors().for_faults(StructureFaultKind.UNMATCHED_BRACE)

_OUTSIDE_ONLY = any_of({Kind.HEADER, Kind.FILE, Kind.SECTION})


def check(context: StatementContext) -> Iterator[Finding]:
    """A string, comment, bracket or brace that is not closed, or that is closed and not opened.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry first()
    {
        ret;
    .entry second()
    // <--- error[E104]: '}' expected before '.entry' to close '{' (line 6)
    // ptxas: Parsing error near '.entry': syntax error
    {
        ret;
    }
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry first()
    {
        ret;
    }
    .entry second()
    {
        ret;
    }
    ```

    **Fixes offered:** insert the missing bracket; remove a `}` without `{`.

    ---

    A `{` without its `}` is reported where ptxas notices it: at the first statement that is not allowed in a function,
    usually the head of the next function, or at the end of the file. The next function is read as if the brace had been
    closed before it.
    """
    from ptx_lsp.syntax.errors import syntax_errors  # imported late: only files with flagged statements need it

    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """Braces that close nothing."""
    for fault in function.faults:
        if fault.fault is StructureFaultKind.UNMATCHED_BRACE:
            span = fault.place.chunk.statement(fault.place.statement).span(0)
            remove = Fix("remove '}'", (Edit(span, ""),))
            yield PlacedFinding(fault.place, RULE.at(span, "'}' without '{'", fixes=(remove,)))


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Braces that are never closed, marked where something begins that cannot stand in a function, or at the end."""
    for function in module.functions.in_order(module.functions.unbalanced):
        yield None
        if not _is_doubled(function):
            for fault in function.faults:
                if fault.fault is StructureFaultKind.UNCLOSED_BRACE:
                    block = _stumbling_block(module, module.functions.number(function), fault.place)
                    last = function if module.functions.are_bodies else module.functions[-1]
                    yield _unclosed(fault.place, block, last.chunks[-1])


def _is_doubled(function: Function) -> bool:
    """Whether a brace in a debug section is reported: it need not be closed too."""
    return any(fault.fault is StructureFaultKind.BLOCK_IN_SECTION for fault in function.faults)


def _unclosed(brace: Place, block: Place | None, last: Chunk) -> PlacedFinding:
    if block is None:
        block = Place(last, len(last.kinds) - 1, 0)
        end = len(last.part(block.statement))
        span, before = Span(end, end), "at the end"
    else:
        statement = block.chunk.statement(block.statement)
        span = statement.span(block.token)
        before = f"before '{statement.word(block.token)}'"
    found = RULE.at(span, f"'}}' expected {before} to close '{{'").related_to(RelatedPlace(brace, "'{' is here"))
    return PlacedFinding(block, found)


def _stumbling_block(module: Module, number: int, brace: Place) -> Place | None:
    """The first place after an open brace with text that cannot stand in a function: there ptxas notices."""
    function = module.functions[number]
    place = _outside_only(function.chunks[function.chunks.index(brace.chunk) :], brace.statement)
    if place is not None or module.functions.are_bodies:
        return place
    for following in range(number + 1, len(module.functions)):
        later = module.functions[following]
        statement = later.first.statement(0)
        words = [statement.word(token) for token in range(len(statement.tokens))]
        if ".entry" in words:
            return Place(later.first, 0, words.index(".entry"))
        place = _body(later) if later.has_body else _outside_only(later.chunks)
        if place is not None:
            return place
    return None


def _outside_only(chunks: tuple[Chunk, ...], begin: int = 0) -> Place | None:
    """The first statement, from ``begin`` in the first chunk on, that can stand only outside of functions."""
    for chunk in chunks:
        for found in _OUTSIDE_ONLY.finditer(chunk.kinds, begin):
            if chunk.statement(found.start()).word(0) != ".target":
                return Place(chunk, found.start(), 0)
        begin = 0
    return None


def _body(function: Function) -> Place | None:
    """The brace with which a body begins."""
    for chunk in function.chunks:
        at = chunk.kinds.find(Kind.OPEN)
        if at >= 0:
            return Place(chunk, at, 0)
    return None
