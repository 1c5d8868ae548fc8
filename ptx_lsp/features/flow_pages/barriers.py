"""The barriers and the asynchronous work of a function: who makes, signals and waits for each, as tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterator
from functools import cache

from ptx_lsp.analysis.cursor.barrier_text import BarrierWriter
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbolic.value_text import without_parentheses
from ptx_lsp.analysis.synchronization.barrier_objects import BarrierObjects, Member, SyncObject
from ptx_lsp.features.flow_pages.page_links import WIDTH, columns, cut, line_link, number_link, shortened
from ptx_lsp.isa.model.ordering import PHASE, THREADS, Verb
from ptx_lsp.names.demangle import brief_name

_MOST_ROWS = 400
"""The maximum number of rows of all tables."""
_MOST_OF_ONE = 80
"""The maximum number of rows of one table."""
_LONGEST_ADDRESS = 44
"""Number of characters of an address that are shown in a row."""
_CODE = re.compile(r"`([^`]*)`")
_LEAST = 24
"""Instructions of which fewer characters would be shown are left out: the line and what they do are there."""
_MOST_PARTNERS = 6
_MANY = 24
"""In the table of an mbarrier with more participants those that do the same are one row."""
_MOST_JOINED = 400
"""So many participants of an mbarrier are joined to rows."""
_MOST_LINES = 10
"""The maximum number of lines that are listed in one row."""


class BarrierPage:
    """The page of a function whose barriers are found."""

    def __init__(self, semantics: Semantics, function: Function, barriers: BarrierObjects, uri: str) -> None:
        self._barriers = barriers
        self._line_of = cache(semantics.module.positions.line_of)
        self._writer = BarrierWriter(semantics, function, barriers)
        self._uri = uri
        self._name = brief_name(function.symbol.name) if function.symbol is not None else "function"
        self._left = _MOST_ROWS
        self._counts = False

    def making(self) -> Generator[None, None, str]:
        """Make the page, a row in a step."""
        objects = self._barriers.all
        parts = [f"# Barriers and asynchronous work of `{self._name}`", _summary(objects)]
        for number, one in enumerate(objects):
            if self._left <= 0:
                parts.append(f"{len(objects) - number} more are not shown.")
                break
            title = self._writer.title(one)
            table = yield from self._table(one)
            self._counts |= "(`i`: loop in" in table
            parts += [f"## {title[0].upper()}{title[1:]}" if one.kind.is_work else f"## {title}", table]
        if self._counts:
            parts.insert(2, "`i`, `j` … count the iterations of a loop, from 0.")
        return "\n\n".join(parts) + "\n"

    def _table(self, found: SyncObject) -> Generator[None, None, str]:
        last = {PHASE: "mbarrier"}.get(found.kind.name, "with")
        runs = list(self._runs(found))
        most = _MOST_JOINED if found.kind.name == PHASE else _MOST_OF_ONE
        shown = runs[: min(most, max(self._left, 1))]
        cells: dict[tuple[str, ...], list[list[Member]]] = {}
        texts: dict[tuple[str, ...], dict[str, None]] = {}
        for run in shown:
            does, about, text = self._cells(found, run)
            yield
            # Waits of all threads at one barrier do the same: one row lists their lines. So does one in unrolled code.
            is_joined = found.kind.name == THREADS or (found.kind.name == PHASE and len(shown) > _MANY)
            row = (does, about) if is_joined else (does, about, str(len(cells)))
            cells.setdefault(row, []).append(run)
            texts.setdefault(row, {})[text] = None
        self._left -= len(cells)
        abouts = {row[1] for row in cells}
        # Where all rows are about the object of the title, the column would say nothing else.
        has_partners = any(abouts) and not (found.kind.name == PHASE and len(abouts) == 1)
        stages = _stages(self._writer.title(found), found.stride, abouts) if has_partners and found.stride else {}
        if stages:
            last = "stage" if abouts <= stages.keys() else "stage or address"
        heads = ["line", "does", *[last] * has_partners, "instruction"]
        table = [
            ((self._lines(alike), row[0], *[_short(stages.get(row[1], row[1]))] * has_partners), _together(texts[row]))
            for row, alike in cells.items()
        ]
        others = sum(max(map(columns, column)) for column in zip(*(row for row, _ in table), strict=True))
        left = WIDTH - others - len("|  ") * len(heads) - 1
        rows = [(*row, _code(text, left)) if left >= _LEAST else row for row, text in table]
        heads = heads if left >= _LEAST else heads[:-1]
        lines = [f"| {' | '.join(heads)} |", f"|{':---|' * len(heads)}"]
        lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
        text = "\n".join([*lines, *self._counters(found, [run for alike in cells.values() for run in alike])])
        return text if len(shown) == len(runs) else f"{text}\n\n{len(runs) - len(shown)} more rows"

    def _lines(self, runs: list[list[Member]]) -> str:
        """The lines of some runs, as links; of what starts together the first and the last."""
        if len(runs) == 1 and len(runs[0]) > 1 and not runs[0][0].participant.does(Verb.STARTS):
            runs = [[one] for one in runs[0]]
        if len(runs) == 1:
            return line_link(self._uri, *(self._line_of(one.step.place) for one in (runs[0][0], runs[0][-1])))
        return self._listed([self._line_of(run[0].step.place) for run in runs], _MOST_LINES)

    def _listed(self, lines: list[int], most: int) -> str:
        """Some lines, as links; the first ones if there are too many."""
        if len(lines) < 2:
            return "".join(line_link(self._uri, line) for line in lines)
        links = [number_link(self._uri, line) for line in lines[:most]]
        more = f" and {len(lines) - most} more" if len(lines) > most else ""
        return f"lines {', '.join(links)}{more}"

    def _counters(self, found: SyncObject, runs: list[list[Member]]) -> Iterator[str]:
        """Yield the loops that the letters in addresses count, in lines below the table."""
        if found.kind.name != PHASE:
            return
        lines: dict[str, list[int]] = {}
        for run in runs:
            counters = self._writer.address(run[0], lambda line: line_link(self._uri, line))[1]
            if counters:
                lines.setdefault(counters, []).append(self._line_of(run[0].step.place))
        for counters, rows in lines.items():
            shown = ", ".join(map(str, rows[:_MOST_LINES]))
            yield f"\n{counters}" + (f" (line{'s' * (len(rows) > 1)} {shown})" if len(lines) > 1 else "")

    def _cells(self, found: SyncObject, run: list[Member]) -> tuple[str, ...]:
        """The effect of the instructions of a run, their partners or addresses, and their text."""
        if found.kind.name == PHASE:
            about, _ = self._writer.address(run[0], str)
        elif found.kind.name == THREADS and all(one.participant.is_wait for one in found.members):
            about = ""
        else:
            lines = dict.fromkeys(self._line_of(one.step.place) for one in self._barriers.partners(found, run[0]))
            about = self._listed(list(lines), _MOST_PARTNERS)
        text = shortened(self._writer.context(run[0])) if len(run) == 1 else f"{len(run)} × {_opcode(run[0])}"
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


def _short(about: str) -> str:
    """An address or a stage, as much of it as a row has room for; the links of other cells have no such code."""
    return _CODE.sub(lambda found: f"`{cut(found[1], _LONGEST_ADDRESS)}`", about)


def _is_alike(one: Member, other: Member) -> bool:
    return one.step.opcode == other.step.opcode and one.participant.facts == other.participant.facts


def _stages(title: str, stride: int, addresses: set[str]) -> dict[str, str]:
    """The stages of an array by their addresses; without addresses of which the stage is not known.

    >>> _stages("array of 2 mbarriers at `s + 64`", 8, {"`s + 64`", "`s + 72`", "`s + 8 * (i % 2) + 64`"})
    {'`s + 64`': '0', '`s + 72`': '1', '`s + 8 * (i % 2) + 64`': '`i % 2`'}
    """
    base = _ADDRESS(title.rpartition(" at ")[2].partition(",")[0])
    found: dict[str, str] = {}
    for whole in sorted(addresses):
        parts = _PLACES.fullmatch(whole)
        places, where = parts.groups("") if parts is not None else ("", "")
        stages = [_stage(base, one, stride) for one in places.split(" or ")]
        if all(stages):
            found[whole] = " or ".join(stages) + where
    return found


def _stage(base: re.Match[str] | None, address: str, stride: int) -> str:
    """The stage that an address is, in an array that begins at another one; empty if it is none."""
    own = _ADDRESS(address)
    if base is None or own is None or own["name"] != base["name"]:
        return ""
    number, rest = divmod(int(own["number"] or 0) - int(base["number"] or 0), stride)
    if rest or number < 0 or (own["index"] and (number or int(own["stride"]) != stride)):
        return ""
    return f"`{without_parentheses(own['index'])}`" if own["index"] else str(number)


_PLACES = re.compile(r"(`[^`]*`(?: or `[^`]*`)*)((?: of |, ).*)?")
"""One or several addresses, and in which CTA they are."""
_ADDRESS = re.compile(
    r"`(?P<name>[\w.$%:<>,() ]+?)(?: \+ (?P<stride>\d+) \* (?P<index>%?[\w.]+(?: of line \d+)?|\(.+\)))?"
    r"(?: \+ (?P<number>\d+))?`"
).fullmatch


def _code(text: str, most: int) -> str:
    """An instruction, or the number of several and their opcode, in so many characters."""
    number, times, opcode = text.partition(" × ")
    if times and number.isdigit():
        return f"{number}{times}`{cut(opcode, most - len(number + times))}`"
    return f"`{cut(text, most)}`"


def _together(texts: Collection[str]) -> str:
    """The text of an instruction, or of several that differ what they have in common: their opcodes."""
    return next(iter(texts)) if len(texts) == 1 else ", ".join(dict.fromkeys(one.split()[0] for one in texts))


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
