"""The names used by a statement, without complete tokenization.

Statements with individually named operands are examined one by one, thousands of them
in a large file; for almost all of them one search for words suffices.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter

from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.trivia import trivia_length

_TOKEN: Callable[[tuple[int, str]], int] = itemgetter(0)
# One class at the beginning lets the engine skip to where names may begin; the rest is looked at only there.
_WORDS = re.compile(r"[A-Za-z%$_](?<![\w$.:].)(?:(?<=[A-Za-z])|(?=[\w$]))[\w$]*+", re.ASCII).findall


def used_names(text: str, shape: Shape, known: Statement | None = None) -> list[str]:
    """The texts of the names in ``shape.names``, in order, for a statement of that shape.

    With ``known``, a statement whose words are known, they are taken from these.
    """
    if known is not None:
        return list(map(known.words.__getitem__, map(_TOKEN, shape.names)))
    rest = text[trivia_length(text) :] if "/" in text else text
    if '"' not in rest and "/" not in rest and "#" not in rest:
        words: list[str] = _WORDS(rest)
        if len(words) == len(shape.names) and shape.kind is not Kind.INSTRUCTION:
            return words
        if len(words) == len(shape.names) + 1:
            # One word more than names: the mnemonic. It is the first word, or the second after a guard.
            del words[1 if "@" in rest else 0]
            return words
    statement = Statement(text, shape)
    return [statement.word(token) for token, _ in shape.names]


_LABEL = re.compile(r"\s*+([A-Za-z%$_][\w$]*+)\s*+:", re.ASCII).fullmatch


def only_name(text: str, shape: Shape, token: int) -> str:
    """The text of the name at ``token`` in a statement with a single name, such as a label."""
    label = _LABEL(text)
    if label is not None:
        return label[1]
    if "/*" not in text:
        line = text[text.rfind("\n") + 1 :]  # skip comments on the preceding lines
        if "/" not in line and '"' not in line and "#" not in line:
            words: list[str] = _WORDS(line)
            if len(words) == 1:
                return words[0]
    return Statement(text, shape).word(token)
