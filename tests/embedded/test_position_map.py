"""Places of a fragment in its host and back: by hand, and for random pieces."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from ptx_lsp.embedded.position_map import PositionMap
from ptx_lsp.embedded.text_runs import Changes, RunKind, TextRun, TextRuns, changing
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span

from .annotated_host import whole
from .fragments import fragment_of


def check_places(source: str, word: str, host: str) -> None:
    """Fail unless a word of the fragment stands for some text of the host, or for its part in the first literal."""
    fragment = fragment_of(source)
    start = fragment.text.index(word)
    span = fragment.map.span_to_host(Span(start, start + len(word))).shifted(fragment.site.start)
    assert whole(source)[span.start : span.end] == host


def test_verbatim() -> None:
    check_places('asm("add.s32 %0, %1, 1;" : "=r"(d) : "r"(a));', "%1", "%1")


def test_an_escape_of_the_host() -> None:
    check_places(r'asm("mov.b32 %0, %1;\n\tmov.b32 %0, 7;" : "=r"(d) : "r"(a));', "\n", r"\n")
    check_places(r'asm("mov.b32 %0, %1;\n\tmov.b32 %0, 7;" : "=r"(d) : "r"(a));', "%1;\n\tmov", r"%1;\n\tmov")


def test_an_escape_of_the_template() -> None:
    check_places('asm("mov.b32 %0, %%laneid;" : "=r"(d));', "%laneid", "%%laneid")


def test_a_range_ends_with_its_first_literal() -> None:
    check_places('asm("add.s32 %0,"\n"%1, 1;" : "=r"(d) : "r"(a));', "add.s32 %0,%1", "add.s32 %0,")


def test_places_between_literals_are_outside() -> None:
    fragment = fragment_of('asm("add.s32 %0,"  /* and */  "%1, 1;" : "=r"(d) : "r"(a));')
    at = fragment.site.text.index("and")
    assert fragment.map.to_ptx(at) is None
    assert fragment.map.to_ptx(fragment.site.text.index("%1")) == fragment.text.index("%1")


def test_the_end_of_a_literal_belongs_to_it() -> None:
    fragment = fragment_of('asm("ret" : );')
    assert fragment.map.to_ptx(fragment.site.text.index("ret") + 3) == 3


def random_runs(chance: random.Random) -> tuple[str, TextRuns]:
    """A text of some runs with gaps between them in the host."""
    runs: list[TextRun] = []
    host = ptx = 0
    text = ""
    for _ in range(chance.randrange(1, 9)):
        kind = chance.choice(list(RunKind))
        host += chance.choice((0, 0, 3))
        length = chance.randrange(1, 6)
        size = 0 if kind is RunKind.JOIN else length if kind is RunKind.VERBATIM else chance.randrange(1, 4)
        runs.append(TextRun(host, host + length, ptx, ptx + size, kind))
        text += "".join(chance.choices("abc;% ", k=size))
        host, ptx = host + length, ptx + size
    return text, TextRuns(runs)


def check_map(text: str, runs: TextRuns) -> None:
    """Fail unless the runs cover the text in order, and each place leads back to itself."""
    map_ = PositionMap(runs)
    assert [run.ptx for run in runs] == [0, *(run.ptx_end for run in runs)][: len(runs)]
    assert (runs[-1].ptx_end if runs else 0) == len(text)
    for before, after in pairwise(runs):
        assert before.host <= after.host
    for run in runs:
        if run.kind is RunKind.VERBATIM:
            assert run.host_end - run.host == run.ptx_end - run.ptx
            for offset in range(run.ptx, run.ptx_end):
                assert map_.to_ptx(map_.to_host(offset)) == offset
                assert map_.verbatim_run(Span(offset, offset + 1)) == run
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            span = map_.span_to_host(Span(start, end))
            assert span.start <= span.end


@pytest.mark.parametrize("seed", range(300))
def test_random_runs(seed: int) -> None:
    chance = random.Random(seed)
    text, runs = random_runs(chance)
    check_map(text, runs)
    places = sorted(chance.sample(range(len(text) + 1), k=min(len(text) + 1, 2 * chance.randrange(3))))
    spans = [Span(*one) for one in zip(places[::2], places[1::2], strict=False) if one[0] < one[1]]
    lengths = [chance.randrange(3) for _ in spans]
    changes = Changes()
    changes.extend(*zip(*spans, strict=True), lengths, [RunKind.ESCAPE] * len(spans)) if spans else None
    by_hand = text
    for span, length in reversed([*zip(spans, lengths, strict=True)]):
        by_hand = by_hand[: span.start] + "x" * length + by_hand[span.end :]
    check_map(by_hand, run_to_completion(changing(runs, changes)))
