"""Functions and kernels: the head, who calls them, what the head promises of launches."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor import Cursor
from ptx_lsp.analysis.occurrences import Occurrence
from ptx_lsp.analysis.symbols import Place, Symbol
from ptx_lsp.analysis.tally import tally
from ptx_lsp.features.hover.declared import as_line
from ptx_lsp.features.hover.info import HoverInfo, Row, line_link, lines_linked
from ptx_lsp.features.hover.wording import many
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import FunctionHead

_MOST_CALLERS = 3
_LONGEST = 280


def function(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """A function or kernel with its signature and callers."""
    module = cursor.use.module
    shown = module.definitions.get(symbol.name, symbol)
    statement = shown.place.chunk.statement(shown.place.statement)
    tree = statement.shape.tree
    what = "kernel" if symbol.type == ".entry" else "function"
    line = line_link(module.line_of(shown.place))
    place = f"in {line}" if shown.is_definition else f"declared in {line}, defined elsewhere"
    found = tally(module, symbol)
    calls = [one for one in found.mentions if module.is_inside(one_place(one))]
    callers = list(dict.fromkeys(_caller(cursor, one) for one in calls))
    text = f"`{symbol.name}`: {what} {place}"
    if calls:
        lines = [module.document.position(one.span(module).start)[0] + 1 for one in calls]
        text += f"; named {many(len(calls)) if found.is_complete else f'more than {len(calls)} times'}"
        names = " and ".join(f"`{name}`" for name in callers) if len(callers) <= _MOST_CALLERS else ""
        text += f" by {names or f'{len(callers)} functions'}, {lines_linked(lines)}"
    elif symbol.type != ".entry":
        text += "; not called in this module"
    notes = []
    if shown.linkage in catalogue().vocabulary.directives:
        notes.append(f"`{shown.linkage}`: {catalogue().vocabulary.directives[shown.linkage].words}")
    rows = tuple(_tuning(statement, tree)) if isinstance(tree, FunctionHead) else ()
    return HoverInfo(cursor.span, code=tuple(head(statement)), lead=(text,), rows=rows, notes=tuple(notes))


def one_place(one: Occurrence) -> Place:
    """The statement of an occurrence."""
    return Place(one.chunk, one.statement, 0)


def _caller(cursor: Cursor, one: Occurrence) -> str:
    owner = cursor.use.module.function_of(one.chunk).symbol
    return owner.name if owner is not None else ""


def head(statement: Statement) -> Iterator[str]:
    """The head of a function: its name, a parameter a line, the directives behind them."""
    text = as_line(statement).rstrip("{").rstrip()
    before, bracket, rest = text.rpartition("(")
    if not bracket or len(text) <= 72:
        yield text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"
        return
    inside, _, behind = rest.partition(")")
    yield f"{before.rstrip()}("
    parameters = [parameter.strip() for parameter in inside.split(",")]
    room = 2 if behind.strip() else 3
    if len(parameters) > room:
        parameters = [*parameters[: room - 1], f"… {len(parameters) - room + 1} more parameters"]
    for number, parameter in enumerate(parameters):
        yield f"    {parameter}" + ("," if number + 1 < len(parameters) else "")
    yield f"){' ' if behind.strip() else ''}{behind.strip()}"


def _tuning(statement: Statement, tree: FunctionHead) -> Iterator[Row]:
    """What the directives of a head say."""
    directives = catalogue().vocabulary.directives
    for one in tree.tuning:
        word = statement.word(one.word)
        values = " ".join(statement.word(token) for token in one.values)
        if word in directives:
            yield Row(f"{word} {values}".strip(), directives[word].words)
