"""The contribution of the other statements of a file to a fragment: names, braces, and symbols of the module."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ptx_lsp.analysis.module.module import Module
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
_USES_OF_MODULE = re.compile(r"(?:\[|(?:^|[;{}\s])(?:mov|cvta|call|st|ld)\b[^;{}]*?)\s*$")


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
        opened = any(other.start < site.start for other in self._opening)
        return opened and any(other.start > site.start for other in self._closing)

    def _may_be_of_module(self, name: str, error: Diagnostic, site: Site, fragment: AsmFragment) -> bool:
        """Whether a name can be that of a variable or function of the host: the host has it as well."""
        at = error.span.start
        before = max(at - _FAR, 0, *(fragment.text.rfind(mark, 0, at) for mark in ";{}"))
        if not name or name[0] in "%$" or _USES_OF_MODULE.search(fragment.text, before, at) is None:
            return False
        start, end = site.span
        word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        return word.search(self._text, 0, start) is not None or word.search(self._text, end) is not None


def is_for_others(text: str, fragment: AsmFragment) -> bool:
    """Whether a part of a fragment has a name that it declares outside of its braces: other statements can use it."""
    return not _structure(fragment.text).outside.isdisjoint(_WORDS(text))


_WORDS = re.compile(r"[\w$%]+").findall


@lru_cache(maxsize=4096)
def _structure(text: str) -> _Structure:
    module = Module(Document(text), given=())
    closes = opens = 0
    names: set[str] = set()
    at_depth: list[set[str]] = []
    for function in module.functions:
        for chunk in function.chunks:
            for mark in module.summaries[chunk].marks:
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
