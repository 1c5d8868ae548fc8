"""Hover of functions and kernels: signature, callers, tuning directives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.references.occurrences import Occurrence
from ptx_lsp.analysis.references.tally import lines, tally
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.features.hover.parts.counts import times_in_words
from ptx_lsp.features.hover.parts.declaration_text import as_line, in_the_middle, readable
from ptx_lsp.features.hover.parts.hover_info import CodeExcerpt, HoverInfo, HoverRow, line_link, lines_linked
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.names.demangle import brief_names, demangled
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Alias, FunctionHead

_MOST_CALLERS = 3
_LONGEST = 280
_WIDTH = 72
_MOST_LINES = 3
"""The maximum number of lines of parameters."""


def function(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """Return the hover of a function or kernel with its signature and callers."""
    module = cursor.context.module
    shown = module.definitions.get(symbol.name, symbol)
    statement = shown.place.chunk.statement(shown.place.statement)
    tree = statement.shape.tree
    what = "kernel" if symbol.type == ".entry" else "function"
    line = line_link(module.positions.line_of(shown.place))
    aliased = list(_aliased(cursor, symbol))
    elsewhere = "" if aliased else ", defined elsewhere"
    place = f"in {line}" if shown.is_definition else f"declared in {line}{elsewhere}"
    found = demangled(symbol.name)
    text = f"{what} {place}" if found is not None else f"`{symbol.name}`: {what} {place}"
    calls, others, is_complete = _calls(cursor, symbol)
    if calls:
        callers = list(dict.fromkeys(_caller(cursor, one) for one in calls))
        brief = brief_names(callers)
        names = " and ".join(f"`{brief.get(name, name)}`" for name in callers) if len(callers) <= _MOST_CALLERS else ""
        times = times_in_words(len(calls)) if is_complete else f"at least {len(calls)} times"
        text += f"; called {times} by {names or f'{len(callers)} functions'}, {lines_linked(lines(module, calls))}"
    elif symbol.type != ".entry":
        text += "; not called in this module"
    if others:
        text += f"; its address is taken {times_in_words(len(others))}, {lines_linked(lines(module, others))}"
    notes = [f"second name of `{one}`" for one in aliased]
    if shown.linkage in catalogue().vocabulary.directives:
        notes.append(f"`{shown.linkage}`: {catalogue().vocabulary.directives[shown.linkage].words}")
    rows = tuple(_tuning(statement, tree)) if isinstance(tree, FunctionHead) else ()
    excerpt = None
    if found is not None:
        language = "rust" if symbol.name.startswith("_R") else "cpp"
        excerpt = CodeExcerpt(language, signature_lines(found.text))
        notes.append(f"mangled: `{in_the_middle(symbol.name, _WIDTH - 12)}`")
    code = tuple(head(statement))
    return HoverInfo(cursor.span, code=code, lead=(text,), excerpt=excerpt, rows=rows, notes=tuple(notes))


def signature_lines(text: str) -> tuple[str, ...]:
    """Break a demangled signature into lines; the end of a long one is omitted."""
    lines = [""]
    for piece in _PIECES.findall(text):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > _WIDTH:
            lines.append("  ")
        lines[-1] += piece if lines[-1].strip() or len(lines) == 1 else piece.lstrip()
    shown = [line.rstrip() for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown[-1] = shown[-1][: _WIDTH - 2] + " …"
    return tuple(shown)


_PIECES = re.compile(r"[^,(<>]*(?:[,(<]|>+)?\s*")


def _aliased(cursor: Cursor, symbol: Symbol) -> Iterator[str]:
    """Yield the functions of which this name is an ``.alias``."""
    for owner in cursor.context.module.functions:
        for place in owner.aliases:
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
            if isinstance(tree, Alias) and not statement.shape.errors and statement.word(tree.name) == symbol.name:
                yield statement.word(tree.target)


def _calls(cursor: Cursor, symbol: Symbol) -> tuple[list[Occurrence], list[Occurrence], bool]:
    """Return the calls of a function, the other uses of its name, and whether the lists are complete."""
    found = tally(cursor.semantics, symbol)
    calls: list[Occurrence] = []
    others: list[Occurrence] = []
    for one in found.mentions:
        shape = SHAPES[one.chunk.shapes[one.statement]]
        if shape.opcode[:1] == ("call",):
            calls.append(one)
        elif shape.kind in (Kind.INSTRUCTION, Kind.VARIABLE):
            others.append(one)
    return calls, others, found.is_complete


def _caller(cursor: Cursor, one: Occurrence) -> str:
    owner = cursor.context.module.function_of(one.chunk).symbol
    return owner.name if owner is not None else ""


def head(statement: Statement) -> Iterator[str]:
    """Yield the head of a function in a few lines: name, parameters, directives."""
    text = readable(as_line(statement).rstrip("{").rstrip())
    before, bracket, rest = text.rpartition("(")
    if not bracket or len(text) <= _WIDTH:
        yield text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"
        return
    inside, _, after = rest.partition(")")
    yield f"{before.rstrip()}("
    shown = [""]
    for parameter in inside.split(","):
        piece = parameter.strip()
        if shown[-1] and len(shown[-1]) + len(piece) + 6 > _WIDTH:
            shown.append("")
        shown[-1] += f"{' ' if shown[-1] else ''}{piece},"
    shown[-1] = shown[-1].rstrip(",")
    if len(shown) > _MOST_LINES:
        left = inside.count(",") + 1 - sum(line.count(",") for line in shown[: _MOST_LINES - 1])
        shown = [*shown[: _MOST_LINES - 1], f"… {left} more"]
    yield from (f"    {line}" for line in shown)
    yield f"){' ' if after.strip() else ''}{after.strip()}"


def _tuning(statement: Statement, tree: FunctionHead) -> Iterator[HoverRow]:
    """Yield the rows of the performance-tuning directives of a head."""
    directives = catalogue().vocabulary.directives
    for one in tree.tuning:
        word = statement.word(one.word)
        values = " ".join(statement.word(token) for token in one.values)
        if word in directives:
            yield HoverRow(f"{word} {values}".strip(), directives[word].words)
