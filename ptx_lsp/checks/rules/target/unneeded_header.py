"""I702 unneeded-header."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.header import HeaderLine
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.checks.support.finding import Merge, PlacedFinding, information
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue

RULE = information("I702").merged(Merge.WHOLE)


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A `.version` or `.target` that is higher than the module requires. Off by default.

    Compilers write the version and target that they were asked to compile for, so this is useful for handwritten PTX
    that must run on older GPUs and drivers. Enable it with `severity = { I702 = "information" }` in `ptx-lsp.toml`, or
    once with `ptx-lsp check --select I702 file.ptx`.

    ```ptx
    //- module asks I702
    .version 8.6
    //       ^^^ information[I702]: this module only requires PTX 5.1
    .target sm_100a
    //      ^^^^^^^ information[I702]: this module only requires sm_30
    .entry kernel() { bar.warp.sync -1; ret; }
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- module asks I702
    .version 5.1
    .target sm_30
    .entry kernel() { bar.warp.sync -1; ret; }
    ```

    **Fixes offered:** the oldest version, the lowest target.

    ---

    First the lowest target is determined that the module's version supports, then the oldest version for that target.
    Requirements of the linker or the driver, and limits of memory, are not considered.
    """
    from ptx_lsp.analysis.statements.requirements import least_requirements  # imported late: hardly anyone asks

    lines = {line.directive: line for line in reversed(module.header.lines) if line.tokens}
    if ".version" not in lines or ".target" not in lines:
        return
    least = least_requirements(module)
    if least.version != module.version:
        # An older version may not know the written target: then both are lowered together.
        word = catalogue().vocabulary.targets.get(str(module.target))
        other = (lines[".target"], str(least.target)) if word is not None and least.version < word.version else None
        yield _finding(lines[".version"], str(least.version), f"PTX {least.version}", other)
    if least.target != module.target:
        yield _finding(lines[".target"], str(least.target), str(least.target))


def _finding(line: HeaderLine, value: str, words: str, other: tuple[HeaderLine, str] | None = None) -> PlacedFinding:
    chunk, index, _ = line.place
    span = chunk.statement(index).span(line.tokens[0])
    title, edits = f"write '{line.directive} {value}'", [Edit(span, value)]
    if other is not None:
        second, text = other
        if second.place.chunk is not chunk:
            edits = []
        else:
            starts = chunk.starts()
            place = chunk.statement(second.place.statement).span(second.tokens[0])
            edits.append(Edit(place.shifted(starts[second.place.statement] - starts[index]), text))
            title += f" and '{second.directive} {text}'"
    fixes = (Fix(title, tuple(edits)),) if edits else ()
    return PlacedFinding(line.place, RULE.at(span, f"this module only requires {words}", fixes=fixes))
