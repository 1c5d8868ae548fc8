"""Declarations made at random: mostly right ones, each with none, one or two pieces that are rarely right."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

PLACES = ("module", "func body", "entry body")

PRELUDE = """\
.global .u32 in_global;
.const .u32 in_const;
.shared .u32 in_shared;
.global .u32 some[4];
.extern .global .u32 outside;
.func function() { ret; }
.entry kernel() { ret; }
"""
"""What the initializers name. Valid in every version and for every target."""


class Case(NamedTuple):
    """A piece of a module of which ptxas and the checker must think the same; ``NAME`` stands for a name of its own."""

    place: str
    text: str

    def written(self, name: str) -> str:
        """The lines of the case, with a name that no other case has."""
        text = self.text.replace("NAME", name)
        match self.place:
            case "module":
                return f"{text}\n"
            case "func body":
                return f".func of_{name}()\n{{\n{text}\nret;\n}}\n"
            case _:
                return f".entry of_{name}()\n{{\n{text}\nret;\n}}\n"


def header(version: str, target: str) -> str:
    """The lines that begin a module, with the names that initializers use."""
    address_size = ".address_size 64\n" if tuple(map(int, version.split("."))) >= (2, 3) else ""
    return f".version {version}\n.target {target}\n{address_size}{PRELUDE}"


SPACES = ".reg .const .global .local .param .shared".split()
RARE_SPACES = ".tex .sreg .shared::cta .generic".split()
TYPES = ".b8 .b16 .b32 .b64 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64".split()
RARE_TYPES = (
    ".pred .f16 .f16x2 .b128 .texref .samplerref .surfref .bf16 .e4m3 .e5m2x2 .f32x2 .u16x2 .e2m1x4 .ue8m0x4 .tf32 "
    ".b1 .u4 .quad"
).split()
ALIGNMENTS = "1 2 4 8 16 0x20 128 4U".split()
RARE_ALIGNMENTS = "0 3 12 65536 4294967296 4294967297 1073741824 -4 WARP_SZ".split()
ATTRIBUTES = (".attribute(.managed)", ".attribute(.unified(1, 2))", ".attribute(.managed, .managed)")
SYMBOLS = "in_global in_const in_shared some outside function kernel nowhere NAME".split()
FIELDS = (
    "width = 16",
    "height = 2",
    "filter_mode = linear",
    "addr_mode_0 = wrap",
    "filter_mode = 1",
    "width = 1+1",
    "memory_layout = 1",
    "force_unnormalized_coords = 1",
    "color = 1",
    "channel_order = 0x10B0",
)
REDECLARED = (
    ".u32 NAME",
    ".u32 NAME[4]",
    ".u32 NAME[]",
    ".u32 NAME[2][2]",
    ".u64 NAME",
    ".b32 NAME",
    ".v2 .u32 NAME",
    ".align 16 .u32 NAME",
    ".f32 NAME",
    ".u32 NAME = 1",
    ".u32 NAME[] = {1, 2}",
    ".u32 NAME<4>",
)


class Writer:
    """Writes cases, always the same ones for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def cases(self, count: int) -> Iterator[Case]:
        """So many cases."""
        for _ in range(count):
            yield self.redeclaration() if self._odd(0.1) else self.declaration()

    def _odd(self, chance: float) -> bool:
        return self._random.random() < chance

    def _of(self, usual: Sequence[str], rare: Sequence[str], chance: float = 0.1) -> str:
        return self._random.choice(rare if self._odd(chance) else usual)

    def declaration(self) -> Case:
        """One declaration at some place."""
        place = self._random.choices(PLACES, (5, 2, 1))[0]
        return Case(place, self._declaration(place))

    def redeclaration(self) -> Case:
        """Two declarations of one name."""
        space = self._of((".global",), (".const", ".shared"), 0.2)
        lines = []
        for linkages in ((".extern", ".visible", ".weak", ""), (".visible", ".extern", ".weak", ".common", "")):
            linkage = self._random.choice(linkages)
            declared = self._of(REDECLARED[:2], REDECLARED, 0.6)
            lines.append(f"{linkage} {self._of((space,), ('.global', '.const'), 0.1)} {declared};".strip())
        if self._odd(0.15):
            lines[self._random.randrange(2)] = self._random.choice((".func NAME();", ".entry NAME() { ret; }"))
        return Case("module", " ".join(lines))

    def _declaration(self, place: str) -> str:
        if place == "module":
            space = self._of((".global", ".const", ".shared"), (".reg", ".local", ".param", *RARE_SPACES), 0.12)
        else:
            space = self._of(SPACES, RARE_SPACES, 0.06)
        type_ = self._of(TYPES, RARE_TYPES, 0.2)
        words = []
        if place == "module" or self._odd(0.03):
            words.append(self._of(("", "", ".visible", ".extern", ".weak"), (".common", ".visible .weak"), 0.08))
        pieces = [space]
        if self._odd(0.25):
            pieces.append(f".align {self._of(ALIGNMENTS, RARE_ALIGNMENTS, 0.15)}")
        if self._odd(0.06):
            pieces.append(self._random.choice(ATTRIBUTES))
        if self._odd(0.06):
            self._random.shuffle(pieces)
        words += pieces
        vector = ""
        if self._odd(0.15):
            vector = self._of((".v2", ".v4"), (".v8", ".v3"), 0.1)
        words += [vector, type_]
        if self._odd(0.03):
            self._random.shuffle(words)
        declarators = [self._declarator(space, vector, type_)]
        if self._odd(0.06):
            declarators.append(self._declarator(space, vector, type_).replace("NAME", "NAME_too", 1))
        return " ".join(filter(None, words)) + " " + ", ".join(declarators) + ";"

    def _name(self) -> str:
        if self._odd(0.7):
            return self._of(("NAME",), ("NAME<4>", "_", "%NAME", "NAME<0>", "NAME<WARP_SZ>", "NAME<4294967296>"), 0.06)
        dimensions = self._of(("[4]", "[0x10]", "[2]"), ("[]", "[0]", "[-1]", "[WARP_SZ]", "[1+1]", "[2.0]"), 0.25)
        if self._odd(0.25):
            dimensions += self._of(("[2]", "[3]"), ("[]", "[0]"), 0.15)
        return f"NAME{dimensions}"

    def _declarator(self, space: str, vector: str, type_: str) -> str:
        name = self._name()
        if not self._odd(0.5 if space in (".global", ".const") else 0.04):
            return name
        return f"{name} = {self._initializer(name, vector, type_)}"

    def _initializer(self, name: str, vector: str, type_: str) -> str:
        if type_.endswith("ref"):
            fields = ", ".join(self._random.choice(FIELDS) for _ in range(self._random.randrange(3)))
            return self._of((f"{{{fields}}}",), ("{1}", "1", f"{{{{{fields}}}}}"), 0.1)
        depth = name.count("[") + bool(vector)
        if self._odd(0.12) and "x" not in type_:  # in braces ptxas takes anything for packed types
            depth = max(depth + self._random.choice((-1, 1)), 0)
        return self._value(depth, type_)

    def _value(self, depth: int, type_: str) -> str:
        if not depth:
            return self._scalar(type_)
        count = self._random.choices((0, 1, 2, 3, 4, 5), (1, 3, 6, 2, 4, 1))[0]
        return "{" + ", ".join(self._value(depth, type_) for depth in [depth - 1] * count) + "}"

    def _scalar(self, type_: str) -> str:
        is_float = type_.startswith(".f")
        if self._odd(0.04):
            is_float = not is_float
        if self._odd(0.15) or (type_ in (".u64", ".u32", ".u8") and self._odd(0.5)):
            return self._symbol()
        if self._odd(0.12):
            return self._expression(is_float=is_float)
        if is_float:
            return self._of(("1.0", "-1.5", "0f3f800000", "1e3"), ("0d3ff0000000000000", "1e999", "-.5"), 0.1)
        return self._of(("1", "0", "-7", "0xff", "5U"), ("300", "0b11", "99999999999999999999", "WARP_SZ", "017"), 0.1)

    def _symbol(self) -> str:
        symbol = self._of(SYMBOLS[:2], SYMBOLS, 0.6)
        form = self._random.randrange(9)
        if form < 4:
            return symbol
        if form == 4:
            return f"{symbol}+{self._of(('4', '(1+2)'), ('-4', '1.0', '1/0'), 0.2)}"
        if form < 7:
            return f"generic({symbol})" + self._random.choice(("", "", "+8"))
        inner = self._of((symbol,), ("7", f"generic({symbol})", f"{symbol}+4"), 0.3)
        masks = ("0xff", "0xFF00", "0xff0000", "255", "0xFF00000000000000")
        return f"{self._of(masks, ('0', '0xf', '0xffff', '1'), 0.15)}({inner})"

    def _expression(self, *, is_float: bool) -> str:
        one, other = ("1.5", "2.0") if is_float else ("3", "4U")
        if self._odd(0.1):
            other = self._random.choice(("0", "0.0", "1.0", "WARP_SZ", "(1)", "-1"))
        operators = ("+", "-", "*", "/")
        if not is_float:
            operators += ("<<", ">>", "&", "|", "^", "% ", "&&", "||")
        form = self._random.randrange(12)
        if form < 7:
            return f"{one} {self._of(operators, ('<', '==', '<=', '!=', '&', '%'), 0.15)} {other}"
        return self._random.choice(
            (
                f"({one})",
                f"-({one})",
                f"~{one}",
                f"!{one}",
                f"(.s64){one}",
                f"{one} ? {one} : {other}",
                f"({one} + {other}) * {one}",
                f"{one} < {other} ? {one} : {other}",
                f"+{one}",
                f"(.u64)({one})",
            )
        )
