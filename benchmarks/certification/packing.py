"""Asks ptxas about many instructions at once: each in a kernel of its own, a thousand kernels in a module.

ptxas reports every error with its line and stops early only at a fatal one. The kernels before that are judged, the
one it lies in is refused, and a further module takes the rest. Once an error has been found, ptxas no longer expands
the instructions that it implements as macros and misses what is wrong inside them: what is accepted after an error is
asked again without the refused ones.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from benchmarks import assembler
from benchmarks.certification.table import Question
from benchmarks.certification.writing import declarations, module_declarations, module_names, parameters

_PACK = 1000


def accepted(statements: Sequence[str], version: str, target: str, ptxas: str, jobs: int = 2) -> list[bool]:
    """Whether ptxas takes each statement in a module of this version and target."""
    groups: dict[frozenset[str], list[int]] = {}
    for index, statement in enumerate(statements):
        groups.setdefault(module_names(statement), []).append(index)
    packs = [
        (names, indices[start : start + _PACK])
        for names, indices in groups.items()
        for start in range(0, len(indices), _PACK)
    ]
    verdicts = [False] * len(statements)

    def judge(pack: tuple[frozenset[str], list[int]]) -> list[bool]:
        names, indices = pack
        mode = f"{target}, texmode_independent" if "texmode" in names else target
        return _Judge(version, mode, module_declarations(names), ptxas).all([statements[index] for index in indices])

    with ThreadPoolExecutor(jobs) as pool:
        for (_, indices), answers in zip(packs, pool.map(judge, packs), strict=True):
            for index, answer in zip(indices, answers, strict=True):
                verdicts[index] = answer
    return verdicts


def answers(questions: Sequence[Question], version: str, target: str, ptxas: str, jobs: int = 2) -> Iterator[bool]:
    """The verdicts on questions; one that is not ours is asked for again, of the statement alone.

    Beside a thousand others some right statements are refused: ptxas expands a few of them into text of its own.
    """
    packed = accepted([question.statement for question in questions], version, target, ptxas, jobs)
    for question, taken in zip(questions, packed, strict=True):
        yield taken if taken == question.ours else accepted([question.statement], version, target, ptxas, 1)[0]


class _Judge:
    def __init__(self, version: str, target: str, declared: str, ptxas: str) -> None:
        self._ptxas = ptxas
        self._header = f".version {version}\n.target {target}\n"
        if tuple(map(int, version.split("."))) >= (2, 3):
            self._header += ".address_size 64\n"
        self._header += declared

    def all(self, statements: Sequence[str]) -> list[bool]:
        verdicts = [False] * len(statements)
        if not assembler.judge(self._header, self._ptxas).accepted:
            # What the statements need to name does not exist here.
            return verdicts
        todo = list(range(len(statements)))
        while todo:
            doubtful: list[int] = []
            size = len(todo)
            while todo:
                batch = todo[:size]
                verdict = self._some([statements[index] for index in batch])
                clean = True
                for index, taken in zip(batch, verdict, strict=False):
                    verdicts[index] = taken
                    if taken and not clean:
                        doubtful.append(index)
                    clean = clean and taken
                todo = todo[len(verdict) :]
                size = 2 * size if len(verdict) == len(batch) else max(2 * len(verdict), 16)
            todo = doubtful
        return verdicts

    def _some(self, statements: Sequence[str]) -> list[bool]:
        """The verdicts on the statements that one run reaches, one at least."""
        text, starts = self._module(statements)
        answer = assembler.judge(text, self._ptxas)
        # A line before the kernels is one of ptxas's own text, in which it expands an instruction.
        if answer.crashed or any(error.line < starts[0] for error in answer.errors):
            return [False] if len(statements) == 1 else self._some(statements[: len(statements) // 2])
        reached = len(statements)
        verdicts = [True] * len(statements)
        for error in answer.errors:
            index = bisect.bisect_right(starts, error.line) - 1
            verdicts[index] = False
            if error.severity == "fatal":
                reached = min(reached, index + 1)
        return verdicts[:reached]

    def _module(self, statements: Sequence[str]) -> tuple[str, list[int]]:
        """A module with a kernel for each statement, and the line where each kernel begins."""
        parts = [self._header]
        starts = []
        line = self._header.count("\n") + 1
        for number, statement in enumerate(statements):
            kernel = f".entry case{number}({parameters(statement)})\n{{\n{declarations(statement)}\n{statement}\n}}\n"
            starts.append(line)
            parts.append(kernel)
            line += kernel.count("\n")
        return "".join(parts), starts
