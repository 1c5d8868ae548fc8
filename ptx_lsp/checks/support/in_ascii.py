"""Characters that PTX does not have, by those that look like them."""

from __future__ import annotations

import unicodedata

from ptx_lsp.diagnostic import Diagnostic, Edit, Fix
from ptx_lsp.syntax.statement import Statement

_LOOK_ALIKE = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "−": "-",
        "×": "x",
        "·": "*",
        "→": "->",
        "←": "<-",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "ß": "ss",
        "µ": "u",
        "\u200b": "",
        "\ufeff": "",
    }
)
_LONGEST = 100
"""Characters in a row that are replaced; more of them are no slip of a word processor."""


def with_ascii(diagnostic: Diagnostic, statement: Statement) -> Diagnostic:
    """A finding about characters outside of ASCII, with a fix that replaces them, if they are like some in it."""
    span = diagnostic.span
    if span.end - span.start > _LONGEST or diagnostic.fixes:
        return diagnostic
    plain = unicodedata.normalize("NFKD", statement.text[span.start : span.end].translate(_LOOK_ALIKE))
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    if not plain.isascii() or "\0" in plain:
        return diagnostic
    title = f"write '{plain}'" if plain else "remove it"
    return diagnostic._replace(fixes=(Fix(title, (Edit(span, plain),)),))
