"""The lists that the forms of all pages share: order classes, types that live in others, placeholders and operands.

Source: the ``isa`` fence of ``grammar/vocabulary/shared.md``.
"""

from __future__ import annotations

from ptx_lsp.named_tuples import NamedTuple

ORDER_CLASSES = ("type", "space", "layout", "priority", "operation")
"""The kinds of qualifiers that keep their order among themselves; all others may stand anywhere after the name."""

WORD_LISTS = (*ORDER_CLASSES, "free", "repeatable", "meaningless", "plain", "packed")
"""The definitions of the vocabulary that are lists of words and no placeholders."""


class Shared(NamedTuple):
    """The order of qualifiers, and where values of packed types live."""

    order: dict[str, str]
    """The order class of each qualifier that has one: ``.s32`` is a ``type``."""
    free: frozenset[str]
    """Parts of names that may also follow other qualifiers."""
    repeatable: frozenset[str]
    """Qualifiers that ptxas lets stand twice."""
    meaningless: frozenset[str]
    """Qualifiers that ptxas ignores where they do not belong."""
    holders: dict[str, str]
    """The register type that a value of a packed type lives in: ``.bf16x2`` in ``.b32``."""
