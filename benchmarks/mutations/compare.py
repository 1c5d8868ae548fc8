"""Asking ptxas and ptx-lsp about each mutant of a text. (The only module of this package that imports ptx_lsp.)"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from benchmarks import assembler
from benchmarks.mutations.kind import KINDS, Kind
from benchmarks.mutations.mutants import Mutant, mutants
from benchmarks.mutations.scan import read
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity


class Comparison(NamedTuple):
    """One mutant, what one ptxas says and what we say; our errors with their lines. The mutant is without its text."""

    file: str
    mutant: Mutant
    ptxas: str
    verdict: assembler.Verdict
    ours: list[tuple[int, Diagnostic]]

    @property
    def same_line(self) -> bool:
        """Whether an error of ours stands on the line of the mistake, or where ptxas sees it."""
        lines = {line for line, _ in self.ours}
        return self.mutant.line in lines or any(error.line in lines for error in self.verdict.errors)

    @property
    def is_false(self) -> bool:
        """Whether ptxas accepts what we call an error."""
        return self.verdict.accepted and bool(self.ours)

    @property
    def is_missed(self) -> bool:
        """Whether ptxas rejects it and we have no error on the line."""
        return not self.verdict.accepted and not self.same_line

    def __str__(self) -> str:
        theirs = "; ".join(f"{error.line}: {error.text}" for error in self.verdict.errors[:2]) or "accepted"
        ours = "; ".join(f"{line}: {finding.code} {finding.message.splitlines()[0]}" for line, finding in self.ours[:2])
        return (
            f"{self.mutant.kind.name} {self.file}:{self.mutant.line}\n    - {self.mutant.before}\n"
            f"    + {self.mutant.after}\n    ptxas: {theirs}\n    ours:  {ours or 'nothing'}"
        )


def compare(
    name: str, text: str, judges: Sequence[str], *, count: int, seed: int = 0, kinds: Iterable[Kind] = ()
) -> list[Comparison]:
    """Compare on ``count`` mutants of a valid text called ``name``, with each of some ptxas.

    Mutants on which a ptxas crashes have judged nothing and are left out. ptxas runs in two processes meanwhile.
    """
    made = mutants(read(text), count, seed, list(kinds or KINDS.values()))
    compared = []
    with ThreadPoolExecutor(2) as pool:
        asked = [(mutant, [pool.submit(assembler.judge, mutant.text, ptxas) for ptxas in judges]) for mutant in made]
        for mutant, answers in asked:
            ours = errors(mutant.text)
            slim = mutant._replace(text="")
            for ptxas, answer in zip(judges, answers, strict=True):
                verdict = answer.result()
                if verdict.accepted and ours:  # what ptxas finds when it generates code is an error too
                    verdict = assembler.judge(mutant.text, ptxas, generate=True)
                compared.append(Comparison(name, slim, ptxas, verdict, ours))
    return [comparison for comparison in compared if not comparison.verdict.crashed]


def errors(text: str) -> list[tuple[int, Diagnostic]]:
    """Our errors with their lines, counted from 1."""
    found = (finding for finding in check_text(text) if finding.severity is Severity.ERROR)
    return [(text.count("\n", 0, finding.span.start) + 1, finding) for finding in found]
