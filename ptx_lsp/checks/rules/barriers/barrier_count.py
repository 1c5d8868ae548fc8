"""W845 barrier-count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import THREADS, Verb

RULE = warning("W845")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `bar.arrive` for another number of threads than every `bar.sync` of the same barrier.

    Producers arrive and consumers wait at one barrier, and all of them name the number of both together. If the numbers
    differ, the barrier never completes, or completes before all have come.

    ```ptx
    //- sm_90 ptx 8.0
    setp.lt.u32 %p1, %r1, 128;
    @%p1 bra CONSUMER;
    bar.arrive 1, 128;
    // <--- warning[W845]: arrives for 128 threads at barrier 1, those that wait there count 256 (line 13)
    ret;
    CONSUMER:
    bar.sync 1, 256;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    setp.lt.u32 %p1, %r1, 128;
    @%p1 bra CONSUMER;
    bar.arrive 1, 256;
    ret;
    CONSUMER:
    bar.sync 1, 256;
    ret;
    ```

    ---

    Reported if the numbers of all barriers of the kernel are constants, and no wait at the barrier has the number of
    the arrive. Not reported in functions, in kernels that call functions which may take part, and in bodies without
    `ret` or `exit`. PTX ISA, "bar, barrier".
    """
    kernel = flow.kernel
    if not kernel.facts.has(Verb.ARRIVES, THREADS) or not kernel.is_known:
        return
    arrivals: dict[int, list[tuple[Step, int | None]]] = defaultdict(list)
    waits: dict[int, list[tuple[Step, int | None]]] = defaultdict(list)
    for verb, group in ((Verb.ARRIVES, arrivals), (Verb.WAITS, waits)):
        for step in kernel.facts.steps(verb, THREADS):
            yield None
            fact = kernel.facts.find(step, verb, THREADS)
            if fact is None or not fact.operands:
                continue  # a barrier of the cluster
            barrier, *threads = fact.operands
            number = kernel.constant(step, barrier)
            if number is None:
                return
            group[number].append((step, kernel.constant(step, *threads)))
    for number, found in arrivals.items():
        counts = {count for _, count in waits[number]}
        if not counts or None in counts:
            continue
        for step, count in found:
            if count is not None and count not in counts:
                wait, expected = waits[number][0]
                context = kernel.context(step)
                message = f"arrives for {count} threads at barrier {number}, those that wait there count {expected}"
                beside = RelatedPlace(wait.place, "the wait at the same barrier")
                yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message).related_to(beside))
                break
