"""Does a fix ever make more errors than it removes? ``python -m benchmarks.fixes [-n MUTANTS] [--show 20]``.

Files that people wrote are broken in one place at a time (benchmarks/mutations/). Every fix that is offered, at the
findings and as a code action there, is applied to the text; findings are counted before and after.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from benchmarks.mutations.bases import handwritten
from benchmarks.mutations.kind import KINDS
from benchmarks.mutations.mutants import CATALOGUE, Mutant, mutants
from benchmarks.mutations.scan import read
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Edit, Severity
from ptx_lsp.features.code_actions import ActionRequest, code_actions

_QUICK = ("quickfix",)


class AppliedFix(NamedTuple):
    """A fix of a mutant, and the numbers of errors before and after it."""

    mutant: Mutant
    title: str
    before: int
    after: int
    added: tuple[str, ...]
    """The codes of errors that there are more of."""


def main(arguments: list[str] | None = None) -> int:
    """Print what does harm; 1 if something does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2000)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args(arguments)
    assert CATALOGUE
    texts = handwritten()
    share = -(-options.n // len(texts))
    made = (one for text in texts.values() for one in mutants(read(text), share, 1, list(KINDS.values())))
    applied = [fix for mutant in made for fix in applied_fixes(mutant)]
    harmful = [one for one in applied if one.after > one.before]
    print(f"{len(applied):,} fixes, {len(harmful)} with more errors after than before")
    for one in harmful[: options.show]:
        print(f"{one.mutant.kind.name}: {one.title}: {one.before} -> {one.after} {one.added}: {one.mutant.after[:90]}")
    return 1 if harmful else 0


def applied_fixes(mutant: Mutant) -> Iterator[AppliedFix]:
    """Apply every quick fix that is offered at the errors and warnings of a mutant, each by itself."""
    checker = Checker(mutant.text)
    found = checker.diagnostics()
    seen: set[tuple[Edit, ...]] = set()
    before = _errors(checker)
    for span in dict.fromkeys(one.span for one in found if one.severity is not Severity.HINT):
        for action in code_actions(ActionRequest(checker.semantics, found, span), _QUICK):
            edits = () if action.disabled else tuple(action.resolved_edits())
            if edits and edits not in seen:
                seen.add(edits)
                after = _errors(Checker(applied(mutant.text, edits)))
                yield AppliedFix(mutant, action.title, before.total(), after.total(), tuple(after - before))


def _errors(checker: Checker) -> Counter[str]:
    return Counter(one.code for one in checker.diagnostics() if one.severity is Severity.ERROR)


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text after edits, which do not overlap."""
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


if __name__ == "__main__":
    sys.exit(main())
