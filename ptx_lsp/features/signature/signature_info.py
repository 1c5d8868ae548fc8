"""Signature help as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from ptx_lsp.named_tuples import NamedTuple

WIDTH = 72
"""The maximum width of a label in columns; clients break longer ones at arbitrary places."""


class Parameter(NamedTuple):
    """The part of a label that describes one operand."""

    start: int
    """Offsets into the label, in code points; the label is ASCII except for ``×`` and ``…``."""
    end: int
    words: str
    """The description and requirements; code spans in backticks."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One form of the statement at the cursor."""

    label: str
    parameters: tuple[Parameter, ...]
    active: int | None
    """The index of the active parameter; None if there is none."""
    words: str = ""
    """The description of the statement, and the unmet requirement; code spans in backticks."""
    fits: bool = True
    """Whether the operands before the cursor match."""


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """The possible forms of the statement at the cursor, best first."""

    signatures: tuple[Signature, ...]
    active: int = 0


class SignatureLabel:
    """A builder of a label and its parameters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parameters: list[Parameter] = []

    def add(self, text: str, words: str | None = None) -> None:
        """Append a part; with ``words`` it is a parameter."""
        if words is not None:
            self.parameters.append(Parameter(len(self.text), len(self.text) + len(text), words))
        self.text += text
