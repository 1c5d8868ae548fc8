"""Comments, strings, white space, and characters that PTX has no use for."""

from __future__ import annotations

from functools import partial

from .shapes import Generator, Piece, body, cycle, kernel_of, module, word

MARKS = "\"/*\\\n;{'"
ALIKE = str.maketrans("aceopxyiB1", "асеорхуіВ1")


def alike(n: int) -> str:
    """Statements some words of which have letters of another alphabet, or signs that turn the direction."""
    words = f".reg .b32 count{n}, axe{n}; mov.b32 count{n}, axe{n}; ex2.approx.f32 %f1, %f{n % 9}; bra loop{n};".split()
    return " ".join(word.translate(ALIKE) if (n >> place) & 1 else word for place, word in enumerate(words)) + (
        "\u202e // \u2066 x\u200b\n" if n % 3 else "\n"
    )


def between_carriage_returns(size: int) -> str:
    """Suppressions in a text without line feeds."""
    text = body(lambda n: f"add; // ptx-lsp: ignore[E{n % 999}]\n", size)
    return text.replace("\n", "\r")


STATEMENTS: dict[str, Piece] = {
    "comments": lambda n: f"/* {word(n)} */ // {n}\n",
    "comments with letters of other languages": lambda n: f"add.s32 %r1, %r1, {n}; // größer als {n} ≤ ∞\n",
    "statements with letters of other languages": lambda n: f"add.s32 %ré{n}, %r1, 1;\n",
    "control characters": lambda n: f"add.s32 %r1, \x01\x02 %r1, {n};\n",
    "strings that are not closed": lambda n: f'.pragma "open {n};\n',
    "quotation marks": lambda n: '"\n' * (1 + n % 2),
    "labels with comments before the colon": lambda n: f"C{n} /* {n} */ : mov.b32 %r1, C{n};\n",
    "comments for the checker": lambda n: f"mov.b32 %r1, x{n}; // ptx-lsp: ignore[E201]\n",
    "comments in the middle": lambda n: f"add/*{n}*/./**/s32 %r1,//{n}\n %r2, {n};\n",
    "line ends of all kinds": lambda n: f"add.s32 %r1,{(chr(13), chr(10), chr(13) + chr(10))[n % 3]}%r2, {n};\r\r\n",
    "digits of other scripts": lambda n: (
        f"mov.b32 %r{'²٣𝟘①'[n % 4]}, {'٣²①𝟘'[n % 4]}{n}; .reg .b32 %w<{n}²>; bar.sync ²; ld.global.u32 %r1, [%rd1+٣];\n"
    ),
    "halves of surrogate pairs": lambda n: f'mov.b32 %r\ud800{n}, 1; .pragma "\udfff{n}"; // \ud83d {n}\n',
    "line ends of Unicode": lambda n: (
        f"mov.b32 %r1,{chr((0xB, 0xC, 0x1C, 0x85, 0x2028, 0x2029)[n % 6])}x{n}; "
        f"// {n}{chr((0x85, 0x2028)[n % 2])}bra {n};\n"
    ),
    "comments that open in comments": lambda n: f"{'/*/' * (n % 9)} mov.b32 %r1, {n}; //*/ /* {n}\n{'*/' * (n % 5)}\n",
    "strings full of backslashes": lambda n: f'.pragma "{chr(92) * (n % 200)}"{chr(92)}"{n}";\n',
    "statements with thousands of spaces": lambda n: (
        f"add.s32{' ' * (n * 37 % 2000)}%r1, %r2{chr(9) * (n % 900)}, {n} \n ;\n"
    ),
    "suppressions with many codes": lambda n: (
        f"mov.b32 %r1, y{n}; // ptx-lsp: ignore[{', '.join(f'E{(n + one) % 999:03}' for one in range(n % 60))}]\n"
        f"// ptx-lsp: ignore-file[W{n % 999:03}, {word(n)}]\n"
    ),
    "statements continued by backslashes": lambda n: (
        f"add.s32 \\\n %r1, %r2, \\\\\n{n}; // continued \\\nmov.b32 %r2, x{n}; \\ \n"
    ),
    "marks of strings and comments in all orders": lambda n: (
        "".join(MARKS[n >> 3 * place & 7] for place in range(6)) + f" x{n} "
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "open comments in functions": lambda n: f".func c{n}() {{ /* {word(n)} }}\n" + ("*/\n" if n % 2 else ""),
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "letters that look like others": partial(body, alike),
    "one line of letters beyond the basic plane": lambda size: body(
        lambda n: f"add.s32 %r1, %x{n}, {n}; /* 😀𝒳é */ ", size
    ),
    "comments of every kind, in every place": kernel_of(
        cycle(
            "/* # */ add /*;*/ . /*x*/ s32 // }\n %r1 /**/, /* { */ %r2, // ,\n #;",
            "\n/*/ odd /*/\n",
            "//\\\n",
            '\tmov.b32 %r1, /* a\n * b # \n */ %r2; // "quote\n',
        )
    ),
    "comments opened and not closed, and closed and not opened": kernel_of(
        cycle("\tadd.s32 %r1, /* %r2, 1; \n", "*/ */ ret; \n", '"/*" ; \n', '" */ \n', "// /* \n")
    ),
    "quotes that do not close": kernel_of(
        cycle('\t.pragma "a#;\n', '\t.file # "x;\n', "\tmov.b32 %r1, '#;\n", '\\" \n')
    ),
    "suppressions between carriage returns": between_carriage_returns,
    "comments of ASCII, then others": lambda size: body(
        lambda n: "ret;\n", 1, before="//\n" * (size // 3) + "// é\n" * 100
    ),
}
