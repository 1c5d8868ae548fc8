"""E113 file-number."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import count

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.source_files import declared_files, named_files
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.kind import Kind

RULE = error("E113")


def module_facts(function: Function) -> Hashable:
    """The `.file` lines and the numbers of files after it, and whether it has a broken `.file` line."""
    if not function.files and not function.sources and not function.has_broken_file:
        return None
    return tuple(function.files), tuple(function.sources), function.has_broken_file


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
    files = declared_files(module)
    known: dict[int, str] = {}
    for place, token, number in files:
        statement = place.chunk.statement(place.statement)
        if number in known:
            taken = {other for _, _, other in files}
            free = next(other for other in count(1) if other not in taken)
            span = statement.span(token)
            fixes = (Fix(f"write '{free}'", (Edit(span, str(free)),)),)
            yield PlacedFinding(place, RULE.at(span, f"file {number} is already {known[number]}", fixes=fixes))
        else:
            known[number] = statement.word(token + 1)
    strangers = [named for named in named_files(module) if named[2] not in known]
    if strangers and not module.summaries.has_broken(Kind.FILE):
        for place, token, number in strangers:
            span = place.chunk.statement(place.statement).span(token)
            yield PlacedFinding(place, RULE.at(span, f"there is no '.file {number}' in this module"))
