"""The barriers and the asynchronous work of a function: who makes, signals and waits for each, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.barrier_text import BarrierWriter
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.synchronization.barrier_objects import BarrierObjects, Member, SyncObject
from ptx_lsp.features.flow_pages.page_links import line_link, shortened
from ptx_lsp.isa.model.ordering import PHASE, THREADS
from ptx_lsp.names.demangle import brief_name

_MOST_ROWS = 400
"""The maximum number of rows of all tables."""
_MOST_OF_ONE = 80
"""The maximum number of rows of one table."""
_MOST_PARTNERS = 6
_MOST_LINES = 24
"""The maximum number of lines that are listed in one row."""


class BarrierPage:
    """The page of a function whose barriers are found."""

    def __init__(self, semantics: Semantics, function: Function, barriers: BarrierObjects, uri: str) -> None:
        self._barriers = barriers
        self._line_of = semantics.module.positions.line_of
        self._writer = BarrierWriter(semantics, function, barriers)
        self._uri = uri
        self._name = brief_name(function.symbol.name) if function.symbol is not None else "function"
        self._left = _MOST_ROWS
        self._counts = False

    def text(self) -> str:
        """The page."""
        objects = self._barriers.all
        parts = [f"# Barriers and asynchronous work of `{self._name}`", _summary(objects)]
        for number, one in enumerate(objects):
            if self._left <= 0:
                parts.append(f"{len(objects) - number} more are not shown.")
                break
            title = self._writer.title(one)
            table = self._table(one)
            self._counts |= "(`i`: loop in" in table
            parts += [f"## {title[0].upper()}{title[1:]}" if one.kind.is_work else f"## {title}", table]
        if self._counts:
            parts.insert(2, "`i`, `j` … count the iterations of a loop, from 0.")
        return "\n\n".join(parts) + "\n"

    def _table(self, found: SyncObject) -> str:
        last = {PHASE: "mbarrier"}.get(found.kind.name, "with")
        runs = list(self._runs(found))
        shown = runs[: min(_MOST_OF_ONE, max(self._left, 1))]
        cells: dict[tuple[str, ...], list[list[Member]]] = {}
        for run in shown:
            row = self._cells(found, run)
            # Waits of all threads at one barrier do the same: one row lists their lines.
            cells.setdefault(row if found.kind.name == THREADS else (*row, str(len(cells))), []).append(run)
        self._left -= len(cells)
        abouts = {row[1] for row in cells}
        # Where all rows are about the object of the title, the column would say nothing else.
        has_partners = any(abouts) and not (found.kind.name == PHASE and len(abouts) == 1)
        heads = ["line", "does", *[last] * has_partners, "instruction"]
        rows = [f"| {' | '.join(heads)} |", f"|{':---|' * len(heads)}"]
        for (does, about, text, *_), alike in cells.items():
            row = (self._lines(alike), does, *[about] * has_partners, text)
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        table = "\n".join(rows)
        return table if len(shown) == len(runs) else f"{table}\n\n{len(runs) - len(shown)} more rows"

    def _lines(self, runs: list[list[Member]]) -> str:
        """The lines of some runs, as links."""
        if len(runs) == 1:
            return line_link(self._uri, *(self._line_of(one.step.place) for one in (runs[0][0], runs[0][-1])))
        lines = [self._line_of(run[0].step.place) for run in runs]
        links = [line_link(self._uri, line).replace("[line ", "[", 1) for line in lines[:_MOST_LINES]]
        more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
        return f"lines {', '.join(links)}{more}"

    def _cells(self, found: SyncObject, run: list[Member]) -> tuple[str, ...]:
        """The effect of the instructions of a run, their partners or addresses, and their text."""
        if found.kind.name == PHASE:
            about = self._writer.address(run[0], lambda line: line_link(self._uri, line))
        elif found.kind.name == THREADS and all(one.participant.is_wait for one in found.members):
            about = ""
        else:
            lines = dict.fromkeys(self._line_of(one.step.place) for one in self._barriers.partners(found, run[0]))
            shown = [line_link(self._uri, line) for line in list(lines)[:_MOST_PARTNERS]]
            more = len(lines) - len(shown)
            about = ", ".join(shown) + (f" and {more} more" if more else "")
        text = f"`{shortened(self._writer.context(run[0]))}`" if len(run) == 1 else f"{len(run)} × `{_opcode(run[0])}`"
        return self._writer.does(run[0]), about, text

    def _runs(self, found: SyncObject) -> Iterator[list[Member]]:
        """The members in the order of the text; those of work that do the same one after the other as one run."""
        run: list[Member] = []
        for one in found.members:
            if run and not (found.kind.is_work and _is_alike(run[-1], one)):
                yield run
                run = []
            run.append(one)
        if run:
            yield run


def _is_alike(one: Member, other: Member) -> bool:
    return one.step.opcode == other.step.opcode and one.participant.facts == other.participant.facts


def _opcode(member: Member) -> str:
    return "".join(member.step.opcode)


def _summary(objects: tuple[SyncObject, ...]) -> str:
    names = [one.kind.name for one in objects]
    arrays = sum(bool(one.stride) for one in objects)
    counts = (
        (names.count(PHASE) - arrays, "mbarrier"),
        (arrays, "array"),
        (names.count(THREADS), "barrier of threads"),
        (sum(one.kind.is_work for one in objects), "kind of asynchronous work"),
    )
    plural = {"array": "arrays of mbarriers", "barrier of threads": "barriers of threads"}
    plural["kind of asynchronous work"] = "kinds of asynchronous work"
    singular = {"array": "array of mbarriers"}
    shown = [
        f"{count} {singular.get(noun, noun) if count == 1 else plural.get(noun, noun + 's')}"
        for count, noun in counts
        if count
    ]
    return ", ".join(shown) if shown else "There is no synchronization in this function."
