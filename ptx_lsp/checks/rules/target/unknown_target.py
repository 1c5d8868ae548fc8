"""E505 unknown-target."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.checks.support.wording import did_you_mean, nearest
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.process_cache import memoized

RULE = error("E505")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A word after `.target` that is neither an architecture nor an option.

    ```ptx
    //- module
    .version 8.0
    .target sm_99
    //      ^^^^^ error[E505]: unknown target 'sm_99'; did you mean 'sm_90'?
    // ptxas: Unsupported .target 'sm_99'
    ```

    **Right:**

    ```ptx
    //- module
    .version 8.0
    .target sm_90
    ```

    **Fixes offered:** the target with the most similar spelling.

    ---

    The rest of the file is then checked for the newest target.
    """
    options = catalogue().vocabulary.rare.target_options
    unknown: set[str] = set()
    for line in module.header.lines:
        yield None
        if line.directive != ".target":
            continue
        named = {token for _, token in line.targets}
        for word, token in zip(line.words, line.tokens, strict=True):
            if word in options or token in named:
                continue
            span = line.place.chunk.statement(line.place.statement).span(token)
            unknown.add(word)
            ending, fixes = did_you_mean(span, _likely(word) if len(unknown) <= _MOST_SUGGESTED else None)
            what = "target" if word.startswith(("sm", "compute")) else "target or option"
            yield PlacedFinding(line.place, RULE.at(span, f"unknown {what} '{word}'{ending}", fixes=fixes))


_MOST_SUGGESTED = 100
"""Of more words than this, no likely one is looked for: it is no misspelling that is wrong then."""


@memoized(_MOST_SUGGESTED)
def _likely(word: str) -> str | None:
    vocabulary = catalogue().vocabulary
    return nearest(word, [*vocabulary.targets, *vocabulary.rare.target_options])
