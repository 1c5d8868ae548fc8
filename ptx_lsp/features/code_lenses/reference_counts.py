"""Reference lenses: ``2 references``, ``called by first, second``."""

from __future__ import annotations

from ptx_lsp.analysis.references.callers import calls_of, uses
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.features.code_lenses.lens import Title
from ptx_lsp.names.demangle import brief_names

_MOST_NAMED = 2
"""The maximum number of callers that are named; more are counted."""
_LONGEST = 60
"""The maximum length of the list of names, in columns."""


def references(semantics: Semantics, symbol: Symbol) -> Title:
    """Return the number of references to a symbol."""
    places = tuple(one.span(semantics.module) for one in uses(semantics, symbol))
    return Title(_count(len(places), "reference"), places)


def callers(semantics: Semantics, symbol: Symbol, *, demangles: bool = True) -> Title:
    """Return the callers of a function."""
    module = semantics.module
    calls = list(calls_of(semantics, symbol))
    found = [module.function_of(one.chunk).symbol for one in calls]
    names = list(dict.fromkeys(caller.name for caller in found if caller is not None))
    brief = brief_names(names) if demangles and len(names) <= _MOST_NAMED else {}
    shown = ", ".join("itself" if name == symbol.name else brief.get(name, name) for name in names)
    places = tuple(one.span(module) for one in calls)
    if 0 < len(names) <= _MOST_NAMED and len(shown) <= _LONGEST:
        return Title(f"called by {shown}", places)
    return Title(_count(len(names), "caller"), places)


def _count(number: int, thing: str) -> str:
    return f"{number or 'no'} {thing}{'' if number == 1 else 's'}"
