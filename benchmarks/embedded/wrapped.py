"""Fragments as ptxas gets them: a block with a register for each operand, which keeps its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ptx_lsp.analysis.symbols.given_names import GivenKind
from ptx_lsp.embedded.fragment import AsmFragment

VALUES = ("0", "1", "2", "4", "8", "16", "32", "64", "128", "-1", "3", "5")
"""The values that are tried for a constant whose value the source does not tell."""


def wrapped(fragment: AsmFragment, *, older: bool, value: str | None = None) -> str | None:
    """The statements with declarations of their operands; None if a part of the text is unknown.

    Args:
        fragment: the fragment.
        older: whether registers have the types that compilers before CUDA 13 declare.
        value: the value of all constants; by default what the source has, if that is a number.

    """
    if fragment.unknown.opaque or fragment.unknown.has_statements:
        return None
    declared: list[str] = []
    text = fragment.text
    given = {one.name: one for one in fragment.given(older=older)}
    for name, one in given.items():
        if one.kind is GivenKind.REGISTER:
            declared.append(f".reg {one.type} {name};")
        elif one.kind is GivenKind.UNKNOWN:
            return None
    constants = [name for name, one in given.items() if one.kind is GivenKind.CONSTANT]
    if constants:
        pattern = re.compile(rf"(?<![\w$%])(?:{'|'.join(map(re.escape, constants))})(?![\w$])")
        values = _values(fragment, constants, value)
        if values is None:
            return None
        text = pattern.sub(lambda match: values[match[0]], text)
    return "{\n" + "\n".join(declared) + "\n" + text + "\n}"


def _values(fragment: AsmFragment, names: Sequence[str], value: str | None) -> dict[str, str] | None:
    found = {}
    for mark in fragment.marks:
        name = fragment.text[mark.span.start : mark.span.end]
        operand = fragment.operand_of(mark)
        if name in names and operand is not None:
            written = operand.written.expression.strip() if value is None else value
            if re.fullmatch(r"-?(?:\d+|0x[\da-fA-F]+)", written) is None:
                return None
            found[name] = written
    return found
