"""Layout of function heads: one parameter per line, one directive per line."""

from __future__ import annotations

from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.spacing import BREAK, FLUSH, gaps
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import Token, TokenKind


def head_gaps(text: str, tokens: list[Token], options: Options) -> list[str]:
    """Return the wanted white space before each token of a head."""
    wanted = gaps(text, tokens, Kind.FUNCTION)
    words = [text[token.start : token.end] for token in tokens]
    name = _name(tokens, words)
    declares = words[-1] == ";"
    at = name + 1
    if at < len(tokens) and words[at] == "(":
        at = _parameters(words, wanted, at, options.nvcc and declares)
    for index in range(max(at, 1), len(tokens)):
        if tokens[index].kind is TokenKind.DOT:
            wanted[index] = FLUSH if words[index] != ".pragma" else " "  # at a line start it would end the head
        elif words[index] == ";" and index == len(tokens) - 1 and options.nvcc:
            wanted[index] = FLUSH
    if options.nvcc and name > 1 and words[name - 1] == ")":
        first = words.index("(")
        if tokens[first - 1].kind is TokenKind.DOT:
            wanted[first] = "  "
    return wanted


def _name(tokens: list[Token], words: list[str]) -> int:
    """Return the index of the function's name: the first name outside parentheses."""
    depth = 0
    for index, token in enumerate(tokens):
        if words[index] == "(":
            depth += 1
        elif words[index] == ")":
            depth -= 1
        elif token.kind is TokenKind.NAME and not depth:
            return index
    return len(tokens)


def _parameters(words: list[str], wanted: list[str], at: int, nvcc_declares: bool) -> int:
    """Lay out the parameters from the parenthesis at ``at`` on; return the index after the closing parenthesis."""
    wanted[at] = FLUSH if nvcc_declares else ""
    depth = 0
    empty = words[at + 1 : at + 2] == [")"]
    for index in range(at, len(words)):
        word = words[index]
        if depth == 1 and index > at and words[index - 1] in ("(", ",") and word != ")":
            wanted[index] = BREAK
        if word == "(":
            depth += 1
        elif word == ")":
            depth -= 1
            if not depth:
                if not empty:
                    wanted[index] = FLUSH
                return index + 1
    return len(words)
