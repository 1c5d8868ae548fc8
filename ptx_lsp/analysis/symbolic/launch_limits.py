"""The threads that the head of a kernel says it is launched with.

Source: PTX ISA, "Performance-Tuning Directives: .maxntid, .reqntid".
"""

from __future__ import annotations

from math import prod

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbolic.linear_values import Line
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import FunctionHead

_AXES = "xyz"
_WARP = 32
_OF_LANES = ("%laneid", "%lanemask_eq", "%lanemask_lt", "%lanemask_le")


class LaunchLimits(NamedTuple):
    """The threads of a CTA in each dimension; a dimension that is left out has one."""

    required: tuple[int, ...] = ()
    """The number of threads, if ``.reqntid`` gives it."""
    most: tuple[int, ...] = ()
    """The number of threads at most, if ``.maxntid`` or ``.reqntid`` gives it."""

    def threads(self) -> int | None:
        """All threads of a CTA, if their number is required."""
        if not self.required:
            return None
        x, y, z = self.required
        return x * y * z

    def specials(self, thread: int) -> dict[str | int, int]:
        """The special registers of a thread, by its number in the CTA; in the first row if the rows are not known."""
        x, y = self.required[:2] if self.required else (thread + 1, 1)
        found: dict[str | int, int] = {
            "%tid.x": thread % x,
            "%tid.y": thread // x % y,
            "%tid.z": thread // (x * y),
            "%laneid": thread % 32,
            "%lanemask_eq": 1 << thread % 32,
            "%lanemask_lt": (1 << thread % 32) - 1,
            "%lanemask_le": (2 << thread % 32) - 1,
        }
        for axis, count in zip(_AXES, self.required, strict=False):
            found[f"%ntid.{axis}"] = count
        return found

    def series(self, count: int) -> dict[str | int, Line | list[int]]:
        """The special registers of the first threads; see :meth:`specials`."""
        x, y = self.required[:2] if self.required else (count, 1)
        lanes = [self.specials(lane) for lane in range(_WARP)]
        found: dict[str | int, Line | list[int]] = {key: Line(number, 0) for key, number in lanes[0].items()}
        for key in _OF_LANES:
            found[key] = ([one[key] for one in lanes] * (count // _WARP + 1))[:count]
        found["%tid.x"] = Line(0, 1) if x >= count else [thread % x for thread in range(count)]
        if x < count:
            found["%tid.y"] = [thread // x % y for thread in range(count)]
            found["%tid.z"] = [thread // (x * y) for thread in range(count)]
        return found


def launch_limits(function: Function) -> LaunchLimits:
    """The limits in the head of a function; none if they exceed what a CTA can have: they limit nothing."""
    symbol = function.symbol
    if symbol is None:
        return LaunchLimits()
    statement = symbol.place.chunk.statement(symbol.place.statement)
    tree = statement.shape.tree
    required: tuple[int, ...] = ()
    most: tuple[int, ...] = ()
    for one in tree.tuning if isinstance(tree, FunctionHead) else ():
        word = statement.word(one.word)
        if word in (".reqntid", ".maxntid") and one.values:
            numbers = [declared_number(statement.word(value)) for value in one.values[:3]]
            counts = tuple([*numbers, 1, 1][:3])
            if not 0 < prod(counts) <= catalogue().vocabulary.directives[word].product:
                return LaunchLimits()
            most = counts
            if word == ".reqntid":
                required = counts
    return LaunchLimits(required, required or most)
