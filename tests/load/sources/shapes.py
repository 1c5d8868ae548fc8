"""Shapes that the sources share: functions, statements of inline assembly, and definitions that statements use."""

from __future__ import annotations

from ..texts.shapes import Generator, Piece, cycle, number_of, repeated

Source = tuple[str, Generator]
"""A language, and a text of it from its length in characters."""


def in_language(language: str, generators: dict[str, Generator]) -> dict[str, Source]:
    """Generators by name, each with its language."""
    return {name: (language, generator) for name, generator in generators.items()}


ADDED = '"add.s32 %0, %0, 1;\\n"'
TRITON = "import triton\nimport triton.language as tl\n"
FUNCTION = "__device__ void f(int a, int b, long long c, float d, double e, short h) {\n"


def function_of(piece: Piece, before: str = "", after: str = "") -> Generator:
    """A function of CUDA C++ whose body has the pieces."""
    return lambda size: before + FUNCTION + repeated(size, piece) + after + "}\n"


def one_template(piece: Piece, operands: str = ' : "+r"(a) : "r"(b)') -> Generator:
    """One statement whose template has a literal for each piece."""
    return lambda size: FUNCTION + 'asm volatile("{"\n' + repeated(size, piece) + f'"}}"{operands});\n}}\n'


def triton(piece: Piece, before: str = "") -> Generator:
    """A kernel of Triton whose body has the pieces."""
    return lambda size: f"{TRITON}{before}\n@triton.jit\ndef k(x, y):\n" + repeated(size, piece)


def many(*templates: str, operands: str = ' : "=r"(a) : "r"(b)') -> Generator:
    """A function of statements with these templates in turn; ``#`` is the number of the statement."""
    return function_of(cycle(*(f'  asm volatile("{one}"{operands});\n' for one in templates)))


def program(n: int) -> str:
    """A whole program of PTX."""
    return (
        f".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k{n}(.param .u64 p)\n"
        f"{{\n.reg .b32 %r<9>;\nadd.s32 %r1, %r2, {n};\nret;\n}}\n"
    )


def definitions_and_uses(definition: Piece, use: str, before: str = "", names: int = 1, name: str = "@") -> Generator:
    """Definitions, and statements that use some of them in no order; ``@`` stands for their names."""

    def generate(size: int) -> str:
        count = number_of(size // 2, definition)

        def piece(n: int) -> str:
            used = " ".join(name.replace("@", str((n * 7919 + one) % count)) for one in range(names))
            return use.replace("#", str(n)).replace("@", used)

        definitions = "".join(map(definition, range(count)))
        return f"{before}{definitions}{FUNCTION}{repeated(size - size // 2, piece)}}}\n"

    return generate
