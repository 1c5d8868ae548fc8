"""``docs/performance.md``: the tables, and what each figure means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from benchmarks.speed.measuring import CheckFigures, ServerFigures
from benchmarks.speed.texts import Text


class Measured(NamedTuple):
    """A text with all its figures."""

    text: Text
    check: CheckFigures
    server: ServerFigures


_INTRODUCTION = """# Performance

Written by `python -m benchmarks.run --write`. Do not edit.

*Kept* files are in the repository (`benchmarks/corpus`); those who made ptx-lsp fast have measured with them, so they
flatter it. *Fresh* files were compiled for this measurement, from the sources in `benchmarks/fresh` with parameters
drawn at random, or were set aside: no change was tuned on them. The kept file of a million lines is ten copies of one.
Programs that are compared ran in turns in the same minutes. Times are medians; on a busy machine only the ratios count.
"""

_CHECK = """## Check

`ptx-lsp check FILE` as a new process, beside `ptxas -arch=compute_XX`, which reads and checks the file and generates
nothing. *Wall* is how long one waits. *CPU* is how long all processors together worked for it: more than the wall time
where several work at once. *Peak memory* is the most that all processes of the command occupied together; memory that
they share counts once. *× ptxas* is our figure divided by that of ptxas: 2 means twice as long or twice as much.
"""

_START = """## Cold server

From the start of the server's process until the editor has the first findings of a file that it opens at once.
*× nothing* divides by the wall time of `python -c pass`, the least that a program in Python can take.
"""

_KEYSTROKE = """## Keystroke

From sending a change to the server until its findings have arrived; before the first one the file was analysed
completely. Digits and statements are typed letter by letter at random places with pauses of up to 40 ms, so that some
letters come while the server analyses data flow. *p50* is the median; of 100 keystrokes one takes longer than *p99*.
*Marks* are `/*`, `"` and `{`, typed and deleted near the top of the file, where they change the meaning of all that
follows: the median and the longest. *Memory* is that of the server with the file open and analysed.
"""

_GROWTH = """## Growth

The exponent *e* of the growth with the number of lines: ten times the lines take 10^*e* times as much. 1 is
proportional to the length, 0 does not depend on it. Start-up costs the same for all lengths and makes the exponents of
short files small; those between the two longest show what long files cost.
"""


def document(measured: Sequence[Measured], conditions: Sequence[str]) -> str:
    """The text of the document; ``conditions`` are sentences on machine, programs and commit."""
    sections = [
        (_CHECK, _check_table(measured)),
        (_START, _start_table(measured)),
        (_KEYSTROKE, _keystroke_table(measured)),
        (_GROWTH, _growth_table(measured)),
    ]
    parts = [_INTRODUCTION, "\n".join(f"- {one}" for one in conditions) + "\n"]
    parts += [f"{text}\n{table}\n" for text, table in sections]
    return "\n".join(parts)


def _check_table(measured: Sequence[Measured]) -> str:
    head = ("file", "lines", "wall", "ptxas", "× ptxas", "CPU", "ptxas", "× ptxas", "peak memory", "ptxas", "× ptxas")
    rows = []
    for text, check, _ in measured:
        theirs, their_memory = check.theirs, check.their_memory
        wall = _beside(check.ours.wall, theirs.wall if theirs else None, _seconds)
        cpu = _beside(check.ours.cpu, theirs.cpu if theirs else None, _seconds)
        rows.append((*_of(text), *wall, *cpu, *_beside(check.our_memory, their_memory, _megabytes)))
    return _table(head, rows)


def _beside(ours: float, theirs: float | None, shown: Callable[[float], str]) -> tuple[str, str, str]:
    """Our figure, that of ptxas, and the ratio."""
    return shown(ours), shown(theirs) if theirs else "–", _times(ours, theirs)


def _start_table(measured: Sequence[Measured]) -> str:
    return _table(
        ("file", "lines", "first findings", "× nothing"),
        [
            (*_of(text), _seconds(server.first_findings), _times(server.first_findings, server.nothing))
            for text, _, server in measured
        ],
    )


def _keystroke_table(measured: Sequence[Measured]) -> str:
    return _table(
        ("file", "lines", "p50", "p99", "marks, median", "marks, longest", "memory"),
        [
            (*_of(text), *map(_milliseconds, (*server.keystroke, *server.marks)), _megabytes(server.memory))
            for text, _, server in measured
        ],
    )


_QUANTITIES: dict[str, Callable[[Measured], float]] = {
    "check, wall": lambda one: one.check.ours.wall,
    "check, CPU": lambda one: one.check.ours.cpu,
    "check, peak memory": lambda one: one.check.our_memory,
    "first findings of a cold server": lambda one: one.server.first_findings,
    "keystroke, p50": lambda one: one.server.keystroke[0],
    "keystroke, p99": lambda one: one.server.keystroke[1],
    "memory of the open file": lambda one: one.server.memory,
}
_OF_PTXAS: dict[str, Callable[[Measured], float]] = {
    "ptxas, wall": lambda one: one.check.theirs.wall if one.check.theirs else 0,
    "ptxas, peak memory": lambda one: one.check.their_memory or 0,
}


def _growth_table(measured: Sequence[Measured]) -> str:
    """Exponents between the shortest and the longest file of each set, and between the two longest."""
    sets = {set_: sorted(_of_set(measured, set_), key=lambda one: one.text.lines) for set_ in _sets(measured)}
    quantities = _QUANTITIES | (_OF_PTXAS if all(one.check.theirs for one in measured) else {})
    pairs = [(set_, label, files) for set_, files in sets.items() if len(files) > 1 for label in _ends(files)]
    head = ("", *(f"{set_}, {label}" for set_, label, _ in pairs))
    rows = [
        (name, *(f"{_exponent(*_ends(files)[label], value):.2f}" for _, label, files in pairs))
        for name, value in quantities.items()
    ]
    return _table(head, rows)


def _ends(files: Sequence[Measured]) -> dict[str, tuple[Measured, Measured]]:
    """The pairs that growth is taken between, by their names."""
    return {f"{a.text.length} to {b.text.length}": (a, b) for a, b in ((files[0], files[-1]), (files[-2], files[-1]))}


def _exponent(small: Measured, large: Measured, value: Callable[[Measured], float]) -> float:
    return math.log(value(large) / value(small)) / math.log(large.text.lines / small.text.lines)


def _sets(measured: Sequence[Measured]) -> list[str]:
    return list(dict.fromkeys(one.text.set for one in measured))


def _of_set(measured: Sequence[Measured], set_: str) -> list[Measured]:
    return [one for one in measured if one.text.set == set_]


def _of(text: Text) -> tuple[str, str]:
    return text.set, f"{text.lines:,}"


def _seconds(value: float) -> str:
    return f"{value:.{3 if value < 1 else 2}f} s"


def _milliseconds(value: float) -> str:
    return f"{value * 1000:.1f} ms"


def _megabytes(value: float) -> str:
    return f"{value:,.0f} MB"


def _times(ours: float, theirs: float | None) -> str:
    return f"{ours / theirs:.1f}" if theirs else "–"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, columns of equal width, numbers to the right."""
    texts = [list(head), *map(list, rows)]
    widths = [max(3, *map(len, column)) for column in zip(*texts, strict=True)]
    lines = [
        _line(
            [cell.ljust(w) if at == 0 else cell.rjust(w) for at, (cell, w) in enumerate(zip(row, widths, strict=True))]
        )
        for row in texts
    ]
    rule = _line(["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    return "\n".join([lines[0], rule, *lines[1:]])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
