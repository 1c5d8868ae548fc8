"""What signature help says, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

WIDTH = 72
"""Columns of a label; no editor breaks it where it makes sense."""


class Parameter(NamedTuple):
    """A part of a label that is an operand."""

    start: int
    """Offsets into the label, in code points; the label is ASCII but for ``×`` and ``…``."""
    end: int
    words: str
    """What it is and must be; code spans in backticks."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to write the statement at the cursor."""

    label: str
    parameters: tuple[Parameter, ...]
    active: int | None
    """The parameter at the cursor; None if there is none for it."""
    words: str = ""
    """What the statement does, and what the module lacks for it; code spans in backticks."""
    fits: bool = True
    """Whether the operands before the cursor fit."""


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """The ways to write the statement at the cursor, best first."""

    signatures: tuple[Signature, ...]
    active: int = 0


class SignatureLabel:
    """A label that is being written, part by part."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parameters: list[Parameter] = []

    def add(self, text: str, words: str | None = None) -> None:
        """Append a part; with ``words`` it is a parameter."""
        if words is not None:
            self.parameters.append(Parameter(len(self.text), len(self.text) + len(text), words))
        self.text += text
