"""Reads instructions for the tests of the matcher: registers and names tell their type and kind by their spelling."""

from __future__ import annotations

import re

from ptx_lsp.isa.match import match
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

TYPES = {
    "p": ".pred",
    "h": ".b16",
    "r": ".b32",
    "rd": ".b64",
    "q": ".b128",
    "f": ".f32",
    "fd": ".f64",
    "s": ".s32",
    "u": ".u32",
    "v": ".v4.b32",
}
NAMES = {
    "global": ActualOperand("variable", ".b8", space=".global"),
    "shared": ActualOperand("variable", ".b8", space=".shared"),
    "param": ActualOperand("variable", ".b8", space=".param"),
    "texture": ActualOperand("texref"),
    "label": ActualOperand("label"),
    "function": ActualOperand("function"),
    "%laneid": ActualOperand("special", ".u32"),
    "%tid": ActualOperand("special", ".v4.u32"),
    "%tid.x": ActualOperand("special", ".u32"),
    "_": ActualOperand("sink"),
}
TOKEN = re.compile(r"\s*(0[fF][0-9a-fA-F]{8}|\d+\.\d+|-?\d+|[%$_a-zA-Z][\w.]*|\.\w+|[\[\]{}(),|+!-])")


class Reader:
    """Reads the operands of one statement."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)

    def take(self, *expected):
        if self.tokens and self.tokens[0] in expected:
            return self.tokens.pop(0)
        return ""

    def list(self, closing):
        items = []
        while not self.take(closing):
            items.append(self.operand())
            self.take(",")
            if not closing and not self.tokens:
                break
        return tuple(items)

    def operand(self):
        sign = self.take("!", "-")
        written = self.body()._replace(sign=sign)
        if self.tokens and self.tokens[0].startswith("."):
            written = written._replace(selector=self.tokens.pop(0))
        if self.take("+"):
            self.tokens.pop(0)
            written = written._replace(offset=True)
        return written._replace(pair=self.operand()) if self.take("|") else written

    def body(self):
        token = self.tokens.pop(0)
        return self.bracket(token) or self.plain(token)

    def bracket(self, token):
        kinds = {"[": ("]", "address"), "{": ("}", "vector"), "(": (")", "arguments")}
        if token not in kinds:
            return None
        closing, kind = kinds[token]
        return ActualOperand(kind, parts=self.list(closing))

    @staticmethod
    def plain(token):
        if token in NAMES:
            return NAMES[token]
        if re.fullmatch(r"-?\d+", token):
            return ActualOperand("integer", value=int(token))
        if token[0].isdigit():
            return ActualOperand("float")
        name, dot, selector = token.partition(".")
        register = re.fullmatch(r"%([a-z]+)\d+", name)
        if register is None:
            return ActualOperand("unknown")
        return ActualOperand("register", TYPES[register[1]], selector=dot + selector)


def read(text):
    """The opcode's words and the operands of ``add.s32 %r1, %r2, 1``."""
    opcode, _, operands = text.rstrip(";").partition(" ")
    words = re.findall(r"^\w+|\.[\w]+(?:::?\w+)*", opcode)
    return tuple(words), Reader(operands).list("") if operands.strip() else ()


def match_text(text, target="sm_90", version="8.6"):
    """The match of a statement in a module of this target and version."""
    opcode, operands = read(text)
    return match(opcode, operands, Version.parse(version), Target.parse(target))
