"""White space between the tokens of a statement."""

from __future__ import annotations

from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import Token, TokenKind

BREAK = "\n>"
"""A wanted line break with continuation indentation."""
FLUSH = "\n"
"""A wanted line break with the indentation of the statement."""

_NOTHING_BEFORE = frozenset({",", ";", ")", "]", "}"})
_NOTHING_AFTER = frozenset({"(", "[", "{", "@", "!", "~"})
_WORDS = frozenset({TokenKind.NAME, TokenKind.DOT, TokenKind.INTEGER, TokenKind.FLOAT, TokenKind.STRING})
_ONE_TOKEN = frozenset({"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "@@", "//", "/*", "*/"})
"""Character pairs that form one token or a comment marker unless separated by white space."""
_UNARY_AFTER = frozenset({"", *", ( [ { = + - * / | & ^ << >> ? : ~ !".split()})


def gaps(text: str, tokens: list[Token], kind: Kind) -> list[str]:
    """Return the wanted white space before each token; empty before the first one.

    White space is changed only where a rule applies; between other tokens a single blank remains if there was any.
    """
    found = [""]
    brackets: list[str] = []
    loose = kind is Kind.INSTRUCTION  # words of an opcode adjoin, those of a declaration do not
    before, word, last = "", text[tokens[0].start : tokens[0].end], tokens[0]
    if word in _OPENING:
        brackets.append(word)
    for token in tokens[1:]:
        next_word = text[token.start : token.end]
        blank = " " if token.start > last.end else ""
        inside = brackets[-1] if brackets else ""
        gap = _between((before, word, next_word), (last.kind, token.kind), blank, inside, loose)
        if loose and token.kind is TokenKind.DOT and last.kind in (TokenKind.NAME, TokenKind.DOT):
            gap = ""  # a line that begins with `.global .u32` is a declaration
        elif not gap and blank:
            one = word[-1] + next_word[0] in _ONE_TOKEN or _would_merge(last, token, word, next_word)
            gap = blank if one else gap
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
    words: tuple[str, str, str], kinds: tuple[TokenKind, TokenKind], blank: str, inside: str, loose: bool
) -> str:
    """Return the white space between the last two of three consecutive words, whose token kinds are ``kinds``.

    Args:
        words: the word before the pair, then the pair.
        kinds: the token kinds of the pair.
        blank: the white space used if no rule applies.
        inside: the innermost open bracket, or ``""``.
        loose: whether words may also adjoin each other, as in an opcode.

    """
    before, word, after = words
    last, token = kinds
    if word == ",":
        return "" if after in (",", ";") else " "
    if after in _NOTHING_BEFORE or word in _NOTHING_AFTER:
        return ""
    if word == "=" or after == "=":
        return " "
    if inside == "[" and (word in ("+", "-") or after in ("+", "-")):
        return ""
    if word in ("-", "+") and before in _UNARY_AFTER:
        return ""
    if after == ":" or (inside == "<" and (word == "<" or after == ">")):
        return ""
    if after in ("[", "<") and last is TokenKind.NAME and not loose:
        return ""
    if not loose:
        if after == "(" and last is TokenKind.DOT:
            return "" if word == ".attribute" or word == ".unified" else " "
        if (last in _WORDS or word in (")", "]")) and token in _WORDS:
            return " "
    return blank


def _would_merge(last: Token, token: Token, word: str, after: str) -> bool:
    """Whether two tokens would be tokenized differently without white space between them."""
    if last.kind is TokenKind.MARK:
        return word[-1] in ".%"
    if token.kind is TokenKind.MARK:
        return after[0] == "." or (after[0] == ":" and last.kind is TokenKind.DOT)
    return True


def opcode_end(text: str, tokens: list[Token]) -> int:
    """Return the index of the token after an instruction's guard, mnemonic and qualifiers."""
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
