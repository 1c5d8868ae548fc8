"""One question for operands: the unfinished statement with all that the answers share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ptx_lsp.analysis.cursor.completed_statement import CompletedStatement
from ptx_lsp.analysis.cursor.expected_operands import ExpectedOperand, expected_operands
from ptx_lsp.analysis.cursor.nearby_registers import Nearby
from ptx_lsp.analysis.cursor.unfinished import Unfinished
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Symbol
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.isa.model.actual_operand import ActualOperand

LONGEST_LABEL = 30

FIRST, LIKELY, POSSIBLE, NAMES, SPECIAL, CONSTANT, LOOSE, LAST = range(8)
"""Ranks of operands: what fits exactly and was used nearby; what fits exactly; the same size; names of variables and
functions; special registers; constants; what merely passes; what throws a result away."""


class RegisterCandidate(NamedTuple):
    """A register that may stand at the cursor."""

    name: str
    symbol: Symbol
    rank: int
    is_new: bool = False
    """Whether nothing uses it yet."""

    @property
    def written(self) -> ActualOperand:
        """What it is to the matcher."""
        return OPERANDS[self.symbol.code]


@dataclass(eq=False)
class Request:
    """The operand at the cursor."""

    draft: CompletedStatement
    nearby: Nearby
    registers: tuple[RegisterCandidate, ...] = ()
    """Those that someone could mean here, once they are asked for."""
    _taken: dict[ActualOperand, bool] = field(default_factory=dict)

    @property
    def place(self) -> Unfinished:
        """What is written up to the cursor."""
        return self.draft.place

    @cached_property
    def wanted(self) -> tuple[ExpectedOperand, ...]:
        """What the forms want here."""
        return tuple(expected_operands(self.draft))

    @cached_property
    def is_written(self) -> bool:
        """Whether the instruction writes what stands here."""
        return any(one.is_written for one in self.wanted)

    def takes(self, candidate: ActualOperand) -> bool:
        """Whether the matcher lets this stand at the cursor; asked once for each meaning."""
        known = self._taken.get(candidate)
        if known is None:
            known = self._taken[candidate] = self.draft.takes(candidate)
        return known

    def item(
        self,
        text: str,
        kind: ItemKind,
        rank: int,
        detail: str = "",
        *,
        needs: str = "",
        key: tuple[str, ...] = (),
    ) -> Item:
        """An item that replaces the word at the cursor by ``text``."""
        shown = shortened(text)
        return Item(
            shown,
            kind,
            self.place.typed,
            insert=text if shown != text else "",
            rank=rank,
            detail=detail,
            needs=needs,
            key=key,
        )


def shortened(text: str) -> str:
    """A label of at most :data:`LONGEST_LABEL` columns: the beginning and the end of a longer one."""
    if len(text) <= LONGEST_LABEL:
        return text
    half = (LONGEST_LABEL - 1) // 2
    return f"{text[: LONGEST_LABEL - 1 - half]}…{text[-half:]}"
