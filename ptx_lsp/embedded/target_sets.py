"""The targets for which a statement of inline assembly is compiled: a set, for one source serves many of them."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.hosts.site import TargetGuard
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized


class TargetSet(NamedTuple):
    """Some targets."""

    targets: tuple[Target, ...]
    """Those to ask, the likeliest to accept most first. Where nothing names targets, those that have all features."""
    is_named: bool
    """Whether the user or the build names them, so that each of them counts."""
    name: str
    """A text that no other set has, which is compared quickly."""


_DIFFERENT = 70
"""Before this architecture some instructions have other forms, which later ones lost."""


@memoized(256)
def target_set(named: tuple[str, ...], guarded: frozenset[str] | None) -> TargetSet:
    """The targets of a statement.

    Args:
        named: the targets that the user or the build names; none if nothing does.
        guarded: the targets for which the conditions around the statement hold; None for all.

    """
    wanted = [name for name in named if guarded is None or name in guarded]
    if wanted:
        return TargetSet(tuple(map(Target.parse, wanted)), is_named=True, name=" ".join(wanted))
    # A statement whose conditions exclude the build is judged by its conditions.
    known = catalogue().vocabulary.targets
    every = [Target.parse(name) for name in known if guarded is None or name in guarded]
    asked = _representatives(every)
    return TargetSet(asked, is_named=False, name=f"any of {' '.join(map(str, asked))}")


def _representatives(every: list[Target]) -> tuple[Target, ...]:
    """The targets that have all that the others have, and old ones, which may have what those lost."""
    rich = [one for one in every if not any(other != one and other.implies(one) for other in every)]
    rich.sort(key=lambda one: (one.number not in _USUAL, one.number))
    old = [one for one in every if one.number < _DIFFERENT]
    return tuple(dict.fromkeys([*rich, *every[:1], *old[-1:]]))


_USUAL = frozenset({90, 100})
"""The architectures whose own instructions are written most."""


def guarded_targets(guards: Iterable[TargetGuard]) -> frozenset[str] | None:
    """The targets for which all of some conditions can hold; None for all."""
    found: frozenset[str] | None = None
    for guard in guards:
        if guard.targets is not None:
            found = guard.targets if found is None else found & guard.targets
    return found
