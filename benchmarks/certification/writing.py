"""Writes operands as PTX text, and the declarations of all that they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

_PREFIXES = {
    ".pred": "p",
    ".b8": "b",
    ".b16": "h",
    ".b32": "r",
    ".b64": "rd",
    ".b128": "q",
    ".u16": "us",
    ".s16": "ss",
    ".u32": "u",
    ".s32": "s",
    ".u64": "ul",
    ".s64": "sl",
    ".f16": "hf",
    ".f16x2": "hx",
    ".f32": "f",
    ".f64": "fd",
}
_VARIABLES = {".global": "gl", ".const": "cn", ".shared": "sh", ".local": "lc", ".param": "pm"}
"""A variable of each state space; of ``.shared::cta`` that of ``.shared``."""
_SPECIAL = {".u32": "%clock", ".u64": "%clock64"}
_OTHER_SPECIAL = "%tid"
_REFERENCES = {"texref": "tx", "surfref": "sf", "samplerref": "sm"}


class Writer:
    """Writes operands; each register gets a number of its own, so that a vector repeats none."""

    def __init__(self) -> None:
        self._next = 0

    def statement(self, opcode: tuple[str, ...], operands: tuple[ActualOperand, ...]) -> str:
        """A whole instruction with its semicolon.

        An indirect call names a table of functions where its form has a variable or a function: what is in the variable
        is the business of rules (E205), not of forms.
        """
        self._next = 0
        text = "".join(opcode)
        written = [self.operand(operand) for operand in operands]
        if text.partition(".")[0] == "call":
            kinds = [operand.kind for operand in operands]
            suffix = "r" * (kinds[:1] == ["arguments"]) + "a" * ("arguments" in kinds[1:])
            named = {"fn": ("fn" if "register" not in kinds else "tb") + suffix, "gl": "tb" + suffix}
            written = [named.get(name, name) for name in written]
        return f"{text} {', '.join(written)};" if written else f"{text};"

    def operand(self, operand: ActualOperand) -> str:
        """One operand with sign, selector and pair."""
        text = operand.sign + self._body(operand) + operand.selector
        if operand.offset:
            text += "+4"
        return f"{text}|{self.operand(operand.pair)}" if operand.pair is not None else text

    def _body(self, operand: ActualOperand) -> str:
        kind = operand.kind
        parts = ", ".join(map(self.operand, operand.parts))
        brackets = {"address": "[]", "vector": "{}", "arguments": "()"}.get(kind)
        if brackets is not None:
            return brackets[0] + parts + brackets[1]
        if kind == "register":
            self._next = self._next % 12 + 1
            return f"%{_PREFIXES[operand.type]}{self._next}"
        if kind in _REFERENCES:
            return _REFERENCES[kind]
        if kind == "special":
            return _SPECIAL.get(operand.type, _OTHER_SPECIAL)
        if kind == "float":
            return "0f40000000" if operand.type == ".f32" else "2.0"
        plain = {"sink": "_", "label": "L0", "function": "fn"}
        return plain.get(kind) or (
            _VARIABLES[operand.space.partition("::")[0]] if kind == "variable" else str(operand.value)
        )


def special_gates(operands: Iterable[ActualOperand]) -> Iterator[Gate]:
    """The gates of the special registers and opaque variables that stand for operands, on whatever depth."""
    for operand in operands:
        if operand.kind in _REFERENCES:
            yield catalogue().vocabulary.types[f".{operand.kind}"].declared or OPEN
        if operand.kind == "special":
            yield catalogue().vocabulary.special_registers[_SPECIAL.get(operand.type, _OTHER_SPECIAL)].gate
        yield from special_gates(operand.parts)


_REGISTER = re.compile(r"%([a-z]+)\d")
_TYPES = {prefix: name for name, prefix in _PREFIXES.items()}


def register_type(name: str) -> str | None:
    """The type of a register that a :class:`Writer` names: ``.b32`` for ``%r1``; None for special registers."""
    match = _REGISTER.match(name)
    return _TYPES.get(match[1]) if match is not None else None


_MODULE = {
    "gl": ".global .align 16 .b8 gl[256];",
    "cn": ".const .align 16 .b8 cn[64];",
    "sh": ".shared .align 16 .b8 sh[256];",
    "tx": ".global .texref tx;",
    "sf": ".global .surfref sf;",
    "sm": ".global .samplerref sm;",
    "fn": ".func fn() {ret;}",
    "fna": ".func fna(.reg .b32 x) {ret;}",
    "fnr": ".func (.reg .b32 y) fnr() {ret;}",
    "fnra": ".func (.reg .b32 y) fnra(.reg .b32 x) {ret;}",
    "tb": ".func tf() {ret;} .global .u64 tb[1] = {tf};",
    "tba": ".func tfa(.reg .b32 x) {ret;} .global .u64 tba[1] = {tfa};",
    "tbr": ".func (.reg .b32 y) tfr() {ret;} .global .u64 tbr[1] = {tfr};",
    "tbra": ".func (.reg .b32 y) tfra(.reg .b32 x) {ret;} .global .u64 tbra[1] = {tfra};",
}
"""Variables, functions, and tables of functions: without arguments, with results (``r``), with arguments (``a``)."""
_FUNCTION = {"lc": ".local .align 16 .b8 lc[64];", "pm": ".param .align 16 .b8 pm[64];"}
_SAMPLER = re.compile(r"^(?:tex|tld4)\..*\[(?:tx|%\w+), (?:%\w+|sm),|^txq.*\[sm\]")
_NAME = re.compile(r"(?<![\w.%])[a-z]+\b")


def declarations(statement: str) -> str:
    """The registers, variables and labels inside a function that a statement names.

    Nothing else is declared: old versions and targets refuse much of what a statement does not need.
    """
    found = dict.fromkeys(match[1] for match in _REGISTER.finditer(statement))
    text = " ".join(f".reg {_TYPES[prefix]} %{prefix}<16>;" for prefix in found if prefix in _TYPES)
    if not parameters(statement):
        text += " ".join(_FUNCTION[name] for name in names(statement) if name in _FUNCTION)
    if "L0" in statement:
        text += " L0:" + (_prototype(statement) if statement.startswith("call") else _list_of_targets(statement))
    return text


def can_be_declared(statement: str, version: Version, target: Target) -> bool:
    """Whether a module has the types of all registers that a statement names."""
    types = catalogue().vocabulary.types
    found = {_TYPES[match[1]] for match in _REGISTER.finditer(statement) if match[1] in _TYPES}
    gates = (types[name].declared for name in found)
    return all(gate is not None and gate.allows(version, target) for gate in gates)


def parameters(statement: str) -> str:
    """The parameters of the kernel; what is called or written takes a ``.param`` variable of the function."""
    own = statement.startswith(("call", "st")) or "::func" in statement
    return ".param .align 64 .b8 pm[128]" if "pm" in names(statement) and not own else ""


def module_declarations(names_used: frozenset[str]) -> str:
    """The module-level declarations of some names."""
    return "".join(_MODULE[name] + "\n" for name in sorted(names_used) if name in _MODULE)


def module_names(statement: str) -> frozenset[str]:
    """The module-level names that a statement uses, and ``texmode`` if it names a sampler apart from its texture."""
    found = {name for name in names(statement) if name in _MODULE}
    return frozenset(found | {"texmode"} if _SAMPLER.search(statement) else found)


def names(statement: str) -> list[str]:
    """The lower-case names among the operands."""
    return _NAME.findall(statement.partition(" ")[2])


def _prototype(statement: str) -> str:
    result = "(.reg .b32 y)" if statement.partition(" ")[2].startswith("(") else ""
    return f" .callprototype {result} _ {'(.reg .b32 x)' if ', (' in statement else '()'};"


def _list_of_targets(statement: str) -> str:
    """What the label of a table of branch targets stands for."""
    return " .branchtargets L1; L1:" if statement.startswith("brx") else ""
