"""The findings of checks of the module and of its functions, kept until something changes that they depend on.

A check of the module sees all functions. One that would look at each of them after every keystroke says by
``module_facts(function)`` what it needs of a function; it is asked again when the facts of the functions that an edit
removed and added differ, when the header or the names of the module change, or when a statement that a finding refers
to is no longer where it was. A check without this hook must be quick, and is asked after every edit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice

from ptx_lsp import codes
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, Update, is_fragment
from ptx_lsp.checks import always_asked
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.chunk_findings import referred_chunks
from ptx_lsp.checks.engine.examination import guarded, of_function
from ptx_lsp.checks.engine.finding_limit import first_of_each
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.finding import PlacedFinding
from ptx_lsp.diagnostic import Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change

_MODULE_CHECKS = tuple(check for check in always_asked() if check.check_module is not None)
_KEPT_CHECKS = tuple(check for check in _MODULE_CHECKS if check.module_facts is not None)


class _Kept(NamedTuple):
    """The findings of a check, and the chunks that they refer to."""

    found: list[PlacedFinding]
    chunks: frozenset[Chunk]


class ModuleFindings:
    """The findings of the checks of a module as a whole, and of functions with faulty heads or braces."""

    def __init__(self, module: Module, settings: Settings) -> None:
        self._module = module
        self._settings = settings
        self._checks = tuple(
            check
            for check in _MODULE_CHECKS
            if (check.rule.code not in codes.ON_DEMAND or settings.shows(check.rule.code))
            and not (is_fragment(module) and check.rule.code in codes.OF_MODULES)
        )
        self._kept: dict[Check, _Kept] = {}
        self._faulty = {function for function in module.functions if function.faults}

    def update(self, change: Change, update: Update) -> None:
        """Take over an edit."""
        self._faulty.difference_update(update.gone)
        self._faulty.update(function for function in update.fresh if function.faults)
        if update.is_global:
            self._kept.clear()
            return
        removed = frozenset(change.removed)
        for check in _KEPT_CHECKS:
            kept = self._kept.get(check)
            if kept is not None and (
                not removed.isdisjoint(kept.chunks) or _facts(check, update.gone) != _facts(check, update.fresh)
            ):
                del self._kept[check]

    def all(self, most: int | None = None) -> Iterator[PlacedFinding]:
        """All findings, or of each severity the ``most`` first ones of each check, and of all functions together."""
        for _, found in self.by_check(most):
            yield from found if most is None or len(found) <= most else _first(sorted(found, key=self._place), most)
        in_functions = self.of_functions(self._faulty, most)
        yield from in_functions if most is None else _first(self._until(in_functions, most), most)

    def _until(self, found: Iterable[PlacedFinding], most: int) -> Iterator[PlacedFinding]:
        """The findings in functions up to that with the last of ``most`` errors; nothing after it is shown."""
        left = most
        function: Function | None = None
        for one in found:
            of = self._module.function_of(one.place.chunk)
            if left <= 0 and of is not function:
                return
            function = of
            diagnostic = one.finding.diagnostic
            left -= self._severity_of(diagnostic.code, diagnostic.severity) is Severity.ERROR
            yield one

    def _severity_of(self, code: str, default: Severity) -> Severity | None:
        """The severity with which a finding is shown; None if it is not."""
        return self._settings.severity_of(code, default) if self._settings.shows(code) else None

    def _place(self, placed: PlacedFinding) -> tuple[int, int]:
        return self._module.positions.chunk_number(placed.place.chunk), placed.place.statement

    def by_check(self, most: int | None = None) -> Iterator[tuple[Check, list[PlacedFinding]]]:
        """The findings of each check of the module in the order of the checks; at least the ``most`` first."""
        for check in self._checks:
            assert check.check_module is not None
            if check.module_facts is None:
                found = guarded(check.check_module, self._module)
                yield check, list(islice(found, most) if check.rule.is_in_order else found)
            else:
                yield check, self._of(check).found

    def of_functions(self, functions: Iterable[Function], most: int | None = None) -> Iterator[PlacedFinding]:
        """The findings in the heads and braces of some functions, of each check at most ``most`` in a function."""
        for function in self._module.functions.in_order(self._faulty.intersection(functions)):
            yield from of_function(function, most)

    def _of(self, check: Check) -> _Kept:
        kept = self._kept.get(check)
        if kept is None:
            assert check.check_module is not None
            found = list(guarded(check.check_module, self._module))
            chunks = {one.place.chunk for one in found}.union(*(referred_chunks(one.finding) for one in found))
            kept = self._kept[check] = _Kept(found, frozenset(chunks))
        return kept


def _first(found: Iterable[PlacedFinding], most: int) -> Iterator[PlacedFinding]:
    """The ``most`` first findings of each severity."""
    wanted = Counter(dict.fromkeys(Severity, most))
    return first_of_each(found, lambda one: one.finding.diagnostic.severity, wanted)


def _facts(check: Check, functions: Iterable[Function]) -> object:
    """The facts that a check needs of some functions; those of a check that raises are never equal to any."""
    assert check.module_facts is not None
    try:
        facts: list[Hashable] = [found for function in functions if (found := check.module_facts(function))]
    except Exception:
        log.exception("module_facts of %s failed", check.name)
        return object()
    return facts
