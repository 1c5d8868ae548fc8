"""E113 file-number."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import count

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.source_files import declared_files, named_files
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.kind import Kind

RULE = error("E113")


def module_facts(function: Function) -> Hashable:
    """The files and numbers of files after it, and whether it has a broken `.file` line."""
    if not function.files and not function.sources and not function.has_broken_file:
        return None
    declared = tuple((number, _name(place, token)) for place, token, number in declared_files(function))
    return declared, tuple(number for _, _, number in named_files(function)), function.has_broken_file


def _name(place: Place, token: int) -> str:
    return place.chunk.statement(place.statement).word(token + 1)


def check_module(module: Module) -> Iterator[PlacedFinding]:
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
    files = [one for function in module.functions if function.files for one in declared_files(function)]
    known: dict[int, str] = {}
    for place, token, number in files:
        if number in known:
            taken = {other for _, _, other in files}
            free = next(other for other in count(1) if other not in taken)
            span = place.chunk.statement(place.statement).span(token)
            fixes = (Fix(f"write '{free}'", (Edit(span, str(free)),)),)
            yield PlacedFinding(place, RULE.at(span, f"file {number} is already {known[number]}", fixes=fixes))
        else:
            known[number] = _name(place, token)
    named = [one for function in module.functions if function.sources for one in named_files(function)]
    strangers = [one for one in named if one[2] not in known]
    if strangers and not module.summaries.has_broken(Kind.FILE):
        for place, token, number in strangers:
            span = place.chunk.statement(place.statement).span(token)
            yield PlacedFinding(place, RULE.at(span, f"there is no '.file {number}' in this module"))
