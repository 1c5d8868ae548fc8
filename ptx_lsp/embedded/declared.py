"""The registers and labels that a fragment declares for the whole function around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.holes import HoleText
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise
from ptx_lsp.text import Span

_DECLARING = re.compile(
    r"(?P<open>\{)|\}|\.(?:reg|local|shared|param)\s|(?<![:\w$])[A-Za-z_$%][\w$]*\s*:(?!:)", re.ASCII
).finditer


def _looking(text: str, unique: Sequence[int]) -> Generator[None, None, bool]:
    """Whether something outside of braces looks like a declaration, other than of a label with a unique number."""
    depth = 0
    for number, match in enumerate(_DECLARING(text), 1):
        if not number % _IN_A_STEP:
            yield
        if match["open"]:
            depth += 1
        elif match[0] == "}":
            depth -= 1
        elif depth <= 0 and not _is_around(match.span(), unique):
            return True
    return False


def _is_around(span: tuple[int, int], places: Sequence[int]) -> bool:
    """Whether some of the places, which are in order, is in a span."""
    at = bisect_left(places, span[0])
    return at < len(places) and places[at] < span[1]


_LONG = 1 << 14
"""Characters of a fragment that is read in steps."""
_IN_A_STEP = 1024


def declared_outside(fragment: AsmFragment) -> Iterator[tuple[str, Span] | None]:
    """The names that are declared outside of braces, with their places.

    Without labels with a unique number, and without names that the host computes, which can be unique as well.
    None is a pause.
    """
    if fragment.unknown.has_statements:
        return
    unique = fragment.replaced.unique
    if not (yield from _looking(fragment.text, unique)):
        return
    is_long = len(fragment.text) > _LONG
    document = (yield from load_stepwise(fragment.text)) if is_long else Document(fragment.text)
    module = Module(document, given=(), at_once=not is_long)
    if is_long:
        yield from module.read()
    for function in module.functions:
        if function.has_unbalanced_braces:
            return
        names = (*function.scope.names.items(), *function.scope.groups.items())
        for number, (name, symbol) in enumerate(names, 1):
            if not number % _IN_A_STEP:
                yield None
            span = module.positions.span_of(symbol.place)
            if not _is_around(span, unique) and HoleText.BEGIN not in name and not fragment.unknown.is_opaque(span):
                yield name, span
