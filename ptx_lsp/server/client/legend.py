"""The legend of semantic tokens for a client: our type names where it knows them, otherwise those of the protocol.

A client knows the names that it announces; one that sets ``"ownTokenTypes": true`` in its ``initializationOptions``
gets all of ours. All modifiers are sent to every client: clients ignore those that they do not know.

Source: LSP specification, "Semantic Tokens", ``SemanticTokensClientCapabilities``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ptx_lsp.features.semantic_tokens.legend import MODIFIERS, Modifier, TokenType
from ptx_lsp.named_tuples import NamedTuple


class Legend(NamedTuple):
    """The names by number, and the number of each type."""

    names: tuple[str, ...]
    types: dict[TokenType, int]

    @staticmethod
    def modifiers(modifiers: Modifier) -> int:
        """Modifiers as the protocol's bits."""
        return int(modifiers)

    @property
    def options(self) -> dict[str, Any]:
        """The protocol's ``SemanticTokensLegend``."""
        return {"tokenTypes": list(self.names), "tokenModifiers": [name for name, _ in MODIFIERS.values()]}


def legend(client: object, options: object) -> Legend:
    """The legend for a client with these capabilities and ``initializationOptions``."""
    known = client
    for name in ("textDocument", "semanticTokens", "tokenTypes"):
        known = known.get(name) if isinstance(known, Mapping) else None
    wants_own = isinstance(options, Mapping) and options.get("ownTokenTypes") is True
    names = frozenset(name for name in known if isinstance(name, str)) if isinstance(known, list) else frozenset()
    return _legend(None if wants_own else names)


@cache
def _legend(known: frozenset[str] | None) -> Legend:
    """The legend for a client that knows these names; None for all names."""
    names: dict[str, int] = {}
    types = {}
    for kind in TokenType:
        name = kind.label if known is None or kind.label in known else kind.standard
        types[kind] = names.setdefault(name, len(names))
    return Legend(tuple(names), types)
