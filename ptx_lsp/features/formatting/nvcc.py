r"""The layout of nvcc: ``\tadd.s32 \t%r1, %r2, 4;``.

It was measured on the output of nvcc 13.0 and is a convention of that program, not a fact about PTX: the instruction
templates of LLVM differ individually in their white space.
"""

from __future__ import annotations

import re

from ptx_lsp.features.formatting.spacing import FLUSH, opcode_end
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import Token

_TWO_BLANKS = ("and.", "or.", "xor.")
_ONE_BLANK = ("redux.", "suld.", "wmma.mma.")
_DEPOT = "__local_depot"
_UNALIGNED = frozenset({"temp_param_reg", "%temp"})
"""Registers that nvcc declares for a single call or operation, without a tab."""

_TEMPORARY = re.compile(r"\.reg\s++\.b32\s++%temp\s*+;").match

BEGIN_ASM, END_ASM = "// begin inline asm", "// end inline asm"
"""Comments around inline assembly, which nvcc copies unchanged."""


def opcode_gap(opcode: str) -> str:
    """Return nvcc's white space between an opcode and its operands."""
    if opcode.startswith(_TWO_BLANKS):
        return "  \t"
    return " " if opcode.startswith(_ONE_BLANK) else " \t"


def trailing(line: str) -> str:
    """Return nvcc's white space at the end of a line, which the gaps in it may still have to become."""
    return " " if line.startswith("bar.red.") or _TEMPORARY(line) else ""


def nvcc_spacing(text: str, tokens: list[Token], wanted: list[str], kind: Kind) -> list[str]:
    """Change the wanted white space before each token to nvcc's."""
    words = [text[token.start : token.end] for token in tokens]
    if kind is Kind.INSTRUCTION:
        joint = opcode_end(text, tokens)
        if words[joint - 1 :][:1] and "call" in words[:joint]:
            _call(words, wanted, joint)
        elif joint < len(words) and words[joint] != ";":
            first = 0 if words[0] != "@" else next(at for at in range(1, joint) if words[at] != "!") + 1
            wanted[joint] = opcode_gap("".join(words[first:joint]))
    elif kind is Kind.REGISTERS:
        named = [at for at, word in enumerate(words) if not word.startswith(".") and not word[0].isdigit()]
        if named and words[named[0]] not in _UNALIGNED and "," not in words:
            wanted[named[0]] = " \t"
    elif kind is Kind.VARIABLE:
        for at, word in enumerate(words):
            if word.startswith(_DEPOT):
                wanted[at] = " \t"
    elif kind in (Kind.LOCATION, Kind.FILE, Kind.SECTION) and len(wanted) > 1:
        wanted[1] = "\t"
    elif kind is Kind.PROTOTYPE:
        for at in range(1, len(words)):
            if words[at] == "_" and words[at - 1] == ")":
                wanted[at] = "" if words[at - 2] == "(" else " "
            elif words[at] == "(":
                wanted[at] = " "
    return wanted


def _call(words: list[str], wanted: list[str], joint: int) -> None:
    """Lay out a call on separate lines: result, function, each argument, prototype."""
    at = joint
    if words[at] == "(":
        wanted[at] = " "
        at = words.index(")", at) + 1 if ")" in words[at:] else len(words)
        at += words[at : at + 1] == [","]
    if at >= len(words):
        return
    wanted[at] = f" {FLUSH}"  # the callee
    if "(" not in words[at:]:
        return
    opening = words.index("(", at)
    closing = words.index(")", opening) if ")" in words[opening:] else len(words)
    wanted[opening] = f" {FLUSH}"
    for index in range(opening + 1, closing):
        if words[index - 1] in ("(", ","):
            wanted[index] = FLUSH if words[index - 1] == "(" else f" {FLUSH}"
    if closing < len(words):
        wanted[closing] = FLUSH
        if words[closing + 1 : closing + 2] == [","]:
            wanted[closing + 1] = FLUSH
