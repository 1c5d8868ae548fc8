"""E506 version-target."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.header import opening_statements, written_version
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import Kind

RULE = error("E506")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A target that the module's PTX version does not support.

    ```ptx
    //- module
    .version 7.0
    .target sm_90
    //      ^^^^^ error[E506]: 'sm_90' requires PTX 7.8 or newer; this module is PTX 7.0
    .entry kernel() { ret; }
    // ptxas: PTX .version 7.0 does not support .target sm_90
    ```

    **Right:**

    ```ptx
    //- module
    .version 7.8
    .target sm_90
    .entry kernel() { ret; }
    ```

    **Fixes offered:** the first version that supports the target.

    ---

    Not reported in modules that contain only these lines: ptxas accepts them.
    """
    version = written_version(module.header.lines)
    if version is None:
        return
    last: Place | None = None
    for place in opening_statements(module.document.chunks):
        last = place
        yield None
    if last is None or last.chunk.kinds[last.statement] in (Kind.HEADER, Kind.EMPTY):
        return  # the module contains no more than its header
    for line in module.header.lines:
        yield None
        for target, token in line.targets:
            first = catalogue().vocabulary.targets[str(target)].version
            if version < first:
                statement = line.place.chunk.statement(line.place.statement)
                span = statement.span(token)
                message = f"'{statement.word(token)}' requires PTX {first} or newer; this module is PTX {version}"
                yield PlacedFinding(line.place, RULE.at(span, message).needing(version=first))
