"""A function or variable that a mangled name denotes, with its type."""

from __future__ import annotations

from ptx_lsp.names.shown import Shown, listed


class Entity:
    """A function or variable that a name denotes."""

    __slots__ = ("name", "parameters", "result", "suffix")

    def __init__(self, name: Shown, parameters: list[Shown] | None, result: Shown | None, suffix: str) -> None:
        self.name = name
        """With its qualifiers and template arguments."""
        self.parameters = parameters
        """The types of the parameters; None for a variable."""
        self.result = result
        """The result type, which only names of templates have."""
        self.suffix = suffix
        """Qualifiers of a member function."""

    @property
    def text(self) -> str:
        """All of it, as in a declaration."""
        if self.parameters is None:
            return self.name.text
        left = right = ""
        if self.result is not None:
            left, right = self.result.left, self.result.right
            left = left if not left or left.endswith(" ") else f"{left} "
        return f"{left}{self.name.text}({listed(self.parameters)}){self.suffix}{right}"
