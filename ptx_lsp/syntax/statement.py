"""One statement of a text with its shape."""

from __future__ import annotations

from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape, shape_of
from ptx_lsp.syntax.tokens import Token, tokenize
from ptx_lsp.text import Span

__all__ = ["Kind", "Shape", "Statement"]


class Statement:
    """A statement: text, including leading trivia, and shape. Cheap to construct; tokens are computed on demand."""

    __slots__ = ("_tokens", "shape", "text")

    def __init__(self, text: str, shape: Shape | int | None = None) -> None:
        self.text = text
        self.shape = shape_of(text) if shape is None else SHAPES[shape] if isinstance(shape, int) else shape
        self._tokens: list[Token] | None = None

    @property
    def kind(self) -> Kind:
        """The kind of the shape."""
        return self.shape.kind

    @property
    def tokens(self) -> list[Token]:
        """The tokens, with offsets in ``text``."""
        if self._tokens is None:
            self._tokens = tokenize(self.text)
        return self._tokens

    @property
    def lead(self) -> int:
        """The offset of the first token: the length of the trivia."""
        return self.tokens[0].start if self.tokens else len(self.text)

    def word(self, index: int) -> str:
        """The text of a token."""
        token = self.tokens[index]
        return self.text[token.start : token.end]

    def span(self, first: int, last: int | None = None) -> Span:
        """The span of a token, or of the tokens ``[first, last)``, in ``text``."""
        end = self.tokens[first if last is None else last - 1].end
        return Span(self.tokens[first].start, end)

    def __repr__(self) -> str:
        return f"Statement({self.text!r}, {self.kind.name})"
