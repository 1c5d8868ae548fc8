"""The types and modifiers of semantic tokens that VS Code must learn from us: those that are not its own."""

from __future__ import annotations

from typing import Any

from editors.generate.scopes import SCOPES
from ptx_lsp.features.semantic_tokens.legend import MODIFIERS, TokenType

_STANDARD_MODIFIERS = 6
"""The first modifiers are the protocol's; see ``MODIFIERS``."""


def contributions() -> dict[str, Any]:
    """``semanticTokenTypes``, ``semanticTokenModifiers`` and ``semanticTokenScopes`` of package.json.

    A type of ours has the standard one as ``superType``, which themes colour that know semantic tokens; for the others
    there are the scopes of the grammar, so that a word has one colour before and after the server has come up.
    """
    own = [one for one in TokenType if one.label != one.standard]
    types = [{"id": one.label, "superType": one.standard, "description": _capital(one.words)} for one in own]
    modifiers = [
        {"id": name, "description": _capital(words)} for name, words in list(MODIFIERS.values())[_STANDARD_MODIFIERS:]
    ]
    scopes = {one.label: [SCOPES[one]] for one in TokenType}
    return {
        "semanticTokenTypes": types,
        "semanticTokenModifiers": modifiers,
        "semanticTokenScopes": [{"language": "ptx", "scopes": scopes}],
    }


def _capital(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
