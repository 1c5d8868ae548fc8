"""E504 unknown-version."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.header import version_of
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.checks.support.wording import did_you_mean
from ptx_lsp.isa.catalogue import catalogue

RULE = error("E504")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A PTX version that does not exist, or that is newer than this release of ptx-lsp.

    ```ptx
    //- module
    .version 99.9
    //       ^^^^ error[E504]: unknown PTX version 99.9; the newest is 9.5
    .target sm_80
    // ptxas: Unsupported .version 99.9; current version is '9.5'
    ```

    **Right:**

    ```ptx
    //- module
    .version 9.0
    .target sm_80
    ```

    **Fixes offered:** the newest known version.

    ---

    The rest of the file is then checked for that version.
    """
    for line in module.header.lines:
        yield None
        if line.directive == ".version" and line.words and version_of(line.words[0]) is None:
            span = line.place.chunk.statement(line.place.statement).span(line.tokens[0])
            newest = catalogue().vocabulary.newest_version
            _, fixes = did_you_mean(span, str(newest))
            message = f"unknown PTX version {line.words[0]}; the newest is {newest}"
            yield PlacedFinding(line.place, RULE.at(span, message, fixes=fixes))
