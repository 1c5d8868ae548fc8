"""The names that a statement uses, without making all its tokens.

Statements whose operands have names of their own are looked at one by one, thousands
of them in a large file; for all but a few of them one search for words suffices.
"""

from __future__ import annotations

import re

from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement

_WORDS = re.compile(r"(?<![\w$.:])(?:[A-Za-z][\w$]*+|[%$_][\w$]++)", re.ASCII).findall


def used_names(text: str, shape: Shape) -> list[str]:
    """The text of each name in ``shape.names``, in order, of a statement of that shape."""
    if '"' not in text and "/" not in text and "#" not in text:
        words: list[str] = _WORDS(text)
        if len(words) == len(shape.names) + 1:
            # One word more than names: the mnemonic. It stands first, or second behind a guard.
            del words[1 if "@" in text else 0]
            return words
    statement = Statement(text, shape)
    return [statement.word(token) for token, _ in shape.names]


def only_name(statement: Statement, token: int) -> str:
    """The text of the name at ``token``, in a statement without another, such as a label."""
    text = statement.text
    if "/*" not in text:
        text = text[text.rfind("\n") + 1 :]  # comments of their own stand on the lines before
        if "/" not in text and '"' not in text and "#" not in text:
            words: list[str] = _WORDS(text)
            if len(words) == 1:
                return words[0]
    return statement.word(token)
