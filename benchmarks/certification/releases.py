"""What one release of ptxas refuses and another takes: a page has one verdict, and takes it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.certification.packing import accepted
from benchmarks.certification.table import Disagreement


def taken_elsewhere(
    disagreements: Iterable[Disagreement], others: Sequence[str], jobs: int = 2
) -> Iterator[Disagreement]:
    """The statements that only we accept, as far as another release accepts them too."""
    modules: dict[tuple[str, str], list[Disagreement]] = defaultdict(list)
    for disagreement in disagreements:
        if disagreement.question.ours:
            modules[disagreement.version, disagreement.target].append(disagreement)
    for (version, target), todo in modules.items():
        for ptxas in others:
            answers = accepted([one.question.statement for one in todo], version, target, ptxas, jobs)
            yield from (one for one, taken in zip(todo, answers, strict=True) if taken)
            todo = [one for one, taken in zip(todo, answers, strict=True) if not taken]
