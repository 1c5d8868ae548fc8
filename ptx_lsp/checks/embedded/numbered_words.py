"""The words with digits in statements that differ only in digits: they tell which are like each other, before reading.

The parts of such statements have the same places, so that a few words with digits in the text of the host decide what
:func:`~ptx_lsp.checks.embedded.likeness.likeness` finds in the text of the fragment.
"""

from __future__ import annotations

import re

from ptx_lsp.checks.embedded.likeness import COMMENTED_NUMBER, NAME, PARTS, WORD, is_unusual, mnemonics
from ptx_lsp.embedded.alike_templates import AlikeTemplates
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.text_runs import RunKind
from ptx_lsp.hosts.host_tables import have_other_processor
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache

_MOST = 64
_HAS_DIGIT = re.compile(r"[0-9]").search
_DIGITS = re.compile(r"[0-9]++").fullmatch


class NumberedForm(NamedTuple):
    """The properties that statements with the same words but for digits have in common if they are alike."""

    literals: tuple[str, ...]
    """The words whose digits count."""
    names: tuple[int, ...]
    """For each name that ends in a number, the number of the first one that is equal."""
    zeros: tuple[str, ...]
    """For each number its text if it begins with zero, else nothing."""
    numbers: tuple[str, ...]

    @property
    def without_numbers(self) -> NumberedForm:
        """The form of those, too, that have other numbers."""
        return self._replace(numbers=())


class NumberedWords:
    """The places of the words with digits in statements that differ only in digits; derived from what they share."""

    def __init__(self, _: object) -> None:
        self._is_known = False
        self._is_unusual = False
        self._literals: list[slice] = []
        self._names: list[slice] = []
        self._numbers: list[slice] = []
        self._parts: ProcessCache[tuple[str, ...], frozenset[str]] = ProcessCache(_MOST)
        """The words, by those whose digits count, that no name may be equal to."""

    def keep(self, fragment: AsmFragment) -> None:
        """Take the words of the fragment of one of the statements."""
        site = fragment.site
        if site.alike is None or not site.alike.derived(AlikeTemplates).is_of(fragment.map):
            return
        if not self._is_known:
            self._is_known = True
            self._is_unusual = not self._find(fragment)
        if not self._is_unusual:
            words = [match[0] for match in WORD.finditer(fragment.text)]
            parts = frozenset(part for word in words if NAME(word) is None for part in PARTS(word))
            self._parts[self._literals_of(site.text)] = parts

    def _find(self, fragment: AsmFragment) -> bool:
        """Find the places in the host; false if digits may tell something else."""
        text, runs = fragment.text, fragment.map.runs
        if "<" in text or runs.kinds.count(RunKind.HOLE) > 1:
            return False
        are_literal = is_unusual(text)
        marks = [mark.span for mark in fragment.marks]
        for match in WORD.finditer(text):
            start, end = match.span()
            word = match[0] if match[0][0] != "/" or are_literal else COMMENTED_NUMBER.sub("", match[0])
            if _HAS_DIGIT(word) is None:
                continue
            number = runs.index_of(start)
            run = runs[number] if number is not None else None
            if run is None or end > run.ptx_end:
                return False
            is_mark = any(mark.start < end and start < mark.end for mark in marks)
            if run.kind is not RunKind.VERBATIM:
                if is_mark or run.kind is not RunKind.HOLE:
                    self._literals.append(slice(run.host, run.host_end))
                continue
            place = slice(start - run.ptx + run.host, end - run.ptx + run.host)
            is_number = _DIGITS(word) is not None
            if is_number and not fragment.checked.startswith(word, start):
                return False
            is_free = not is_mark and not are_literal and (is_number or NAME(word) is not None)
            (self._literals if not is_free else self._numbers if is_number else self._names).append(place)
        for operand in fragment.operands:
            self._literals.append(slice(*operand.written.constraint_span))
        return True

    def _literals_of(self, host: str) -> tuple[str, ...]:
        return tuple([host[place] for place in self._literals])

    def form_of(self, host: str) -> NumberedForm | None:
        """The form of one of the statements, by its text in the host; None if that does not tell it."""
        if not self._parts:
            return None
        literals = self._literals_of(host)
        parts = self._parts.get(literals)
        if parts is None:
            return None
        order: dict[str, int] = {}
        if self._names:
            names = [host[place] for place in self._names]
            order_of = tuple([order.setdefault(name, len(order)) for name in names])
            if not (parts.isdisjoint(names) and mnemonics().isdisjoint(names)) or have_other_processor(names):
                return None
        else:
            order_of = ()
        numbers = tuple([host[place] for place in self._numbers])
        return NumberedForm(literals, order_of, tuple([one if one[0] == "0" else "" for one in numbers]), numbers)
