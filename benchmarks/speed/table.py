"""The one table that all measurements end in."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_FACTORS = {"s": 1.0, "ms": 1e3, "us": 1e6, "MB": 1.0}


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: what it is, all samples (seconds, or MB), and what they are compared with."""

    what: str
    unit: str
    samples: Sequence[float]
    ptxas: float | None = None
    """The same, done by ptxas; in the unit of the samples."""
    lark: float | None = None
    """The same text parsed by plain Lark."""
    budget: str = ""

    def cells(self) -> tuple[str, ...]:
        """Its texts, in the order of the columns."""
        factor = _FACTORS[self.unit]
        median = statistics.median(self.samples)
        tail = f"{percentile(self.samples, 99) * factor:,.3g}" if len(self.samples) >= 100 else ""
        worst = f"{max(self.samples) * factor:,.3g}" if len(self.samples) > 1 else ""
        return (
            self.what,
            str(len(self.samples)),
            f"{median * factor:,.3g} {self.unit}",
            tail,
            worst,
            "" if self.ptxas is None else f"{median / self.ptxas:.2f}",
            "" if self.lark is None else f"{self.lark / median:.1f}",
            self.budget,
        )


COLUMNS = ("what", "n", "median", "p99", "worst", "ours/ptxas", "Lark/ours", "budget")


def percentile(samples: Sequence[float], percent: float) -> float:
    """The smallest sample that is not below ``percent`` of all.

    >>> percentile([3.0, 1.0, 2.0], 50)
    2.0
    """
    ordered = sorted(samples)
    return ordered[max(math.ceil(len(ordered) * percent / 100) - 1, 0)]


def show(rows: Sequence[Row]) -> str:
    """All rows under each other, numbers to the right."""
    texts = [COLUMNS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = []
    for cells in texts:
        padded = [
            cell.ljust(width) if column in ("what", "budget") else cell.rjust(width)
            for column, cell, width in zip(COLUMNS, cells, widths, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)
