"""Templates of statements that differ only in digits: what is read of one of them holds for the others.

Provided that they name the same operands; the digits of other words and numbers are only text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ptx_lsp.embedded.fragment_operand import FragmentOperand, SignedNames
from ptx_lsp.embedded.holes import HoleText, JoinedTemplate
from ptx_lsp.embedded.position_map import PositionMap
from ptx_lsp.embedded.replaced_marks import ReplacedMarks
from ptx_lsp.embedded.text_runs import RunKind
from ptx_lsp.embedded.unknown_parts import UnknownParts
from ptx_lsp.hosts.site import AsmOperand
from ptx_lsp.named_tuples import NamedTuple

_HAS_DIGIT = re.compile(r"[0-9]").search


class AlikeTemplate(NamedTuple):
    """A fragment without its statement: nothing of a document."""

    host: str
    """The text of the statement."""
    written: tuple[AsmOperand, ...]
    template: JoinedTemplate
    replaced: ReplacedMarks
    """The PTX, and its sigils."""
    map: PositionMap
    operands: tuple[FragmentOperand, ...]
    unknown: UnknownParts
    newer: SignedNames
    older: SignedNames


class AlikeTemplates:
    """The templates of statements that differ only in digits; derived from what they share."""

    def __init__(self, _: object) -> None:
        self._first: AlikeTemplate | None = None
        self._is_unusual = False
        self._numbered: list[tuple[int, int, int]] = []
        """The places with digits in the PTX, and where the host has their text."""
        self._marks: list[slice] = []
        """The sigils with digits."""
        self._operands: list[slice] = []
        """The places in the host of operands that it writes otherwise, or that are unknown text."""
        self._holes: list[slice] = []
        """The places in the host of unknown text."""
        self._order: list[int] = []

    @property
    def is_asked_for(self) -> bool:
        """Whether :meth:`keep` may be of use."""
        return self._first is None and not self._is_unusual

    def is_of(self, one: PositionMap) -> bool:
        """Whether a map is that of the templates."""
        return self._first is not None and self._first.map is one

    @property
    def text(self) -> str | None:
        """The PTX of one of them, from which others differ only in digits; None if none is known."""
        return self._first.replaced.text if self._first is not None else None

    def keep(self, first: AlikeTemplate) -> None:
        """Take the template of the first of the statements, unless it cannot be that of others."""
        runs, text, marks = first.map.runs, first.replaced.text, first.replaced.marks
        holes = [run for run in runs if run.kind is RunKind.HOLE]
        if text.count(HoleText.BEGIN) != len(holes):
            self._is_unusual = True
            return
        self._first = first
        for host, _, start, end, kind in runs:
            if kind is RunKind.VERBATIM and _HAS_DIGIT(text, start, end) is not None:
                self._numbered.append((start, end, host))
        self._marks = [slice(*mark.span) for mark in marks if _HAS_DIGIT(text, *mark.span) is not None]
        sigils = {mark.span.start for mark in marks}
        written = [run for run in runs if run.kind is RunKind.OPERAND or run.kind is RunKind.HOLE and run.ptx in sigils]
        self._operands = [slice(run.host, run.host_end) for run in written]
        self._holes = [slice(run.host, run.host_end) for run in holes if run.ptx not in sigils]
        self._order = _order(first.host, self._holes)

    def of(self, host: str, written: Sequence[AsmOperand]) -> AlikeTemplate | None:
        """The template of another one of the statements; None if it has to be read."""
        first = self._first
        if first is None:
            return None
        operands = first.operands
        if written is not first.written:
            if any(one.constraint != other.written.constraint for one, other in zip(written, operands, strict=True)):
                return None
            operands = tuple([old._replace(written=one) for one, old in zip(written, operands, strict=True)])
        if any(host[place] != first.host[place] for place in self._operands):
            return None
        if len(self._holes) > 1 and _order(host, self._holes) != self._order:
            return None
        text = first.replaced.text
        if self._numbered:
            parts, last = [], 0
            for start, end, at in self._numbered:
                parts += [text[last:start], host[at : at + end - start]]
                last = end
            text = "".join([*parts, text[last:]])
            if any(text[place] != first.replaced.text[place] for place in self._marks):
                return None
        return first._replace(host=host, replaced=first.replaced._replace(text=text), operands=operands)


def _order(host: str, holes: Iterable[slice]) -> list[int]:
    """For each piece of unknown text the number of the first one that is equal: equal ones have one name."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(host[place], len(numbers)) for place in holes]
