"""A completion request for one operand, with the data that all operand providers share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ptx_lsp.analysis.cursor.completed_statement import CompletedStatement
from ptx_lsp.analysis.cursor.expected_operands import ExpectedOperand, expected_operands
from ptx_lsp.analysis.cursor.expressions import ExpressionReader, KnownExpression
from ptx_lsp.analysis.cursor.nearby_registers import NearbyRegisters
from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Symbol
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.named_tuples import NamedTuple

LONGEST_LABEL = 30
LONGEST_DETAIL = 20
"""Columns of a detail after the label."""

FIRST, LIKELY, POSSIBLE, NAMES, SPECIAL, CONSTANT, LOOSE, LAST = range(8)
"""Ranks: exact type and recently used; exact type; same size; names of variables and functions; special registers;
constants; merely legal; a discarded result."""


class RegisterCandidate(NamedTuple):
    """A register that may be legal at the cursor."""

    name: str
    symbol: Symbol
    rank: int
    is_new: bool = False
    """Whether no instruction uses it yet."""

    @property
    def written(self) -> ActualOperand:
        """The register as an operand for the matcher."""
        return OPERANDS[self.symbol.code]


@dataclass(eq=False)
class OperandRequest:
    """A request for the operand at the cursor."""

    semantics: Semantics
    draft: CompletedStatement
    nearby: NearbyRegisters
    registers: tuple[RegisterCandidate, ...] = ()
    """The candidate registers, computed on first use."""
    _taken: dict[ActualOperand, bool] = field(default_factory=dict)

    @property
    def place(self) -> UnfinishedStatement:
        """The unfinished statement up to the cursor."""
        return self.draft.place

    @cached_property
    def wanted(self) -> tuple[ExpectedOperand, ...]:
        """The operands that the possible forms expect here."""
        return tuple(expected_operands(self.draft))

    @cached_property
    def is_written(self) -> bool:
        """Whether the instruction writes this operand."""
        return any(one.is_written for one in self.wanted)

    def expression(self, name: str) -> KnownExpression | None:
        """The value of a register before the statement, as far as it is known."""
        context = self.place.context
        return self._reader.register(context, name) if context.is_inside else None

    @cached_property
    def _reader(self) -> ExpressionReader:
        return ExpressionReader(self.semantics, self.place.context.function)

    def takes(self, candidate: ActualOperand) -> bool:
        """Whether the matcher accepts ``candidate`` at the cursor; cached per operand."""
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
        label: str = "",
    ) -> Item:
        """Return an item that replaces the word at the cursor by ``text``."""
        shown = shortened(label or text)
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
    """Shorten a label to :data:`LONGEST_LABEL` columns by omitting its middle."""
    if len(text) <= LONGEST_LABEL:
        return text
    half = (LONGEST_LABEL - 1) // 2
    return f"{text[: LONGEST_LABEL - 1 - half]}…{text[-half:]}"
