"""The contribution of the other statements of a file to a fragment: names, braces, and symbols of the module."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence

from ptx_lsp.checks.embedded.deciding import OF_BRACES, OF_NAMES
from ptx_lsp.checks.embedded.known_findings import KnownFindings
from ptx_lsp.checks.embedded.structure import structuring
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.host_tables import provided_names
from ptx_lsp.hosts.site import Site
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import Stepwise

_FAR = 1000
"""Characters before a name that are looked at."""
_USES_OF_MODULE = re.compile(r"(?:^|[;{}\s])(?:mov|cvta|call|st|ld)\b")
_SITES_IN_A_STEP = 16
_WORDS_IN_A_STEP = 4096


class _Braces(NamedTuple):
    """The blocks that the statements of a file open and close for each other."""

    opening: set[Site]
    closing: set[Site]
    bounds: tuple[float, float]
    """The start of the first statement that opens a brace, and of the last one that closes one."""


class Neighbours:
    """The statements of a file, asked only where something is wrong in one of them.

    Args:
        text: the text of the file.
        sites: the statements.
        known: what is known of them; what is found out is added.

    """

    def __init__(self, text: str, sites: Sequence[Site], known: KnownFindings) -> None:
        self._braces = Stepwise(_reading_braces(sites, known))
        self._declared = Stepwise(_reading_names(sites, known))
        self._words = Stepwise(_places_of_words(text))

    def explaining(self, error: Diagnostic, site: Site, fragment: AsmFragment) -> Generator[None, None, bool]:
        """Whether other statements can be why an error in a fragment is none; in steps."""
        if error.code in OF_BRACES:
            return site.macro is not None or (yield from self._is_completed(site, fragment))
        if error.code not in OF_NAMES:
            return False
        name = fragment.text[error.span.start : error.span.end]
        if provided_names().fullmatch(name) is not None:
            return True
        owners = (yield from self._declared.finishing()).get(name, set())
        return len(owners) > (site in owners) or (yield from self._may_be_of_module(name, error, site, fragment))

    def enclosing(self, site: Site) -> Generator[None, None, bool]:
        """Whether statements before and after this one open and close braces: what it declares stands in a block."""
        first, last = (yield from self._braces.finishing()).bounds
        return first < site.start < last

    def _is_completed(self, site: Site, fragment: AsmFragment) -> Generator[None, None, bool]:
        """Whether another statement closes the braces that this one opens, or the other way round."""
        braces = yield from self._braces.finishing()
        own = yield from structuring(fragment.text)
        completing = [braces.closing] if own.opens else []
        completing += [braces.opening] if own.closes else []
        return any(len(sites) > (site in sites) for sites in completing)

    def _may_be_of_module(
        self, name: str, error: Diagnostic, site: Site, fragment: AsmFragment
    ) -> Generator[None, None, bool]:
        """Whether a name can be that of a variable or function of the host: the host has it as well."""
        at = error.span.start
        floor = max(at - _FAR, 0)
        before = max(floor, *(fragment.text.rfind(mark, floor, at) for mark in ";{}"))
        if not name or name[0] in "%$":
            return False
        is_address = fragment.text[before:at].rstrip().endswith("[")
        if not is_address and _USES_OF_MODULE.search(fragment.text, before, at) is None:
            return False
        start, end = site.span
        places = yield from self._words.finishing()
        first, last = places.get(name, (start, start))
        return first < start or last >= end


def _reading_braces(sites: Sequence[Site], known: KnownFindings) -> Generator[None, None, _Braces]:
    """Find out what each statement opens and closes."""
    opening: set[Site] = set()
    closing: set[Site] = set()
    for number, site in enumerate(sites, 1):
        if any("{" in one.text or "}" in one.text for one in known.fragments_of(site)):
            for one in (yield from known.structures_of(site)):
                if one.opens:
                    opening.add(site)
                if one.closes:
                    closing.add(site)
        if not number % _SITES_IN_A_STEP:
            yield
    first = min((one.start for one in opening), default=math.inf)
    return _Braces(opening, closing, (first, max((one.start for one in closing), default=-math.inf)))


def _reading_names(sites: Sequence[Site], known: KnownFindings) -> Generator[None, None, dict[str, set[Site]]]:
    """Find out which statements declare a name for others."""
    declared: dict[str, set[Site]] = {}
    for number, site in enumerate(sites, 1):
        for one in (yield from known.structures_of(site)):
            for name in one.outside:
                declared.setdefault(name, set()).add(site)
        if not number % _SITES_IN_A_STEP:
            yield
    return declared


def _places_of_words(text: str) -> Generator[None, None, dict[str, tuple[int, int]]]:
    """The first and the last place of each word of a file."""
    found: dict[str, tuple[int, int]] = {}
    for number, word in enumerate(_HOST_WORDS(text), 1):
        at = word.start()
        found[word[0]] = found.get(word[0], (at,))[0], at
        if not number % _WORDS_IN_A_STEP:
            yield
    return found


def is_for_others(text: str, fragment: AsmFragment) -> Generator[None, None, bool]:
    """Whether a part of a fragment has a name that it declares outside of its braces: other statements can use it."""
    structure = yield from structuring(fragment.text)
    return not structure.outside.isdisjoint(_WORDS(text))


_WORDS = re.compile(r"[\w$%]+").findall
_HOST_WORDS = re.compile(r"[\w$]+").finditer
