"""The contribution of the other statements of a file to a fragment: names, braces, and symbols of the module."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator, Sequence
from operator import attrgetter

from ptx_lsp.checks.embedded.deciding import OF_BRACES, OF_NAMES
from ptx_lsp.checks.embedded.known_findings import KnownFindings
from ptx_lsp.checks.embedded.structure import Structure, may_have_structure, structuring
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.embedded.alike_templates import AlikeTemplates
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.host_tables import provided_names
from ptx_lsp.hosts.site import Site
from ptx_lsp.stepwise import Stepwise

_FAR = 1000
"""Characters before a name that are looked at."""
_USES_OF_MODULE = re.compile(r"(?:^|[;{}\s])(?:mov|cvta|call|st|ld)\b")
_SITES_IN_A_STEP = 16
_WORDS_IN_A_STEP = 4096


_TWO = 2
"""Statements, of which one at least is another than any given one."""


class _Search:
    """The statements of a file that open blocks for others, or that close some, looked for as they are asked for.

    Args:
        sites: the statements.
        known: what is known of them; what is found out is added.
        sign: the brace, without which no statement is one of them.
        count: the blocks that a statement opens or closes for others.

    """

    def __init__(
        self, sites: Sequence[Site], known: KnownFindings, sign: str, count: Callable[[Structure], int]
    ) -> None:
        self._sites = sites
        self._known = known
        self._sign = sign
        self._count = count
        self._read = 0
        """The number of statements that were looked at from the first on."""
        self._first: list[Site] = []
        self._last: float | None = None

    def others(self, site: Site) -> Generator[None, None, bool]:
        """Whether another statement is one of them."""
        yield from self._reading(_TWO)
        return any(other is not site for other in self._first)

    def first(self) -> Generator[None, None, float]:
        """The start of the first of them; of none, the end of all texts."""
        yield from self._reading(1)
        return self._first[0].start if self._first else math.inf

    def last(self) -> Generator[None, None, float]:
        """The start of the last of them; of none, the begin of all texts."""
        if self._last is None:
            self._last = yield from self._finding_last()
        return self._last

    def _reading(self, count: int) -> Generator[None, None, None]:
        """Look at statements up to the one with which so many are found."""
        while len(self._first) < count and self._read < len(self._sites):
            number = self._read
            site = self._sites[number]
            is_one = yield from self._is_one(site)
            if self._read > number:
                continue  # meanwhile another one looked at it
            self._read += 1
            if is_one:
                self._first.append(site)
            if not self._read % _SITES_IN_A_STEP:
                yield

    def _finding_last(self) -> Generator[None, None, float]:
        yield from self._reading(1)
        for number, site in enumerate(reversed(self._sites) if self._first else (), 1):
            if (yield from self._is_one(site)):
                return site.start
            if not number % _SITES_IN_A_STEP:
                yield
        return -math.inf

    def _is_one(self, site: Site) -> Generator[None, None, bool]:
        """Whether some variant of a statement is one of them."""
        text = _text_but_for_digits(site)
        if text is not None and self._sign not in text:
            return False
        if not any(self._sign in one.text for one in self._known.fragments_of(site)):
            return False
        return any(map(self._count, (yield from self._known.structures_of(site))))


class _Braces:
    """The blocks that the statements of a file open and close for each other.

    Args:
        sites: the statements.
        known: what is known of them; what is found out is added.

    """

    def __init__(self, sites: Sequence[Site], known: KnownFindings) -> None:
        self.opening = _Search(sites, known, "{", attrgetter("opens"))
        self.closing = _Search(sites, known, "}", attrgetter("closes"))

    def enclosing(self, site: Site) -> Generator[None, None, bool]:
        """Whether a statement before this one opens a brace, and one after it closes one."""
        return (yield from self.opening.first()) < site.start and site.start < (yield from self.closing.last())


class Neighbours:
    """The statements of a file, asked only where something is wrong in one of them.

    Args:
        text: the text of the file.
        sites: the statements.
        known: what is known of them; what is found out is added.

    """

    def __init__(self, text: str, sites: Sequence[Site], known: KnownFindings) -> None:
        self._braces = _Braces(sites, known)
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
        return (yield from self._braces.enclosing(site))

    def _is_completed(self, site: Site, fragment: AsmFragment) -> Generator[None, None, bool]:
        """Whether another statement closes the braces that this one opens, or the other way round."""
        own = yield from structuring(fragment.text)
        if own.opens and (yield from self._braces.closing.others(site)):
            return True
        return bool(own.closes) and (yield from self._braces.opening.others(site))

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


def _text_but_for_digits(site: Site) -> str | None:
    """The text of its fragment, perhaps with other digits, if that is known before the statement is read."""
    alike = site.alike
    return alike.derived(AlikeTemplates).text if alike is not None else None


def _reading_names(sites: Sequence[Site], known: KnownFindings) -> Generator[None, None, dict[str, set[Site]]]:
    """Find out which statements declare a name for others."""
    declared: dict[str, set[Site]] = {}
    for number, site in enumerate(sites, 1):
        text = _text_but_for_digits(site)
        for one in (yield from known.structures_of(site)) if text is None or may_have_structure(text) else ():
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
