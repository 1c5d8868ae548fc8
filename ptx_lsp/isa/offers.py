"""Completion of an opcode: the qualifiers that can come next so that a legal spelling can still be reached."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ptx_lsp.isa.assign import Assignment, assignments, doubled
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.context import Context, context
from ptx_lsp.isa.prepared import PreparedForm
from ptx_lsp.isa.solve import solutions
from ptx_lsp.isa.target import Target
from ptx_lsp.isa.version import Version


@lru_cache(maxsize=4096)
def offers(opcode: tuple[str, ...], version: Version, target: Target) -> tuple[str, ...]:
    """The qualifiers that can follow what is written of an opcode, in the order of the pages.

    Nothing is offered that the matcher would refuse, and nothing legal is missing; qualifiers that ptxas merely
    tolerates are not offered.

    Args:
        opcode: the mnemonic and the qualifiers so far: ``("ld", ".global")``.
        version: the module's PTX version.
        target: the module's architecture.
    """
    module = context(version, target)
    offered: dict[str, None] = {}
    for instruction in catalogue().beginning_with(opcode):
        for form in instruction.prepared.get(opcode[0], ()):
            if module.allows_all(form.form.gates):
                for word in _next_words(form, opcode, module, offered):
                    offered[word] = None
    return tuple(offered)


def is_complete(opcode: tuple[str, ...], version: Version, target: Target) -> bool:
    """Whether an opcode is a whole spelling of some form, so that operands can follow."""
    module = context(version, target)
    return any(
        _reachable(form, placed, opcode, module, finished=True)
        for instruction in catalogue().candidates(opcode)
        for form in instruction.prepared.get(opcode[0], ())
        for placed in assignments(form, opcode, doubled(opcode, form.shared.repeatable))
    )


def _next_words(form: PreparedForm, opcode: tuple[str, ...], module: Context, known: dict[str, None]) -> Iterator[str]:
    """The words of open places of one form that lead somewhere."""
    skipped = doubled(opcode, form.shared.repeatable)
    for placed in assignments(form, opcode, skipped, partial=True):
        furthest: dict[str, int] = {}
        for place, at in placed.items():
            name = form.order.get(opcode[at])
            if name is not None:
                furthest[name] = max(furthest.get(name, -1), place)
        for place in form.qualifiers:
            if place in placed:
                continue
            for word, gate in form.choices[place].items():
                if word is None or word in known or not module.allows(gate):
                    continue
                if place < furthest.get(form.order.get(word, ""), -1):
                    continue
                longer = (*opcode, word)
                if _reachable(form, {**placed, place: len(opcode)}, longer, module):
                    known[word] = None
                    yield word


def _reachable(
    form: PreparedForm,
    placed: Assignment,
    opcode: tuple[str, ...],
    module: Context,
    *,
    finished: bool = False,
) -> bool:
    """Whether the open places can be filled, ordered ones only behind what stands; ``finished``: by nothing."""
    fixed: dict[int, str | None] = {place: opcode[at] for place, at in placed.items()}
    if finished:
        fixed = {place: fixed.get(place) for place in (0, *form.qualifiers)}
    for name, places in form.ordered.items():
        furthest = max((place for place, at in placed.items() if form.order.get(opcode[at]) == name), default=-1)
        for place in places:
            if place < furthest and place not in fixed:
                if None in form.choices[place]:
                    fixed[place] = None
                elif place in form.strict and all(form.order.get(word or "") == name for word in form.choices[place]):
                    return False
    written = "".join(opcode)
    names = {name for name in form.possible_names if _begins(written, name)}
    return bool(names) and any(form.name_of(form.spell(values)) in names for values in solutions(form, module, fixed))


def _begins(written: str, name: str) -> bool:
    """Whether the parts of the name come first: what is written begins with it, or is its beginning."""
    return f"{written}.".startswith(name + ".") or f"{name}.".startswith(written + ".")
