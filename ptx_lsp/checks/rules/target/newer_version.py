"""E501 newer-version."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, error
from ptx_lsp.checks.support.mismatches import feature_needs, lacks, other_needs
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E501")


def check(context: StatementContext) -> Iterator[Finding]:
    """An instruction, or a part of one, that was introduced in a later PTX version than the module's `.version`.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.L2::128B.u32 %r1, [%rd1];
    //       ^^^^^^^^^ error[E501]: '.L2::128B' requires PTX 7.4; this module is PTX 7.0
    // ptxas: Feature 'cache prefetching' requires PTX ISA .version 7.4 or later
    ```

    **Right:** a later `.version`, if every driver in use supports it; or `ld.global.u32 %r1, [%rd1];` without that
    part.

    **Fixes offered:** the first version that has it, unless other statements would be wrong with it.

    ---

    Not reported in text without `.version` or `.target`, unless the settings name them: the newest are assumed.
    """
    if not context.module.header.is_target_known:
        return  # which version is needed depends on it
    for token, need, what in other_needs(context):
        if need.version is not None and not need.until:
            message = f"{what} requires PTX {need.version}; this module is PTX {context.module.version}"
            yield RULE.at(context.span(token), message).needing(version=need.version)
    for token, words, need in feature_needs(context):
        if need.version is not None and not need.until:
            message = f"{words} requires PTX {need.version}; this module is PTX {context.module.version}"
            yield RULE.at(context.span(token), message).needing(version=need.version)
    for span, text, mismatch in lacks(context, Problem.NEWER_VERSION):
        lacking = mismatch.need
        wanted = lacking.describe() if lacking is not None else "a newer PTX version"
        message = f"'{text}' requires {wanted}; this module is PTX {context.module.version}"
        yield RULE.at(span, mismatch.message or message).needing(
            version=lacking.version if lacking is not None else None
        )


def module_facts(function: Function) -> Hashable:
    """The labels in the sections after it."""
    return tuple(function.section_labels)


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Labels among the bytes of debug sections that need a newer PTX version."""
    label = catalogue().vocabulary.rare.directive_parts["label"]
    need = label.gate.why_not(module.version, module.target)
    if need is None or need.version is None:
        return
    for function in module.functions:
        yield None
        for place in function.section_labels:
            span = place.chunk.statement(place.statement).span(place.token)
            message = f"{label.words} requires PTX {need.version}; this module is PTX {module.version}"
            yield PlacedFinding(place, RULE.at(span, message).needing(version=need.version))
