"""What stands between two tokens of a statement on one line."""

from __future__ import annotations

from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import Token, TokenKind

BREAK = "\n>"
"""A wanted line break behind which the statement goes on, further in."""
FLUSH = "\n"
"""A wanted line break behind which it goes on as far out as it began."""

_NOTHING_BEFORE = frozenset({",", ";", ")", "]", "}"})
_NOTHING_AFTER = frozenset({"(", "[", "{", "@", "!", "~"})
_WORDS = frozenset({TokenKind.NAME, TokenKind.DOT, TokenKind.INTEGER, TokenKind.FLOAT, TokenKind.STRING})
_ONE_TOKEN = frozenset({"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "@@", "//", "/*", "*/"})
"""Two characters that would be read as one token, or as a comment, if no blank stood between them."""
_UNARY_AFTER = frozenset({"", *", ( [ { = + - * / | & ^ << >> ? : ~ !".split()})


def gaps(text: str, tokens: list[Token], kind: Kind) -> list[str]:
    """The blanks before each token; nothing before the first one.

    Only what is certain is changed: between tokens of which no rule speaks there is a blank if there was one.
    """
    found = [""]
    brackets: list[str] = []
    loose = kind is Kind.INSTRUCTION  # words of an opcode touch each other, those of a declaration do not
    before, word, last = "", text[tokens[0].start : tokens[0].end], tokens[0]
    if word in _OPENING:
        brackets.append(word)
    for token in tokens[1:]:
        next_word = text[token.start : token.end]
        blank = " " if token.start > last.end else ""
        wanted = _between(before, word, next_word, last, token, brackets, loose)
        gap = blank if wanted is None else wanted
        if not gap and blank and (word[-1] + next_word[0] in _ONE_TOKEN or _would_grow(last, token, word, next_word)):
            gap = blank
        found.append(gap)
        if next_word in _OPENING:
            brackets.append(next_word)
        elif next_word in _CLOSING and brackets:
            brackets.pop()
        before, word, last = word, next_word, token
    return found


_OPENING = frozenset("([{<")
_CLOSING = frozenset(")]}>")


def _between(
    before: str, word: str, after: str, last: Token, token: Token, brackets: list[str], loose: bool
) -> str | None:
    """The blanks between two tokens; None if no rule speaks of them."""
    if word == ",":
        return "" if after in (",", ";") else " "
    if after in _NOTHING_BEFORE or word in _NOTHING_AFTER:
        return ""
    if word == "=" or after == "=":
        return " "
    inside = brackets[-1] if brackets else ""
    if inside == "[" and (word in ("+", "-") or after in ("+", "-")):
        return ""
    if word in ("-", "+") and before in _UNARY_AFTER:
        return ""
    if after == ":" or (inside == "<" and (word == "<" or after == ">")):
        return ""
    if after in ("[", "<") and last.kind is TokenKind.NAME and not loose:
        return ""
    if not loose:
        if after == "(" and last.kind is TokenKind.DOT:
            return "" if word == ".attribute" or word == ".unified" else " "
        if (last.kind in _WORDS or word in (")", "]")) and token.kind in _WORDS:
            return " "
    return None


def _would_grow(last: Token, token: Token, word: str, after: str) -> bool:
    """Whether two tokens without a blank between them would be read as others."""
    if last.kind is TokenKind.MARK:
        return word[-1] in ".%"
    if token.kind is TokenKind.MARK:
        return after[0] == "." or (after[0] == ":" and last.kind is TokenKind.DOT)
    return True


def opcode_end(text: str, tokens: list[Token]) -> int:
    """The token behind an instruction's guard, mnemonic and qualifiers."""
    index = 0
    if text[tokens[0].start] == "@":
        index = 1
        while index < len(tokens) and text[tokens[index].start] == "!":
            index += 1
        index += 1
    index += 1
    while index < len(tokens) and tokens[index].kind is TokenKind.DOT:
        index += 1
    return index
