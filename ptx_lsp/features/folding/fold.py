"""The values that folding ranges consist of."""

from __future__ import annotations

from enum import Enum

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span


class FoldKind(Enum):
    """The kind of text that a folding range covers."""

    BLOCK = "block"
    """Braces: a function body, a nested block, a section."""
    COMMENT = "comment"
    """A comment that spans several lines, or consecutive line comments."""
    DECLARATIONS = "declarations"
    """Consecutive declarations of registers or variables, or consecutive ``.file`` lines."""
    LOCATION = "location"
    """A ``.loc`` directive with the statements of its source line."""
    REGION = "region"
    """The text between ``// #region`` and ``// #endregion``."""
    LOOP = "loop"
    """A natural loop, as far as it is in one piece in the text."""
    BASIC_BLOCK = "basic block"
    """A label with the statements up to the next one."""


class Fold(NamedTuple):
    """A collapsible range, from the first token on its first line to the last token on its last line."""

    start: int
    end: int
    what: FoldKind
    amount: int = 0
    """The number of declarations in it, or of lines under a ``.loc``."""
    inside: Span | None = None
    """For a block, the span between its braces, for clients that can hide parts of lines."""
    summary: str = ""
    """The content of a loop or basic block: ``loop over %r5: 24 instructions``."""

    def moved(self, by: int) -> Fold:
        """The fold with its places so many characters further on."""
        inside = self.inside and Span(self.inside.start + by, self.inside.end + by)
        return self._replace(start=self.start + by, end=self.end + by, inside=inside)
