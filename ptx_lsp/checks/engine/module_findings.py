"""The findings of checks of the module and of its functions, kept until something changes that they depend on.

A check of the module sees all functions. One that would look at each of them after every keystroke says by
``module_facts(function)`` what it needs of a function; it is asked again when the facts of the functions that an edit
removed and added differ, when the header or the names of the module change, or when a statement that a finding refers
to is no longer where it was. A check without this hook must be quick, and is asked after every edit.

A check gives its findings in the order of their places, so that it need not be asked for more than can be shown.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator
from itertools import islice

from ptx_lsp import codes
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, Update, is_fragment
from ptx_lsp.checks import always_asked
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.chunk_findings import referred_chunks
from ptx_lsp.checks.engine.examination import guarded, of_faults
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.finding import PlacedFinding
from ptx_lsp.diagnostic import Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import collected, run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change

_MODULE_CHECKS = tuple(check for check in always_asked() if check.check_module is not None)
_FRAGMENT_CHECKS = tuple(check for check in _MODULE_CHECKS if check.rule.code not in codes.OF_MODULES)

_PAUSES_IN_A_STEP = 16


class _Kept(NamedTuple):
    """The findings of a check, and the chunks that they refer to."""

    found: list[PlacedFinding]
    is_whole: bool
    """Whether these are all."""
    chunks: frozenset[Chunk]

    def has(self, most: int | None) -> bool:
        """Whether the first ``most`` findings, or all, are among these."""
        return self.is_whole or most is not None and most <= len(self.found)


class ModuleFindings:
    """The findings of the checks of a module as a whole, and of functions with faulty heads or braces.

    What settings do not show is not looked for.
    """

    def __init__(self, module: Module, settings: Settings) -> None:
        self._module = module
        self._settings = settings
        asked = _FRAGMENT_CHECKS if is_fragment(module) else _MODULE_CHECKS
        self._checks = [check for check in asked if settings.shows(check.rule.code)]
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
        for check, kept in list(self._kept.items()):
            if (
                check.module_facts is None
                or not removed.isdisjoint(kept.chunks)
                or _facts(check, update.gone) != _facts(check, update.fresh)
            ):
                del self._kept[check]

    def all(self, most: int | None = None) -> Iterator[PlacedFinding | None]:
        """All findings, or the ``most`` first ones of each check of the module, and of all functions together.

        Of the findings of functions, they are the first ones of each severity. None is a pause.
        """
        for check in self._checks:
            kept = self._kept.get(check)
            if kept is None or not kept.has(most):
                yield from self._finding(check, most)
                kept = self._kept[check]
            if kept.found:
                yield from kept.found[:most]
        yield from self.of_functions(self._faulty, most)

    def by_check(self) -> Iterator[tuple[Check, list[PlacedFinding]]]:
        """The findings of each check of the module, in the order in which they are asked."""
        for check in self._checks:
            yield check, run_to_completion(self._finding(check, None))

    def of_functions(self, functions: Iterable[Function], most: int | None = None) -> Iterator[PlacedFinding | None]:
        """The findings in the heads and braces of some functions; of all together the ``most`` first of each severity.

        None is a pause.
        """
        faulty = self._faulty.intersection(functions)
        checks = self._of_faults() if faulty else []
        left = dict.fromkeys(Severity, most)
        for function in self._module.functions.in_order(faulty):
            yield None
            kinds = {fault.fault for fault in function.faults}
            for check, severity in checks:
                assert check.check_function is not None
                if kinds.isdisjoint(check.rule.faults):
                    continue
                wanted = left[severity]
                count = 0
                for one in islice(guarded(check.check_function, function), wanted):
                    yield one
                    count += 1
                if wanted is not None:
                    left[severity] = wanted - count
            if left[Severity.ERROR] == 0:
                return  # less severe ones are not shown either

    def _of_faults(self) -> list[tuple[Check, Severity]]:
        """The checks of faulty functions that settings show, and their severities."""
        shows, severity_of = self._settings.shows, self._settings.severity_of
        rules = ((check, check.rule) for check in of_faults())
        return [(check, severity_of(rule.code, rule.severity)) for check, rule in rules if shows(rule.code)]

    def _finding(self, check: Check, most: int | None) -> Generator[None, None, list[PlacedFinding]]:
        """Find the ``most`` first findings of a check of the module, or all."""
        kept = self._kept.get(check)
        if kept is None or not kept.has(most):
            assert check.check_module is not None
            found = yield from collected(_first(guarded(check.check_module, self._module), most))
            chunks = {one.place.chunk for one in found}
            for one in found:
                chunks.update(referred_chunks(one.finding))
            kept = self._kept[check] = _Kept(found, most is None or len(found) < most, frozenset(chunks))
        return kept.found[:most]


def _first(found: Iterator[PlacedFinding | None], most: int | None) -> Iterator[PlacedFinding | None]:
    """The first findings, with the pauses among them."""
    left = most
    pauses = 0
    for one in found:
        if one is None:  # between two lines or functions: most take some microseconds
            pauses += 1
            if not pauses % _PAUSES_IN_A_STEP:
                yield None
            continue
        yield one
        if left is not None:
            left -= 1
            if not left:
                return


def _facts(check: Check, functions: Iterable[Function]) -> object:
    """The facts that a check needs of some functions; those of a check that raises are never equal to any."""
    assert check.module_facts is not None
    try:
        facts: list[Hashable] = [found for function in functions if (found := check.module_facts(function))]
    except Exception:
        log.exception("module_facts of %s failed", check.name)
        return object()
    return facts
