"""Exact keys: what determines the parse of a statement, as one text.

Statements with equal keys have equal sequences of terminals (:mod:`ptx_lsp.syntax.terminals`), hence equal trees.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from ptx_lsp.patterns import compile_pattern
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.abridged import LeftOut
from ptx_lsp.syntax.terminals import IN_A_STEP, KEYWORDS, by_word, is_short, opcode_index
from ptx_lsp.syntax.tokens import Token, TokenKind, words_and_kinds

_NAME, _DOT, _MARK, _FLOAT = TokenKind.NAME, TokenKind.DOT, TokenKind.MARK, TokenKind.FLOAT
"""Kinds that are compared with those of all tokens: to look one up in its class takes ten times as long."""
REGISTER = re.compile(r"(%[a-z]{1,3})\d+", re.ASCII).fullmatch
_ABSTRACTED = {
    TokenKind.INTEGER: "0",
    TokenKind.STRING: '"',
    **{kind: f"\0{kind}" for kind in (TokenKind.MALFORMED, TokenKind.UNCLOSED, TokenKind.STRAY)},
}
"""The words of exact keys for tokens of which only the kind counts."""
_REPEATED = compile_pattern(r"(?:0 , ){4,}+|(?<![^ ])(?:a , ){4,}+").sub


def _in_directive(word: str, kind: TokenKind) -> str:
    """The word that stands for one of a directive."""
    if kind is TokenKind.NAME:
        if word in KEYWORDS:
            return word
        register = REGISTER(word)
        return register[1] + "0" if register else "a"
    if kind is TokenKind.FLOAT:
        return "0f" if word[1:2] in ("f", "F") else "0."
    return _ABSTRACTED.get(kind, word)


def exact_key(text: str, tokens: list[Token], gaps: Sequence[LeftOut] = ()) -> str:
    """The key of everything that determines the parse, including the opcode and register prefixes."""
    return run_to_completion(abstracting(*words_and_kinds(text, tokens), gaps))


def key_of(words: list[str], kinds: list[TokenKind]) -> str:
    """The exact key of a whole statement by the texts and kinds of its tokens."""
    if not is_short(kinds) or "@@" in words:
        return run_to_completion(abstracting(words, kinds))
    if kinds[0] is _DOT:
        return " ".join(map(_in_directive, words, kinds))
    return " ".join(_key_of_instruction(words, kinds, opcode_index(words, kinds)))


def abstracting(texts: list[str], kinds: list[TokenKind], gaps: Sequence[LeftOut] = ()) -> Generator[None, None, str]:
    """The exact key by the texts and kinds of the tokens, in steps."""
    directive = bool(kinds) and kinds[0] is _DOT
    if directive and "@@" not in texts:
        words = yield from by_word(_in_directive, texts, kinds)
        return (yield from _key(words, gaps, directive=True))
    opcode = -1 if directive else opcode_index(texts, kinds)
    words = _key_of_instruction(texts, kinds, opcode)
    for start in range(IN_A_STEP, len(texts), IN_A_STEP):
        yield
        words += _key_of_instruction(texts, kinds, opcode, start, start + IN_A_STEP)
    return (yield from _key(words, gaps, directive=directive))


def _key_of_instruction(
    texts: list[str], kinds: list[TokenKind], opcode: int, start: int = 0, end: int = IN_A_STEP
) -> list[str]:
    """The words of the exact key of the tokens ``[start, end)`` of an instruction or label.

    ``opcode`` is :func:`opcode_index`.
    """
    words: list[str] = []
    if len(texts) > 1 and texts[1][0] == ":":
        opcode = -1  # the name of a label
    for index, (word, kind) in enumerate(zip(texts[start:end], kinds[start:end], strict=True), start):
        if kind is _MARK:
            words.append(word)
            continue
        if kind is _NAME:
            # `@@DWARF` is a directive
            if index != opcode and word not in KEYWORDS and not (index and texts[index - 1] == "@@"):
                register = REGISTER(word)
                word = register[1] + "0" if register else "a"
        elif kind is _FLOAT:
            word = "0f" if word[1:2] in ("f", "F") else "0."
        else:
            word = _ABSTRACTED.get(kind, word)
        words.append(word)
    return words


def _key(words: list[str], gaps: Sequence[LeftOut], *, directive: bool) -> Generator[None, None, str]:
    """The words, with repeated ones of a directive counted; in steps, which end after words that are never repeated."""
    for gap in reversed(gaps):
        words.insert(gap.at, (("a , " if gap.is_of_names else "0 , ") * (gap.missing // 2))[:-1])
    text = " ".join(words)
    if not directive:
        return text
    pieces: list[str] = []
    start = 0
    while len(text) - start > _LENGTH_IN_A_STEP:
        yield
        border = _AFTER_OTHERS(text, start + _LENGTH_IN_A_STEP)
        end = border.end() if border is not None else len(text)
        pieces.append(_counted(text[start:end]))
        start = end
    return "".join([*pieces, _counted(text[start:])])


def _counted(key: str) -> str:
    """A key with repeated numbers and names counted."""
    return _REPEATED(lambda run: f"{run[0][0]}*{len(run[0]) // 4} , ", key)


_LENGTH_IN_A_STEP = 1 << 15
_AFTER_OTHERS = compile_pattern(r"[^0a, ] ").search
"""The end of a word that is in no run of repeated ones."""
