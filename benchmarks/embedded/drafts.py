"""Instructions with operands, as yet in no language; and the statements of each language that contain them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.certification.writing import register_type

_REGISTER = re.compile(r"%([a-z]+)(\d+)(?![\w$])")
_SPECIAL = re.compile(r"%(?=[a-z])")
_NUMBER = re.compile(r"(?<![\w$.%:+\1])\d+(?![\w.\2])")
_MARK = re.compile("\1(\\d+)\2")
_OWN = "\0"
"""Stands for the sigil of names that are no operands."""
_OTHER_KIND = 0.15
"""The part of the operands with a random kind."""
_CONSTANT = 0.2
"""The part of the numbers that are operands."""
_LOCAL = 0.15
"""The part of the registers that the template declares."""
_SPLIT = 0.3
"""The part of the places between words at which a literal ends and another one begins."""


class DraftOperand(NamedTuple):
    """An operand; the first one that is a register is read and written, others are read."""

    kind: str
    """The type of a register; empty for a constant."""
    value: str
    """The value of a constant."""


class Draft(NamedTuple):
    """An instruction, with marks for its operands and for the sigil of other names."""

    body: str
    operands: tuple[DraftOperand, ...]

    @property
    def has_output(self) -> bool:
        """Whether the first operand is written."""
        return bool(self.operands) and self.operands[0].kind != ""

    @property
    def has_constants(self) -> bool:
        """Whether some operand is a constant."""
        return any(not one.kind for one in self.operands)

    def text(self, operand: Callable[[int], str], sigil: str) -> str:
        """The template, with the notation of a language for operands and for the sigil of other names."""
        return _MARK.sub(lambda match: operand(int(match[1])), self.body).replace(_OWN, sigil)


def draft(text: str, kinds: frozenset[str], chance: random.Random, *, has_constants: bool) -> Draft:
    """An instruction whose registers of some kinds are operands, or declared in the template.

    Args:
        text: the instruction.
        kinds: the types of registers that operands can have in the language.
        chance: decides.
        has_constants: whether operands can be constants whose value is in the source.

    """
    names = dict.fromkeys(match[0] for match in _REGISTER.finditer(text))
    local: dict[str, str] = {}
    operands: list[DraftOperand] = []
    numbers: dict[str, int] = {}
    for name in names:
        kind = register_type(name)
        if kind is None:
            continue
        if kind not in kinds or chance.random() < _LOCAL:
            local[name] = kind
            continue
        numbers[name] = len(operands)
        operands.append(DraftOperand(chance.choice(sorted(kinds)) if chance.random() < _OTHER_KIND else kind, ""))

    def number(match: re.Match[str]) -> str:
        if not has_constants or chance.random() >= _CONSTANT:
            return match[0]
        operands.append(DraftOperand("", match[0]))
        return f"\1{len(operands) - 1}\2"

    opcode, blank, rest = text.partition(" ")
    rest = _REGISTER.sub(lambda match: f"\1{numbers[match[0]]}\2" if match[0] in numbers else _OWN + match[0][1:], rest)
    rest = _SPECIAL.sub(_OWN, _NUMBER.sub(number, rest))
    body = opcode + blank + rest
    if local:
        declared = " ".join(f".reg {kind} {_OWN}{name[1:]};" for name, kind in local.items())
        body = f"{{ {declared} {body} }}"
    return Draft(body, tuple(operands))


class Language(NamedTuple):
    """A language of the host."""

    kinds: frozenset[str]
    """The types of registers that operands can have."""
    has_constants: bool
    """Whether the source of a statement has the values of its constants."""
    write: Callable[[Draft, random.Random], str]
    """Writes a source with one statement."""


def literals(body: str, chance: random.Random, separators: Sequence[str], ends: Sequence[str]) -> str:
    """A text as one literal in quotation marks, or as several with something between them."""
    is_split = chance.random() < 0.5
    first, *others = body.split(" ")
    text = first + "".join(
        (f' "{chance.choice(separators)}"' if is_split and chance.random() < _SPLIT else " ") + word for word in others
    )
    return f'"{text}{chance.choice(ends)}"'


_ENDS = ("", r"\n", r"\n\t", r"\t")
_HEX_ENDS = ("", r"\0A", r"\0a\09", r"\n")
_GCC = {".b16": "h", ".b32": "r", ".b64": "l", ".f32": "f", ".f64": "d", ".b128": "q"}
_LLVM = {**_GCC, ".pred": "b"}
_RUST = {".b16": "reg16", ".b32": "reg32", ".b64": "reg64"}
_TYPES = {".pred": "i1", ".b16": "i16", ".b32": "i32", ".b64": "i64", ".f32": "f32", ".f64": "f64", ".b128": "i128"}
_VALUE_TYPES = {kind: word for kind, word in _TYPES.items() if kind != ".b128"}
_LLVM_TYPES = {**_TYPES, ".f32": "float", ".f64": "double"}


def _cpp(one: Draft, chance: random.Random) -> str:
    body = one.text(lambda number: f"%{number}", "%%" if one.operands else "%")
    if chance.random() < 0.1:
        template = f'R"ptx({body})ptx"'
    else:
        separators = (" ", "\n        ", " /* and */ ", "  // to here\n        ")
        template = literals(body, chance, separators, _ENDS)
    lists: tuple[list[str], list[str]] = ([], [])
    for number, operand in enumerate(one.operands):
        is_output = not number and one.has_output
        letter = "n" if not operand.kind else ("+" if is_output else "") + _GCC[operand.kind]
        lists[not is_output].append(f'"{letter}"({operand.value or f"x{number}"})')
    keyword = chance.choice(("asm", "asm volatile", "__asm__ __volatile__"))
    operands = f" : {', '.join(lists[0])} : {', '.join(lists[1])}" if one.operands else ""
    memory = ' : "memory"' if operands and chance.random() < 0.5 else ""
    return f"__device__ void f() {{\n    {keyword}({template}{operands}{memory});\n}}\n"


def _rust(one: Draft, chance: random.Random) -> str:
    is_named = chance.random() < 0.5
    is_raw = not is_named and chance.random() < 0.2
    doubled = one._replace(body=one.body.replace("{", "{{").replace("}", "}}"))
    body = doubled.text(lambda number: f"{{x{number}}}" if is_named else f"{{{number}}}", "%")
    separators = (", ", ",\n         ", " , /* and */ ", ", // to here\n         ")
    template = f'r#"{body}"#' if is_raw else literals(body, chance, separators, (*_ENDS, r"\x0a", r"\u{9}"))
    if not is_raw and chance.random() < 0.2:
        template = f"concat!({template})"
    written = [template]
    for number, operand in enumerate(one.operands):
        name = f"x{number} = " if is_named else ""
        direction = "inout" if not number and one.has_output else "in"
        value = f"{direction}({_RUST[operand.kind]}) x{number}" if operand.kind else f"const {operand.value}"
        written.append(name + value)
    if chance.random() < 0.5:
        written.append("options(nostack)")
    return f'#[cfg(target_arch = "nvptx64")]\nunsafe fn f() {{\n    asm!({", ".join(written)});\n}}\n'


def _constraints(one: Draft) -> tuple[str, list[int]]:
    """The constraints in LLVM's notation, and the operands whose values follow: an input is tied to the output."""
    words = [
        ("=" if not number and one.has_output else "") + (_LLVM[operand.kind] if operand.kind else "n")
        for number, operand in enumerate(one.operands)
    ]
    values = list(range(one.has_output, len(words)))
    return ",".join([*words, *["0"] * one.has_output]), values + [0] * one.has_output


def _dollars(one: Draft, chance: random.Random) -> str:
    is_braced = chance.random() < 0.2
    return one.text(lambda number: f"${{{number}}}" if is_braced else f"${number}", "%")


def _mojo(one: Draft, chance: random.Random) -> str:
    separators = (" ", "\n        ", " + ", "  # to here\n        ")
    template = literals(_dollars(one, chance), chance, separators, (*_ENDS, r"\x0a"))
    constraints, values = _constraints(one)
    given = ", ".join(one.operands[number].value or f"x{number}" for number in values)
    result = "UInt32" if one.has_output else "NoneType"
    return (
        "fn f():\n    if is_nvidia_gpu():\n"
        f"        _ = inlined_assembly[\n        {template},\n"
        f'        {result}, constraints="{constraints}",\n    ]({given})\n'
    )


def _python(one: Draft, chance: random.Random) -> str:
    body = _dollars(one, chance)
    if chance.random() < 0.2:
        template = f'"""\n        {body}\n        """'
    elif chance.random() < 0.2:
        template = "f'" + body.replace("{", "{{").replace("}", "}}") + "'"
    else:
        template = literals(
            body, chance, (" ", "\n        ", " + ", "  # to here\n        "), (*_ENDS, r"\x0a", r"\u000a")
        )
    constraints, values = _constraints(one)
    given = ", ".join(one.operands[number].value or f"x{number}" for number in values)
    return (
        "def f():\n    tl.inline_asm_elementwise(\n"
        f'        {template},\n        "{constraints}", [{given}], dtype=tl.int32, is_pure=True, pack=1)\n'
    )


def _mlir(one: Draft, chance: random.Random) -> str:
    if chance.random() < 0.5:
        constraints, values = _constraints(one)
        template = f'"{_dollars(one, chance)}{chance.choice(_HEX_ENDS)}"'
        given = ", ".join(f"%x{number}" for number in values)
        types = ", ".join(_TYPES[one.operands[number].kind] for number in values)
        result = _TYPES[one.operands[0].kind] if one.has_output else "()"
        line = f'llvm.inline_asm has_side_effects {template}, "{constraints}" {given} : ({types}) -> {result}'
        return f"gpu.func @f() kernel {{\n  {line}\n}}\n"
    style = chance.randrange(3)

    def operand(number: int) -> str:
        role = f"{{$rw{number}}}" if not number and one.has_output else f"{{$r{number - one.has_output}}}"
        return (role, f"${number}", f"%{number}")[style]

    lists = []
    for word, numbers in (("rw", range(one.has_output)), ("ro", range(one.has_output, len(one.operands)))):
        if numbers:
            given = ", ".join(f"%x{number}" for number in numbers)
            types = ", ".join(_VALUE_TYPES.get(one.operands[number].kind, "i128") for number in numbers)
            lists.append(f"{word} ({given} : {types})")
    chance.shuffle(lists)
    template = f'"{one.text(operand, "%")}{chance.choice(_HEX_ENDS)}"'
    return f"gpu.func @f() kernel {{\n  nvvm.inline_ptx {template} {' '.join(lists)}\n}}\n"


def _ir(one: Draft, chance: random.Random) -> str:
    constraints, values = _constraints(one)
    template = f'"{_dollars(one, chance)}{chance.choice(_HEX_ENDS[:3])}"'
    given = ", ".join(
        f"{_LLVM_TYPES[one.operands[number].kind]} %x{number}"
        if one.operands[number].kind
        else f"i32 {one.operands[number].value}"
        for number in values
    )
    result = _LLVM_TYPES[one.operands[0].kind] if one.has_output else "void"
    call = f'call {result} asm sideeffect {template}, "{constraints}"({given})'
    return (
        f'target triple = "nvptx64-nvidia-cuda"\ndefine void @f() {{\n  {"%d = " if one.has_output else ""}{call}\n}}\n'
    )


LANGUAGES = {
    "cuda-cpp": Language(frozenset(_GCC), True, _cpp),
    "rust": Language(frozenset(_RUST), True, _rust),
    "mojo": Language(frozenset(_LLVM), True, _mojo),
    "mlir": Language(frozenset(_VALUE_TYPES), False, _mlir),
    "llvm": Language(frozenset(_LLVM), True, _ir),
    "python": Language(frozenset(_LLVM), True, _python),
}
