"""Debug information: files, lines, inlined functions, and sections."""

from __future__ import annotations

from functools import partial

from .shapes import (
    HEADER,
    Generator,
    Piece,
    alone,
    body,
    cycle,
    file_of,
    kernel_of,
    module,
    number_of,
    repeated,
    under,
    word,
)


def names_of_inlined_functions(size: int) -> str:
    """Lines that name places of one section, which stands at the end."""
    kernel = body(
        lambda n: f".loc 1 {n + 1} 5, function_name $info+{4 * n}, inlined_at 1 {n} 5\nmembar.cta;\n",
        size // 2,
        before=".loc 1 0 5\n",
    )
    strings = repeated(size // 2, lambda n: f"$info{n}:\n.b8 95, 90, {n % 256}, 0\n")
    return f'{kernel}.file 1 "a.cu", 12, {size}\n.section .debug_str {{\n$info:\n{strings}}}\n'


DEBUGGED = HEADER.replace("sm_90", "sm_90, debug")


def labels_of_debug_entries(size: int) -> str:
    """A kernel with a label before each statement, and sections that name all of them."""
    kernel = body(lambda n: f"$T{n}: .loc 1 {n + 1} 1\nadd.s32 %r{n % 9}, %r1, {n};\n", size // 2)
    count = kernel.count("$T")
    entries = "".join(f".b8 {n % 128}\n.b64 $T{n * 7 % count}\n.b64 $T{n}\n" for n in range(count))
    return f'{kernel}.file 1 "a.cu"\n.section .debug_info\n{{\n{entries}}}\n'


def files_at_the_end(size: int) -> str:
    """A kernel each line of which is of another file; the files follow in another order, with long paths."""

    def line(n: int) -> str:
        return f".loc {n + 1} {n % 999 + 1} 3\nadd.s32 %r{n % 9}, %r1, {n};\n"

    def file(n: int) -> str:
        return f'.file {n + 1} "/usr/include/thrust/detail/kernel_{n}.h", {1_700_000_000 + n}, {n}\n'

    count = number_of(size, line, file)
    kernel = body(lambda n: "membar.cta;\n", 1, before="".join(map(line, range(count))))
    return kernel + "".join(file(count - 1 - n) for n in range(count))


def files_up_and_down(size: int) -> str:
    """Files whose paths go up and down many folders, and a kernel with lines of some."""
    kernel = body(lambda n: f".loc {n + 1} {n + 1} 1\nadd.s32 %r1, %r1, {n};\n", size // 8)
    parts = ("../", "a/../", "./", "//", "b c/", "%2e%2e/", "C:/", "..../", "~/", "file:///")

    def file(n: int) -> str:
        path = "".join(parts[(n + place * place) % 10] for place in range(n % 60))
        return f'.file {n + 1} "/x/{path}k{n}.cu"\n'

    return module(file, size * 7 // 8) + kernel.removeprefix(HEADER)


STATEMENTS: dict[str, Piece] = {
    "locations": lambda n: f".loc 1 {n} {n % 99}\n",
    "lines inlined at each other": lambda n: (
        f".loc 1 {n} 5, function_name info{n % 9}, inlined_at 1 {n // 2} 3\nadd.s32 %r1, %r2, {n};\n"
    ),
    "sources that change with each line": lambda n: f".loc {n % 500} {n} 1\n@%p1 bra $L_{n};\n$L_{n}:\n",
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "files": lambda n: f'.file {n} "/{word(n)}/{n}.cu"\n',
    "sections": lambda n: f".section .debug_{word(n)} {{ .b32 {n} }}\n",
    "sections with labels and differences": lambda n: (
        f".section .debug_{word(n)} {{\nS{n}:\n.b32 S{n}-S{n // 2}+{n}\n.b8 {n % 256}, {n}, 300\n}}\n"
    ),
    "old debug lines": lambda n: f"@@DWARF .{('byte', '4byte', 'quad', 'string')[n % 4]} 0x{n:x}, L{n}, {n}\n",
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "names of inlined functions in a long section": names_of_inlined_functions,
    "labels that entries of debug sections name": under(DEBUGGED, labels_of_debug_entries),
    "lines of files that are declared after them": files_at_the_end,
    "files with paths that go up and down": files_up_and_down,
    "line markers between all statements": kernel_of(
        cycle(
            "\t.loc 1 # 7, function_name $L__info#, inlined_at 1 @ 3\n",
            "\tadd.s32 %r1, %r2, #;\n",
            '\t.file # "/usr/src/a#.cu", 1700000, 12345\n',
            "\t.loc @ # 0\n",
            "$L__tmp#:\n",
        )
    ),
    "a debug section with bytes": file_of(
        cycle("\t.b8 1, 2, 3, 0x7f, 255\n", "\t.b32 $L__abbrev+#\n", "\t.b64 $L__func#\n", "$L__s#:\n", "\t.b8 '#'\n"),
        ".section .debug_info {\n",
        "}\n",
    ),
    "a debug section for each function": file_of(
        lambda n: (
            f".func f{n}() {{\n$Lb{n}:\n ret;\n$Le{n}:\n}}\n"
            f".section .debug_str_{n} {{ .b64 $Lb{n} .b64 $Le{n}-$Lb{n} .b32 .debug_str_0 }}\n"
        )
    ),
    "calls inlined at a place of the first function": lambda size: alone(
        '.file 1 "a.cu"\n.func first() {\n.loc 1 1 1\nret; }\n'
        + repeated(size, lambda n: f".func f{n}() {{\n.loc 1 {n + 2} 5, function_name x, inlined_at 1 1 1\nret; }}\n")
    ),
}
