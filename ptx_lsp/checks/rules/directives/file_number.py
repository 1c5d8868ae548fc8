"""E113 file-number."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import merge
from itertools import count

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.source_files import declared_files, file_facts, named_files, reading_files
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.kind import Kind

RULE = error("E113")


def module_facts(function: Function) -> Hashable:
    """The files and numbers of files after it, and whether it has a broken `.file` line."""
    if not function.files and not function.sources and not function.has_broken_file:
        return None
    return file_facts(function), tuple(number for _, _, number in named_files(function)), function.has_broken_file


def _name(place: Place, token: int) -> str:
    return place.chunk.statement(place.statement).word(token + 1)


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A `.file` with the number of another `.file`, or a `.sourceFileName` with a number that no `.file` has.

    ```ptx
    //- sm_80 ptx 8.0 module
    .file 1 "kernel.cu"
    .file 1 "header.cuh"
    //    ^ error[E113]: file 1 is already "kernel.cu"
    // ptxas: Duplicate file index #1
    ```

    **Right:** `.file 2 "header.cuh"`

    **Fixes offered:** the next free number.

    ---

    ptxas refuses even two equal lines. A `.loc` can have any number.
    """
    first: dict[int, tuple[Place, int]] = {}
    for function in module.functions:
        yield None
        yield from reading_files(function)
        for place, token, number in declared_files(function) if function.files else ():
            first.setdefault(number, (place, token))
    free = next(number for number in count(1) if number not in first)
    is_finished = not module.summaries.has_broken(Kind.FILE)
    for function in module.functions:
        yield None
        files = declared_files(function) if function.files else ()
        repeated = (_repeated(one, first, free) for one in files if first[one[2]][0] != one[0])
        named = named_files(function) if function.sources and is_finished else ()
        strangers = (_stranger(*one) for one in named if one[2] not in first)
        yield from merge(repeated, strangers, key=lambda one: _order(module, one.place))


def _order(module: Module, place: Place) -> tuple[int, int]:
    return module.positions.rank(place.chunk), place.statement


def _repeated(file: tuple[Place, int, int], first: dict[int, tuple[Place, int]], free: int) -> PlacedFinding:
    place, token, number = file
    span = place.chunk.statement(place.statement).span(token)
    fixes = (Fix(f"write '{free}'", (Edit(span, str(free)),)),)
    return PlacedFinding(place, RULE.at(span, f"file {number} is already {_name(*first[number])}", fixes=fixes))


def _stranger(place: Place, token: int, number: int) -> PlacedFinding:
    span = place.chunk.statement(place.statement).span(token)
    return PlacedFinding(place, RULE.at(span, f"there is no '.file {number}' in this module"))
