"""Lookup of the layout of an operand, and of layouts by name."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase
from functools import cache

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.layouts.layout import Layout, LayoutPlace
from ptx_lsp.layouts.load import layouts, places


def layout_of(instruction: str, operand: str, context: AbstractSet[str]) -> Layout | None:
    """The layout of an operand, by the names of the instruction's page; None if it is not a packed value.

    Of several pages that apply, the one with the most conditions wins.
    """
    fitting = [
        (len(place.when.parts), load)
        for place, load in _places().get(operand, ())
        if any(fnmatchcase(instruction, pattern) for pattern in place.instructions) and place.when.holds(context)
    ]
    return max(fitting, key=lambda pair: pair[0])[1]() if fitting else None


@cache
def _places() -> dict[str, list[tuple[LayoutPlace, Callable[[], Layout]]]]:
    """The places of layouts, each with what reads the layout, by operand name."""
    found: dict[str, list[tuple[LayoutPlace, Callable[[], Layout]]]] = {}
    for place, load in places():
        for operand in place.operands:
            found.setdefault(operand, []).append((place, load))
    return found


def layouts_named(name: str, context: AbstractSet[str], target: Target | None = None) -> list[Layout]:
    """The layouts that a name denotes in a context: ``smem-desc`` with ``sm_90a`` is that of ``wgmma``.

    A name may be a prefix of several pages' names; kept are those whose instructions exist on the target, and whose
    place has a condition that the context fulfils. More than one result: the context is ambiguous.
    """
    known = layouts()
    fitting = [layout for layout in known.values() if layout.name == name or layout.name.startswith(name + "-")]
    if target is not None:
        fitting = [layout for layout in fitting if _exists(layout, target)] or fitting
    if len(fitting) < 2:
        return fitting
    placed = [one for one in fitting if any(place.when.holds(context) for place in one.places)]
    asked = [one for one in placed if any(place.when.parts for place in one.places)]
    return asked or placed or fitting


def _exists(layout: Layout, target: Target) -> bool:
    """Whether an instruction with such an operand exists for a target, in the newest version."""
    newest = max(catalogue().vocabulary.versions)
    for name in (name for place in layout.places for name in place.instructions if "*" not in name):
        first, *rest = name.split(".")
        page = catalogue().instruction((first, *(f".{word}" for word in rest)))
        if page is not None and any(all(gate.allows(newest, target) for gate in form.gates) for form in page.forms):
            return True
    return False


def unknown_layout(name: str) -> str:
    """The message for an unknown layout name."""
    from difflib import get_close_matches  # imported late: needed only for errors

    near = " or ".join(get_close_matches(name, layouts(), n=2))
    return f"'{name}' is not a layout; " + (f"did you mean {near}?" if near else "'ptx-lsp decode list' shows all")
