"""The registers and labels that a fragment declares for the whole function around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.embedded.fragment import Fragment
from ptx_lsp.embedded.template import UNIQUE, MarkKind
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

_MAY_DECLARE = re.compile(r"\.(?:reg|local|shared|param)\b|(?<![:\w$])[A-Za-z_$%][\w$]*\s*:(?!:)", re.ASCII).search


def declared_outside(fragment: Fragment) -> Iterator[tuple[str, Span]]:
    """The names that are declared outside of braces, with their places, but for labels with a unique number."""
    if _MAY_DECLARE(fragment.text) is None or fragment.has_unknown_statements:
        return
    module = Module(Document(fragment.text), given=())
    unique = [one.span for one in fragment.marks if one.kind is MarkKind.ESCAPE and one.text == UNIQUE]
    for function in module.functions:
        if function.has_unbalanced_braces:
            return
        for name, symbol in (*function.scope.names.items(), *function.scope.groups.items()):
            span = module.positions.span_of(symbol.place)
            is_unique = any(span.start <= one.start and one.end <= span.end for one in unique)
            if not is_unique and not fragment.is_opaque(span):
                yield name, span
