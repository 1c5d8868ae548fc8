"""The contribution of the other statements of a file to a fragment: names, braces, and symbols of the module."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.checks.embedded.verdicts import OF_BRACES, OF_NAMES
from ptx_lsp.derived_values import once
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.hosts.host_tables import provided_names
from ptx_lsp.hosts.site import Site
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.kind import Kind

_FAR = 1000
"""Characters before a name that are looked at."""
_USES_OF_MODULE = re.compile(r"(?:^|[;{}\s])(?:mov|cvta|call|st|ld)\b")


class _Structure(NamedTuple):
    """The braces and declarations of a fragment."""

    closes: int
    """Braces that it closes without opening them."""
    opens: int
    """Braces that it opens without closing them."""
    outside: frozenset[str]
    """Names that it declares outside of braces, or within braces that it leaves open."""


class Neighbours:
    """The statements of a file, asked only where something is wrong in one of them."""

    def __init__(self, text: str, statements: Sequence[tuple[Site, Sequence[AsmFragment]]]) -> None:
        self._text = text
        self._statements = statements

    def explains(self, error: Diagnostic, site: Site, fragment: AsmFragment) -> bool:
        """Whether other statements can be why an error in a fragment is none."""
        if error.code in OF_BRACES:
            return site.macro is not None or self._is_completed(site, fragment)
        if error.code not in OF_NAMES:
            return False
        name = fragment.text[error.span.start : error.span.end]
        if provided_names().fullmatch(name) is not None:
            return True
        owners = self._declared.get(name, set())
        return len(owners) > (site in owners) or self._may_be_of_module(name, error, site, fragment)

    @once
    def _structures(self) -> list[tuple[Site, _Structure]]:
        return [(site, _structure(one.text)) for site, fragments in self._statements for one in fragments]

    @once
    def _declared(self) -> dict[str, set[Site]]:
        """The statements that declare a name for others."""
        found: dict[str, set[Site]] = {}
        for site, structure in self._structures:
            for name in structure.outside:
                found.setdefault(name, set()).add(site)
        return found

    @once
    def _opening(self) -> set[Site]:
        return {site for site, structure in self._structures if structure.opens}

    @once
    def _closing(self) -> set[Site]:
        return {site for site, structure in self._structures if structure.closes}

    def _is_completed(self, site: Site, fragment: AsmFragment) -> bool:
        """Whether another statement closes the braces that this one opens, or the other way round."""
        own = _structure(fragment.text)
        completing = [self._closing] if own.opens else []
        completing += [self._opening] if own.closes else []
        return any(len(sites) > (site in sites) for sites in completing)

    def enclose(self, site: Site) -> bool:
        """Whether statements before and after this one open and close braces: what it declares stands in a block."""
        first, last = self._bounds
        return first < site.start < last

    @once
    def _bounds(self) -> tuple[float, float]:
        """The start of the first statement that opens a brace, and of the last one that closes one."""
        first = min((one.start for one in self._opening), default=math.inf)
        return first, max((one.start for one in self._closing), default=-math.inf)

    def _may_be_of_module(self, name: str, error: Diagnostic, site: Site, fragment: AsmFragment) -> bool:
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
        first, last = self._places_of_words.get(name, (start, start))
        return first < start or last >= end

    @once
    def _places_of_words(self) -> dict[str, tuple[int, int]]:
        """The first and the last place of each word of the file."""
        found: dict[str, tuple[int, int]] = {}
        for word in _HOST_WORDS(self._text):
            at = word.start()
            found[word[0]] = found.get(word[0], (at,))[0], at
        return found


def is_for_others(text: str, fragment: AsmFragment) -> bool:
    """Whether a part of a fragment has a name that it declares outside of its braces: other statements can use it."""
    return not _structure(fragment.text).outside.isdisjoint(_WORDS(text))


_WORDS = re.compile(r"[\w$%]+").findall
_HOST_WORDS = re.compile(r"[\w$]+").finditer


_NOTHING = _Structure(0, 0, frozenset())
_SHAPING = re.compile(r"[{}:]|(?<!\w)\.[A-Za-z]", re.ASCII)
"""Text of a brace, a label or a directive, and of some other things."""


@lru_cache(maxsize=4096)
def _structure(text: str) -> _Structure:
    if _SHAPING.search(text) is None:
        return _NOTHING
    closes = opens = 0
    names: set[str] = set()
    at_depth: list[set[str]] = []
    for chunk in Document(text).chunks:
        for mark in chunk.derived(summarise).marks:
            if mark.kind == Kind.OPEN:
                opens += 1
                at_depth.append(set())
            elif mark.kind == Kind.CLOSE and opens:
                opens -= 1
                at_depth.pop()
            elif mark.kind == Kind.CLOSE:
                closes += 1
            else:
                (at_depth[-1] if at_depth else names).update(symbol.name for symbol in mark.symbols)
    return _Structure(closes, opens, frozenset(names.union(*at_depth)))
