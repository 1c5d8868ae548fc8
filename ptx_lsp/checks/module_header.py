"""E109 module-header."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.header import first_statement
from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.symbols import Place
from ptx_lsp.checks.finding import Finding, PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.text import Span

RULE = error("E109")
EMPTY = RULE.at(Span(0, 0), "an empty file is no module; it begins with '.version'")
"""What is said of a file without a character."""


def check_module(module: Module) -> Iterator[PlacedFinding]:
    """A module that does not begin with `.version` and then `.target`.

    ```ptx
    //- module
    .target sm_80
    // <--- error[E109]
    // ptxas: Missing .version directive at start of file
    ```

    **Right:**

    ```ptx
    //- module
    .version 8.0
    .target sm_80
    .address_size 64
    ```

    **Fixes offered:** insert the missing line.

    ---

    `.version` and `.address_size` (32 or 64) stand once at most; the latter can be left out.
    """
    lines = module.header
    start = first_statement(module)
    if start is None:
        return
    place, number = start
    if not lines or lines[0].directive != ".version" or lines[0].place != place:
        span = place.chunk.statement(place.statement).span(0) if number else Span(0, 0)
        insert = Fix("insert '.version'", (Edit(Span(span.start, span.start), f".version {module.version}\n"),))
        yield PlacedFinding(place, RULE.at(span, "a module begins with '.version'", fixes=(insert,)))
        if not lines or lines[0].directive != ".target":
            return
    elif len(lines) < 2 or lines[1].directive != ".target":
        here = lines[0].place
        statement = here.chunk.statement(here.statement)
        end = statement.span(lines[0].tokens[-1] if lines[0].tokens else 0).end
        insert = Fix("insert '.target'", (Edit(Span(end, end), f"\n.target {module.target}"),))
        span = Span(statement.span(0).start, end)
        yield PlacedFinding(here, RULE.at(span, "'.target' must follow '.version'", fixes=(insert,)))
    seen = set()
    for line in lines:
        if line.directive in seen and line.directive != ".target":
            yield PlacedFinding(line.place, _once(line.place, line.directive))
        elif line.directive == ".address_size" and line.words[:1] not in (("32",), ("64",)) and line.tokens:
            span = line.place.chunk.statement(line.place.statement).span(line.tokens[0])
            yield PlacedFinding(line.place, RULE.at(span, f"'.address_size' is 32 or 64, not '{line.words[0]}'"))
        seen.add(line.directive)


def _once(place: Place, directive: str) -> Finding:
    span = place.chunk.statement(place.statement).span(0)
    return RULE.at(span, f"'{directive}' can stand only once")
