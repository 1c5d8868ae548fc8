"""E507 target-option."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

RULE = error("E507")

_MODES = ("texmode_unified", "texmode_independent")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """An option of `.target` that conflicts with another option, with the architecture, or with the file.

    ```ptx
    //- module
    .version 8.0
    .target sm_80, texmode_independent, texmode_unified
    //                                  ^^^^^^^^^^^^^^^ error[E507]: the texture mode is already 'texmode_independent'
    // ptxas: Conflicting .target option 'texmode_unified'
    ```

    **Right:**

    ```ptx
    //- module
    .version 8.0
    .target sm_80, texmode_independent
    ```

    **Fixes offered:** remove the option.

    ---

    A module has one texture mode. `map_f64_to_f32` is for sm_10, sm_11 and sm_12, and not needed there: ptxas accepts
    `.f64` without it. `debug` requires a `.section` anywhere in the file.
    """
    mode = ""
    target = module.target
    options = catalogue().vocabulary.rare.target_options
    for line in module.header.lines:
        yield None
        if line.directive != ".target":
            continue
        named = {token: one for one, token in line.targets}
        for index, (word, token) in enumerate(zip(line.words, line.tokens, strict=True)):
            target = named.get(token, target)
            option = options.get(word)
            if option is None or option.gate.why_not(module.version, target) is not None:
                continue
            message = ""
            if word in _MODES:
                message = f"the texture mode is already '{mode}'" if mode not in ("", word) else ""
                mode = mode or word
            elif option.before is not None and target.implies(option.before):
                message = f"'{word}' is only allowed for targets before {option.before}, not for {target}"
            elif word == "debug" and not _has_section(module):
                message = "'debug' requires debug data, but the file has no '.section'"
            if message:
                span = line.place.chunk.statement(line.place.statement).span(token)
                fixes: tuple[Fix, ...] = ()
                if index:
                    before = line.place.chunk.statement(line.place.statement).span(line.tokens[index - 1])
                    fixes = (Fix(f"remove '{word}'", (Edit(Span(before.end, span.end), ""),)),)
                yield PlacedFinding(line.place, RULE.at(span, message, fixes=fixes))


def _has_section(module: Module) -> bool:
    """Whether there is a debug section, or one that is not finished."""
    return module.summaries.has(Kind.SECTION) or module.summaries.has_broken(Kind.SECTION)
