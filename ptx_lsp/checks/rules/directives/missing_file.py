"""W606 missing-file."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.support.finding import Merge, PlacedFinding, warning
from ptx_lsp.syntax.kind import Kind

RULE = warning("W606").merged(Merge.EARLIEST)
_MESSAGE = "'.loc' names a file, but the module has no '.file'"


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A `.loc` in a module without any `.file`: debuggers and profilers cannot find the source.

    ```ptx
    //- sm_80 ptx 8.0 module
    .entry kernel()
    {
        .loc 1 10 5
    //  ^^^^ warning[W606]: '.loc' names a file, but the module has no '.file'
        ret;
    }
    // ptxas: .loc directive without .file directive is found, line information in generated binary may not be complete
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 8.0 module
    .file 1 "kernel.cu"
    .entry kernel()
    {
        .loc 1 10 5
        ret;
    }
    ```

    ---

    Reported once, at the first `.loc`.
    """
    if module.summaries.has(Kind.FILE) or not module.summaries.has(Kind.LOCATION):
        return
    for chunk in module.document.chunks:
        yield None
        index = chunk.kinds.find(Kind.LOCATION)
        if index >= 0:
            if module.summaries.has_broken(Kind.FILE):
                return
            yield PlacedFinding(Place(chunk, index, 0), RULE.at(chunk.statement(index).span(0), _MESSAGE))
            return
