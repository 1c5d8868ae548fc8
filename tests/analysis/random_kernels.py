"""Random integer kernels with any control flow, and what a thread does that executes them: slow and simple."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

MOST_STEPS = 400
"""So many instructions a thread executes."""

NARROW = [f"%r{number}" for number in range(6)]
WIDE = [f"%rd{number}" for number in range(4)]
WIDTHS = {**dict.fromkeys(NARROW, 32), **dict.fromkeys(WIDE, 64)}


class Line(NamedTuple):
    """One line of a kernel: a label, or an instruction."""

    text: str
    label: str = ""
    opcode: tuple[str, ...] = ()
    result: str = ""
    operands: tuple[str | int, ...] = ()
    guard: str = ""
    """A predicate, with ``!`` if the instruction is executed where it does not hold."""
    target: str = ""

    @property
    def is_label(self) -> bool:
        """Whether nothing is executed."""
        return bool(self.label)


class Kernel:
    """A random kernel; its lines are numbered from 0, and begin in line :attr:`first` of the text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = list(_lines(self.random))
        head = (
            ".version 8.6\n.target sm_90a\n.address_size 64\n.extern .shared .align 16 .b8 smem[];\n"
            ".visible .entry kernel(.param .u64 kernel_param_0, .param .u32 kernel_param_1)\n{\n"
            ".reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n"
        )
        self.first = head.count("\n")
        self.text = head + "".join(f"{line.text}\n" for line in self.lines) + "}\n"
        self.labels = {line.label: at for at, line in enumerate(self.lines) if line.is_label}

    def following(self, at: int) -> list[int]:
        """The lines that can be executed after one."""
        line = self.lines[at]
        found = []
        if line.opcode[:1] != ("ret",) and not (line.opcode[:1] == ("bra",) and not line.guard):
            found.append(at + 1)
        if line.target:
            found.append(self.labels[line.target])
        return [one for one in dict.fromkeys(found) if one < len(self.lines)]

    def written(self, at: int) -> str:
        """The register that a line writes; empty without one."""
        return self.lines[at].result

    def read(self, at: int) -> list[str]:
        """The registers that a line reads, predicates left out."""
        return [one for one in self.lines[at].operands if isinstance(one, str) and one in WIDTHS]


class Inputs(NamedTuple):
    """What one thread sees."""

    wide: int
    narrow: int
    tid: int
    smem: int


class Executed(NamedTuple):
    """One line that is executed, and the registers before it."""

    line: int
    before: dict[str, int]


def inputs(source: random.Random) -> Inputs:
    """Random inputs."""
    return Inputs(
        source.getrandbits(64), source.getrandbits(32), source.randrange(1024), source.randrange(0, 4096) * 16
    )


def execute(kernel: Kernel, given: Inputs, source: random.Random) -> Iterator[Executed]:
    """The lines that a thread executes, labels too; registers have any value at first."""
    held = {register: source.getrandbits(width) for register, width in WIDTHS.items()}
    held |= {"%p0": source.getrandbits(1), "%p1": source.getrandbits(1)}
    at = 0
    for _ in range(MOST_STEPS):
        if at >= len(kernel.lines):
            return
        line = kernel.lines[at]
        yield Executed(at, dict(held))
        at += 1
        if line.is_label:
            continue
        if line.guard and bool(held[line.guard.removeprefix("!")]) is line.guard.startswith("!"):
            continue
        if line.opcode[0] == "ret":
            return
        if line.target:
            at = kernel.labels[line.target]
            continue
        held[line.result] = _result(line, held, given, source)


def _value(operand: str | int, held: dict[str, int], given: Inputs) -> int:
    if isinstance(operand, int):
        return operand
    names = {"%tid.x": given.tid, "smem": given.smem, "[kernel_param_0]": given.wide, "[kernel_param_1]": given.narrow}
    return names[operand] if operand in names else held[operand]


def signed(value: int, width: int) -> int:
    """The number that some bits are in two's complement."""
    value %= 1 << width
    return value - (1 << width) if value >> width - 1 else value


def _result(line: Line, held: dict[str, int], given: Inputs, source: random.Random) -> int:
    name, letter = line.opcode[0], line.opcode[-1][1]
    if name == "ld" and line.opcode[1] == ".shared":
        return source.getrandbits(int(line.opcode[-1][2:]))
    values = [_value(one, held, given) for one in line.operands]
    width = int(line.opcode[-1][2:]) if line.opcode[-1] != ".pred" else 1
    cut = [signed(one, width) if letter == "s" else one % (1 << width) for one in values]
    if name == "setp":
        return int(cut[0] < cut[1] if line.opcode[1] == ".lt" else cut[0] == cut[1])
    if name == "cvt":
        return cut[0] % (1 << int(line.opcode[1][2:]))
    if ".wide" in line.opcode:
        found = cut[0] * cut[1] + (values[2] if name == "mad" else 0)
        return found % (1 << 2 * width)
    if ".hi" in line.opcode:
        return (cut[0] * cut[1] >> width) % (1 << width)
    found = {
        "mov": lambda: cut[0],
        "ld": lambda: cut[0],
        "add": lambda: cut[0] + cut[1],
        "sub": lambda: cut[0] - cut[1],
        "mul": lambda: cut[0] * cut[1],
        "mad": lambda: cut[0] * cut[1] + cut[2],
        "shl": lambda: cut[0] << min(values[1], width),
        "shr": lambda: cut[0] >> min(values[1], width),
        "and": lambda: cut[0] & cut[1],
        "or": lambda: cut[0] | cut[1],
        "xor": lambda: cut[0] ^ cut[1],
        "not": lambda: ~cut[0],
        "neg": lambda: -cut[0],
        "div": lambda: cut[0] // cut[1],
        "rem": lambda: cut[0] % cut[1],
        "bfe": lambda: (cut[0] >> values[1]) & ((1 << values[2]) - 1),
    }[name]()
    return int(found) % (1 << WIDTHS[line.result])


# ------------------------------------------------------------------ making one


def _lines(source: random.Random) -> Iterator[Line]:
    blocks = source.randrange(2, 8)
    names = [f"L{number}" for number in range(blocks)]
    for number in range(blocks):
        if number or source.random() < 0.3:
            yield Line(f"{names[number]}:", names[number])
        elif number == 0:
            yield Line(f"{names[0]}:", names[0])
        for _ in range(source.randrange(1, 6)):
            yield _instruction(source)
        kind = source.random()
        if kind < 0.55:
            yield _compare(source)
            guard = source.choice(["%p0", "!%p0", "%p1"])
            target = names[source.randrange(max(0, number - 2), blocks)]
            yield Line(f"@{guard} bra {target};", opcode=("bra",), guard=guard, target=target)
        elif kind < 0.7:
            target = source.choice(names)
            yield Line(f"bra {target};", opcode=("bra",), target=target)
        elif kind < 0.75:
            yield Line("ret;", opcode=("ret",))
    yield Line("ret;", opcode=("ret",))


def _compare(source: random.Random) -> Line:
    opcode = ("setp", source.choice([".lt", ".eq"]), source.choice([".s32", ".u32"]))
    return _made(source, opcode, source.choice(["%p0", "%p1"]), (source.choice(NARROW), source.randrange(100)))


def _instruction(source: random.Random) -> Line:
    if source.random() < 0.25:  # what loops do
        is_wide = source.random() < 0.4
        register = source.choice(WIDE if is_wide else NARROW)
        opcode = ("add", ".s64" if is_wide else ".s32")
        return _made(source, opcode, register, (register, source.choice([1, 4, -8, 256])))
    if source.random() < 0.3:  # where values come from
        return source.choice(
            [
                _made(source, ("mov", ".u32"), source.choice(NARROW), ("%tid.x",)),
                _made(source, ("mov", ".u32"), source.choice(NARROW), ("smem",)),
                _made(source, ("mov", ".u32"), source.choice(NARROW), (source.randrange(-5, 300),)),
                _made(source, ("mov", ".u64"), source.choice(WIDE), (source.randrange(-5, 300),)),
                _made(source, ("ld", ".param", ".u64"), source.choice(WIDE), ("[kernel_param_0]",)),
                _made(source, ("ld", ".param", ".u32"), source.choice(NARROW), ("[kernel_param_1]",)),
                _made(source, ("ld", ".shared", ".u32"), source.choice(NARROW), ("[smem]",)),
                _made(source, ("ld", ".shared", ".u8"), source.choice(NARROW), ("[smem]",)),
            ]
        )
    if source.random() < 0.3:
        return _extending(source)
    width = source.choice([32, 32, 64])
    registers = NARROW if width == 32 else WIDE
    one, result = source.choice(registers), source.choice(registers)
    number = source.choice([0, 1, 2, 3, 4, 7, 8, 15, 31, 64, 255, -1, -16])
    other: str | int = source.choice([number, source.choice(registers)])
    name = source.choice(
        ["add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor", "not", "neg", "div", "rem", "bfe"]
    )
    letter = source.choice("su")
    if name in ("and", "or", "xor", "not", "shl"):
        letter = "b"
    if name in ("div", "rem", "bfe"):
        letter = "u"
    if name in ("not", "neg"):
        return _made(source, (name, f".{'s' if name == 'neg' else letter}{width}"), result, (one,))
    if name in ("shl", "shr"):
        return _made(source, (name, f".{letter}{width}"), result, (one, source.choice([1, 2, 4, 5, 31, 32, 63, 64])))
    if name in ("div", "rem"):
        return _made(source, (name, f".{letter}{width}"), result, (one, source.choice([1, 2, 3, 8, 10])))
    if name == "bfe":
        return _made(source, (name, f".{letter}{width}"), result, (one, source.randrange(20), source.randrange(1, 12)))
    if name == "mad":
        return _made(source, (name, ".lo", f".{letter}{width}"), result, (one, other, source.choice(registers)))
    opcode = (name, ".lo", f".{letter}{width}") if name == "mul" else (name, f".{letter}{width}")
    return _made(source, opcode, result, (one, other))


RECIPROCALS = (-1431655765, 1431655766, -858993459, 1717986919, 7)
"""Of 3 and 5, for unsigned and signed integers; and a number that is none."""


def _extending(source: random.Random) -> Line:
    letter = source.choice("su")
    wide, one = source.choice(WIDE), source.choice(NARROW)
    return source.choice(
        [
            _made(source, ("cvt", f".{letter}64", f".{letter}32"), wide, (one,)),
            _made(source, ("cvt", ".u32", ".u64"), one, (wide,)),
            _made(source, ("mul", ".hi", f".{letter}32"), one, (one, source.choice(RECIPROCALS))),
            _made(source, ("mul", ".wide", f".{letter}32"), wide, (one, source.choice([1, 4, 100, -3]))),
            _made(source, ("mad", ".wide", f".{letter}32"), wide, (one, source.choice([4, 8]), source.choice(WIDE))),
        ]
    )


def _made(source: random.Random, opcode: tuple[str, ...], result: str, operands: tuple[str | int, ...]) -> Line:
    guard = source.choice(["%p0", "!%p1"]) if source.random() < 0.06 else ""
    text = f"{f'@{guard} ' if guard else ''}{''.join(opcode)} {', '.join(map(str, (result, *operands)))};"
    return Line(text, opcode=opcode, result=result, operands=operands, guard=guard)
