"""The findings of the rules about statements of inline assembly, which are asked about few of those that are alike."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache

from ptx_lsp import codes
from ptx_lsp.checks import LISTS, RULES, fragment_checks, rules
from ptx_lsp.checks.embedded.quiet_statements import QuietStatements
from ptx_lsp.checks.embedded.wanted import ALL, Wanted
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.fragment_finding import FragmentFinding
from ptx_lsp.diagnostic import Severity
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.site import Certainty, Site
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
        self._checks: dict[tuple[int, bool, bool], tuple[Check, ...]] = {}
        self._quiet = QuietStatements()

    def is_correct(self, fragment: AsmFragment, wanted: Wanted) -> bool:
        """Whether nothing ``wanted`` is in a fragment, nor against PTX, since one that is alike has nothing."""
        return self._quiet.find(fragment, wanted.least) is True

    def is_silent(self, site: Site, wanted: Wanted) -> bool:
        """:meth:`is_correct` of a statement that needs not be read for that, since it differs only in digits."""
        return self._quiet.is_silent(site, wanted.least)

    def finding(
        self, fragment: AsmFragment, wanted: Wanted, *, is_long: bool, is_correct: bool
    ) -> Generator[None, None, list[FragmentFinding]]:
        """The ``wanted`` findings in a fragment; in steps if it is long.

        Args:
            fragment: the fragment.
            wanted: what is wanted.
            is_long: whether it is long.
            is_correct: whether the rules about PTX found nothing.

        """
        if not is_long and self._quiet.find(fragment, wanted.least) is not None:
            return []
        checks = self._asked(wanted.least, fragment)
        kept = fragment.derived(_Kept) if wanted == ALL else None
        if kept is not None and kept.checks is checks:
            return kept.found
        found: list[FragmentFinding] = []
        for check in checks:
            assert check.check_fragment is not None
            try:
                made = check.check_fragment(fragment)
                found += (yield from collected(made, wanted.most)) if is_long else [*filter(None, made)]
            except Exception:
                log.exception("check %s failed", check.name)
            if is_long:
                yield
        if not (is_long or found):
            self._quiet.add(fragment, wanted.least, is_correct=is_correct)
        if kept is not None:
            kept.checks, kept.found = checks, found
        return found

    def _asked(self, least: int, fragment: AsmFragment) -> tuple[Check, ...]:
        """The rules down to the ``least`` severe ones; their errors may replace others."""
        is_device = fragment.site.certainty is Certainty.DEVICE
        has_lists = bool(fragment.operands or fragment.variant.clobbers or fragment.marks)
        found = self._checks.get((least, is_device, has_lists))
        if found is None:
            found = self._checks[least, is_device, has_lists] = tuple(
                check
                for check in fragment_checks()
                if (is_device if check.rule.severity is Severity.ERROR else check.rule.severity <= least)
                and (check.rule.code not in codes.ON_DEMAND or self._settings.shows(check.rule.code))
                and (has_lists or check.name not in _about_lists())
            )
        return found


@cache
def _about_lists() -> frozenset[str]:
    """The rules that find nothing in statements that have no operands or clobbers, and refer to none."""
    return frozenset(f"{rules.__name__}.{rule}" for rule, when in RULES.items() if when is LISTS)
