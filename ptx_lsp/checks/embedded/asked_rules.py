"""The findings of the rules about statements of inline assembly, which are asked about few of those that are alike."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp import codes
from ptx_lsp.checks import fragment_checks
from ptx_lsp.checks.embedded.likeness import looked_at
from ptx_lsp.checks.embedded.wanted import ALL, Wanted
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.fragment_finding import FragmentFinding
from ptx_lsp.diagnostic import Severity
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import collected


class _Kept:
    """All findings in a fragment by some rules, for when only other statements change."""

    def __init__(self, _: AsmFragment) -> None:
        self.checks: tuple[Check, ...] | None = None
        self.found: list[FragmentFinding] = []


class AskedRules:
    """The rules that are asked with some settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._checks: dict[tuple[int, bool], tuple[Check, ...]] = {}
        self._quiet: ProcessCache[object, bool] = ProcessCache(1 << 10)
        """The fragments in which they found nothing."""

    def finding(
        self, fragment: AsmFragment, wanted: Wanted, *, is_device: bool, is_long: bool
    ) -> Generator[None, None, list[FragmentFinding]]:
        """The ``wanted`` findings in a fragment; in steps if it is long."""
        like = None if is_long else looked_at(fragment)
        kind = (wanted.least, is_device, *like) if like is not None else None
        if kind in self._quiet:
            return []
        checks = self._asked(wanted.least, is_device=is_device)
        kept = fragment.derived(_Kept) if wanted == ALL else None
        if kept is not None and kept.checks is checks:
            return kept.found
        found: list[FragmentFinding] = []
        for check in checks:
            assert check.check_fragment is not None
            try:
                made = check.check_fragment(fragment)
                if is_long:
                    found += yield from collected(made, wanted.most)
                else:
                    found += [one for one in made if one is not None]
            except Exception:
                log.exception("check %s failed", check.name)
            if is_long:
                yield
        if kind is not None and not found:
            self._quiet[kind] = True
        if kept is not None:
            kept.checks, kept.found = checks, found
        return found

    def _asked(self, least: int, *, is_device: bool) -> tuple[Check, ...]:
        """The rules down to the ``least`` severe ones; their errors may replace others."""
        found = self._checks.get((least, is_device))
        if found is None:
            found = self._checks[least, is_device] = tuple(
                check
                for check in fragment_checks()
                if (is_device if check.rule.severity is Severity.ERROR else check.rule.severity <= least)
                and (check.rule.code not in codes.ON_DEMAND or self._settings.shows(check.rule.code))
            )
        return found
