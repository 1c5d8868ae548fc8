r"""The layout of NVIDIA's compiler: ``\tadd.s32 \t%r1, %r2, 4;``.

What is here was measured on what nvcc 13.0 writes. It is a habit of a program, not a fact about PTX: the templates from
which LLVM prints instructions differ in their blanks, one by one.
"""

from __future__ import annotations

from ptx_lsp.features.formatting.spacing import FLUSH, opcode_end
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import Token

_TWO_BLANKS = ("and.", "or.", "xor.")
_ONE_BLANK = ("redux.", "suld.", "wmma.mma.")
_DEPOT = "__local_depot"
_UNALIGNED = frozenset({"temp_param_reg", "%temp"})
"""Registers that nvcc declares for the length of a call or of one operation, without a tab."""

BEGIN_ASM, END_ASM = "// begin inline asm", "// end inline asm"
"""Between them stands what a programmer wrote; nvcc copies it as it is."""


def opcode_gap(opcode: str) -> str:
    """What nvcc writes between an opcode and its operands."""
    if opcode.startswith(_TWO_BLANKS):
        return "  \t"
    return " " if opcode.startswith(_ONE_BLANK) else " \t"


def trailing(statement: str) -> str:
    """What nvcc writes behind a statement at the end of its line."""
    return " " if statement.startswith((".reg .b32 %temp;", "bar.red.")) else ""


def nvcc_spacing(text: str, tokens: list[Token], wanted: list[str], kind: Kind) -> list[str]:
    """The blanks between the tokens of a statement, changed to what nvcc writes."""
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
    """A call takes a line for the result, the function, each argument, the prototype."""
    at = joint
    if words[at] == "(":
        wanted[at] = " "
        at = words.index(")", at) + 1 if ")" in words[at:] else len(words)
        at += words[at : at + 1] == [","]
    if at >= len(words):
        return
    wanted[at] = f" {FLUSH}"  # the function
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
