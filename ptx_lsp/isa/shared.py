"""What the forms of all pages share: order classes, types that live in others, placeholders and operands.

Source: the ``isa`` fence of ``grammar/vocabulary/shared.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptx_lsp.isa.form import literals
from ptx_lsp.isa.source import Body, PageError

ORDER_CLASSES = ("type", "space", "layout", "priority", "operation")
"""The kinds of qualifiers that keep their order among themselves; all others may stand anywhere after the name."""

_WORD_LISTS = (*ORDER_CLASSES, "repeatable", "meaningless")


@dataclass(frozen=True)
class Shared:
    """The order of qualifiers, and where values of packed types live."""

    order: dict[str, str]
    """The order class of each qualifier that has one: ``.s32`` is a ``type``."""
    repeatable: frozenset[str]
    """Qualifiers that ptxas lets stand twice."""
    meaningless: frozenset[str]
    """Qualifiers that ptxas ignores where they do not belong."""
    holders: dict[str, str]
    """The register type that a value of a packed type lives in: ``.bf16x2`` in ``.b32``."""


def read_shared(body: Body, path: str) -> Shared:
    """The lists in a vocabulary fence; its placeholders and operands are left to the forms.

    Raises:
        PageError: if a list is missing.
    """
    lists: dict[str, list[str]] = {}
    for definition in body.definitions:
        name = str(definition.columns[0])
        if name in _WORD_LISTS:
            words = [str(word) for row in definition.rows for word in row.cells[0] if isinstance(word, str)]
            lists[name] = [word for word in literals(tuple(words)) if word is not None]
    for name in _WORD_LISTS:
        if name not in lists:
            raise PageError(path, (1, 1), f"the list '{name}' is missing")
    return Shared(
        {word: name for name in ORDER_CLASSES for word in lists[name]},
        frozenset(lists["repeatable"]),
        frozenset(lists["meaningless"]),
        {str(name): str(cell[0]) for name, cell in body.kinds.items() if name.startswith(".")},
    )
