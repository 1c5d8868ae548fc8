"""Which layout an operand has."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase
from functools import cache

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.layouts.layout import Layout, LayoutPlace
from ptx_lsp.layouts.load import layouts


def layout_of(instruction: str, operand: str, context: AbstractSet[str]) -> Layout | None:
    """The layout of an operand, by the names of the instruction's page; None if its bits have no meaning of their own.

    Of several pages that fit, the one that asks for most holds.
    """
    fitting = [
        (len(place.when.parts), layout)
        for place, layout in _places().get(operand, ())
        if any(fnmatchcase(instruction, pattern) for pattern in place.instructions) and place.when.holds(context)
    ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


@cache
def _places() -> dict[str, list[tuple[LayoutPlace, Layout]]]:
    """By the operand's name where it stands."""
    found: dict[str, list[tuple[LayoutPlace, Layout]]] = {}
    for layout in layouts().values():
        for place in layout.places:
            for operand in place.operands:
                found.setdefault(operand, []).append((place, layout))
    return found


def layouts_named(name: str, context: AbstractSet[str], target: Target | None = None) -> list[Layout]:
    """The layouts that a name and a context can mean: ``smem-desc`` with ``sm_90a`` is that of ``wgmma``.

    A name may be the beginning of several pages' names; of these remain the ones whose instructions exist on the
    target, and whose place has a condition that the context fulfils. More than one: the context says too little.
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
    """Whether an instruction with such an operand exists on a target, in the newest version."""
    newest = max(catalogue().vocabulary.versions)
    for name in (name for place in layout.places for name in place.instructions if "*" not in name):
        first, *rest = name.split(".")
        page = catalogue().instruction((first, *(f".{word}" for word in rest)))
        if page is not None and any(all(gate.allows(newest, target) for gate in form.gates) for form in page.forms):
            return True
    return False


def unknown_layout(name: str) -> str:
    """What to say of a name that no layout has."""
    from difflib import get_close_matches  # imported late: only mistakes pay for it

    near = " or ".join(get_close_matches(name, layouts(), n=2))
    return f"'{name}' is no layout; " + (f"did you mean {near}?" if near else "'ptx-lsp decode list' shows all")
