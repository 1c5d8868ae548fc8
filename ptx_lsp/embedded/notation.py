"""Operands as the host writes them: ``%0``, ``$0``, ``{0}``. A fragment has names of PTX in their place."""

from __future__ import annotations

import re

from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.fragment_operand import FragmentOperand

_QUOTED = {"gcc": "%", "llvm": "$", "nvvm": "$"}
_NAME = re.compile(r"(?<![\w$])\$(\w+)", re.ASCII)


def operand_name(fragment: AsmFragment, number: int) -> str:
    """The operand with a number, as the host refers to it."""
    if fragment.site.dialect == "rust":
        name = fragment.operands[number].written.name if 0 <= number < len(fragment.operands) else None
        return f"{{{name or number}}}"
    return f"{_QUOTED.get(fragment.site.dialect, '$')}{number}"


def as_host_writes(text: str, fragment: AsmFragment) -> str:
    """A text about PTX with the operands as the host refers to them: ``{x}`` for ``$x`` in Rust."""
    dialect = fragment.site.dialect
    if dialect not in ("rust", "nvvm") or "$" not in text:
        return text
    names = fragment.rewritten_names

    def written(match: re.Match[str]) -> str:
        if match[0] not in names:
            return match[0]
        return f"{{{match[1]}}}" if dialect == "rust" else f"{{{match[0]}}}"

    return _NAME.sub(written, text)


def constraint_of(fragment: AsmFragment, operand: FragmentOperand) -> str:
    """The constraint of an operand as the host writes it, with quotation marks: ``"=r"``, ``out(reg32)``, ``i32``."""
    written = operand.written
    if written.constraint is None:
        return "…"
    if fragment.site.dialect in ("rust", "nvvm"):
        return " ".join(fragment.site.text[written.constraint_span.start : written.constraint_span.end].split())
    return f'"{written.constraint}"'


def with_expression(fragment: AsmFragment, operand: FragmentOperand, expression: str) -> str:
    """An operand as the host writes it: ``"r"(x)``, ``in(reg32) x``, ``%x : i32``."""
    constraint = constraint_of(fragment, operand)
    if not expression:
        return constraint
    if fragment.site.dialect == "rust":
        return f"{constraint} {expression}"
    return f"{expression} : {constraint}" if fragment.site.dialect == "nvvm" else f"{constraint}({expression})"


def as_input_too(fragment: AsmFragment, operand: FragmentOperand) -> str:
    """The advice to make an output an input as well, in words of the host."""
    constraint = constraint_of(fragment, operand)
    match fragment.site.dialect:
        case "rust":
            return f"use '{constraint.replace('out', 'inout', 1).replace('lateinout', 'inlateout', 1)}'"
        case "nvvm":
            return "use 'rw'"
        case "llvm":
            return f"tie an input to it: '{operand.number}'"
    return f"use '{constraint.strip(chr(34)).replace('=', '+', 1)}'"
