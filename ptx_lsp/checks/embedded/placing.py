"""The findings in fragments with places in the host file, in the words of the host."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable

from ptx_lsp.derived_values import once
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Related
from ptx_lsp.embedded.edits import edit_to_host
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.notation import as_host_writes
from ptx_lsp.hosts.site import Site
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

_LINE = re.compile(r" \(line \d+\)")
_IN_A_STEP = 512
"""Edits of a fix, or findings."""


class Located(NamedTuple):
    """A finding, with its place in the file."""

    finding: Diagnostic
    span: Span
    is_placed: bool
    """Whether all places of the finding are those in the file; else it is as in the fragment."""

    @classmethod
    def of(cls, finding: Diagnostic, site: Site, fragment: AsmFragment) -> Located:
        """A finding in a fragment."""
        return cls(finding, fragment.map.span_to_host(finding.span).shifted(site.start), is_placed=False)

    @classmethod
    def in_host(cls, finding: Diagnostic) -> Located:
        """A finding in the text of the host."""
        return cls(finding, finding.span, is_placed=True)


class Placing:
    """Moves findings into a file.

    Args:
        text: the file.
        line_of: gives the line of an offset, counted from 1; None if it has to be counted.

    """

    def __init__(self, text: str, line_of: Callable[[int], int] | None) -> None:
        self._text = text
        self._line_of = line_of

    def with_lines(self, found: list[Diagnostic]) -> Generator[None, None, list[Diagnostic]]:
        """Findings with the present lines of the places that their messages name."""
        if not any(one.named_line for one in found):
            return found
        present: list[Diagnostic] = []
        for number, one in enumerate(found, 1):
            line = self._line(one.related[0].span.start) if one.named_line else 0
            if line != one.named_line:
                one = one._replace(message=_LINE.sub(f" (line {line})", one.message), named_line=line)
            present.append(one)
            if not number % _IN_A_STEP:
                yield
        return present

    def placing(self, located: Located, site: Site, fragment: AsmFragment) -> Generator[None, None, Diagnostic]:
        """A finding with all its places in the file."""
        one, span, is_placed = located
        if is_placed:
            return one
        related, repeats = (
            tuple(Related(fragment.map.span_to_host(at.span).shifted(site.start), at.message) for at in places)
            for places in (one.related, one.repeats)
        )
        fixes = yield from _fixes_of(one.fixes, site, fragment)
        message = as_host_writes(one.message, fragment)
        if one.named_line and related:
            message = _LINE.sub(f" (line {self._line(related[0].span.start)})", message)
        elif _LINE.search(message):
            message = _LINE.sub("", message)
        return one._replace(
            span=span,
            message=message,
            related=related,
            repeats=repeats,
            fixes=fixes,
            header=(),
            named_line=self._line(related[0].span.start) if one.named_line and related else 0,
        )

    @once
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self._text))]

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset) if self._line_of is None else self._line_of(offset)


def _fixes_of(fixes: Iterable[Fix], site: Site, fragment: AsmFragment) -> Generator[None, None, tuple[Fix, ...]]:
    """The fixes whose edits can all be made in the file."""
    found = []
    for fix in fixes:
        placed: list[Edit] = []
        for edit in fix.edits:
            moved = edit_to_host(edit, fragment)
            if moved is None:
                break
            placed.append(moved._replace(span=moved.span.shifted(site.start)))
            if len(placed) % _IN_A_STEP == 0:
                yield
        else:
            found.append(fix._replace(edits=tuple(placed)))
    return tuple(found)
