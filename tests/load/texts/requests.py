"""Documents about which a request takes long, each with the request and the place of the cursor.

The cursor is marked in what a generator of :data:`CASES` gives. :data:`GENERATORS` has the same texts without marks.
"""

from __future__ import annotations

from typing import NamedTuple

from .shapes import HEADER, REGISTERS, Generator, Piece, body, repeated, word

CURSOR = "<|>"


class Case(NamedTuple):
    """A request that a client sends about a document."""

    method: str
    """Its method, without ``textDocument/``; or a command."""
    document: Generator
    """The text for a size in characters, with the cursor."""


def kernel(statements: str, before: str = "") -> str:
    """A module with a kernel."""
    return f"{HEADER}{before}.entry k(.param .u64 p)\n{{\n{REGISTERS}{statements}ret;\n}}\n"


def kernels_and_variables(space: str) -> Generator:
    """Variables of a space, and as many kernels without parameters."""
    return lambda size: (
        HEADER
        + CURSOR
        + repeated(size // 2, lambda n: f".{space} .b32 v{n};\n")
        + repeated(size // 2, lambda n: f".entry k{n}() {{ ret; }}\n")
    )


def many_groups(size: int, statement: str) -> str:
    """Parameterized registers, and a statement after some that name others."""
    groups = repeated(size // 2, lambda n: f".reg .b32 %g{n}_<9>;\n")
    return kernel(groups + repeated(size // 2, lambda n: f"add.s32 %r1, %r2, {n};\n") + statement)


def one_call(size: int, parameters: Piece) -> str:
    """A function of many parameters, and variables that can be passed to it."""
    count = size // 40
    declared = ", ".join(map(parameters, range(count)))
    passed = "".join(f".param .b32 q{n};\n" for n in range(count))
    return kernel(f"{passed}call f, {CURSOR};\n", f".extern .func f({declared});\n")


def nested_loops(size: int) -> str:
    """A kernel with a loop in a loop, and so on."""
    count = size // 50
    labels = "".join(f"L{n}: add.s32 %r1, %r1, 1;\n" for n in range(count))
    jumps = "".join(f"@%p1 bra L{n};\n" for n in reversed(range(count)))
    return kernel(f"{labels}mov.b32 %r2, {CURSOR}%r3;\n{jumps}")


def branches(size: int) -> str:
    """A kernel of jumps."""
    return CURSOR + kernel(repeated(size, lambda n: f"L{n}: add.s32 %r1, %r1, 1;\n@%p1 bra L{n};\n"))


def nested_blocks(size: int) -> str:
    """A kernel of a block in a block, and so on."""
    return CURSOR + kernel(f"{'{' * (size // 4)}\n{'}' * (size // 4)}\n")


AT_THE_CURSOR: dict[str, Case] = {
    "lenses of kernels without parameters, beside shared variables": Case("codeLens", kernels_and_variables("shared")),
    "lenses of kernels without parameters, beside global variables": Case("codeLens", kernels_and_variables("global")),
    "registers of many groups": Case("completion", lambda size: many_groups(size, f"add.s32 %r1, {CURSOR};\n")),
    "guards of many groups": Case("completion", lambda size: many_groups(size, f"@{CURSOR} ret;\n")),
    "calls of many functions": Case(
        "completion",
        lambda size: kernel(
            f"call {CURSOR};\n",
            repeated(size, lambda n: f".extern .func (.param .b32 r) f{n}(.param .b32 a, .param .b64 b);\n"),
        ),
    ),
    "arguments of one call": Case("completion", lambda size: one_call(size, lambda n: f".param .b32 a{n}")),
    "arguments of one call, each of another length": Case(
        "completion", lambda size: one_call(size, lambda n: f".param .b32 a{n}[{n + 1}]")
    ),
    "references to a name in one long statement with a comment": Case(
        "references",
        lambda size: (
            f"{HEADER}.global .b32 {CURSOR}s;\n.global .b64 t[] = {{ /* é😀 */ {', '.join(['s'] * (size // 3))}}};\n"
        ),
    ),
    "references to a register in one long statement": Case(
        "references", lambda size: kernel(f"call f, ({', '.join(['%r1'] * (size // 5))}, {CURSOR}%r1);\n")
    ),
    "highlights of a name on one long line": Case(
        "documentHighlight",
        lambda size: kernel(repeated(size, lambda n: f"add.s32 %r1, %r1, {n}; ") + f"add.s32 {CURSOR}%r1, %r1, 1;"),
    ),
    "outline of blocks with loops": Case(
        "documentSymbol",
        lambda size: CURSOR + kernel(repeated(size, lambda n: f"{{ .reg .b32 z; L{n}: @%p1 bra L{n}; }}\n")),
    ),
    "outline of loops with labels": Case(
        "documentSymbol",
        lambda size: CURSOR + kernel(repeated(size, lambda n: f"L{n}: add.s32 %r1, %r1, 1; M{n}: @%p1 bra L{n};\n")),
    ),
    "selection in nested loops": Case("selectionRange", nested_loops),
    "links of an address with brackets": Case(
        "documentLink", lambda size: kernel(f"// {CURSOR}https://{')' * size}\n")
    ),
    "hover over one of many parameters": Case(
        "hover",
        lambda size: (
            f"{HEADER}.entry k({repeated(size, lambda n: f'.param .align 8 .b8 a{n}[8], ')}.param .b32 z)\n"
            f"{{\n.reg .b32 %r;\nld.param.b32 %r, [{CURSOR}z];\nret;\n}}\n"
        ),
    ),
    "hover over a table of many labels": Case(
        "hover",
        lambda size: kernel(f"{CURSOR}T: .branchtargets {repeated(size, lambda n: 'L, ')}L;\nL: brx.idx %r1, T;\n"),
    ),
    "silencing a finding on a line of comments": Case(
        "codeAction",
        lambda size: kernel(f".reg .b32 {CURSOR}%zz; {repeated(size, lambda n: '// ptx-lsp: ignore[')}\n"),
    ),
}
"""Requests at the cursor."""
FROM_THE_CURSOR: dict[str, Case] = {
    "hints of many branches": Case("inlayHint", branches),
    "formatting of blocks in blocks": Case("formatting", nested_blocks),
    "lenses of one variable declared again and again": Case(
        "codeLens", lambda size: CURSOR + kernel("", repeated(size, lambda n: f".global .b32 v; // {n % 10}\n"))
    ),
    "a word after many signs": Case(
        "completion", lambda size: f"{HEADER}.global .b32 a = {'~ - ' * (size // 4)}{CURSOR}"
    ),
    "tokens of words": Case("semanticTokens/full", lambda size: CURSOR + body(lambda n: f"{word(n)};\n", size)),
    "the origin of a value of many bitwise operations": Case(
        "ptx-lsp.originAt",
        lambda size: kernel(
            repeated(
                size, lambda n: f"lop3.b32 %r{n % 7 + 1}, %r{n % 5 + 1}, %r{n % 3 + 1}, %r{n % 4 + 1}, {n % 256};\n"
            )
            + f"mov.b32 {CURSOR}%r1, %r2;\n"
        ),
    ),
    "the barriers of clusters that many instructions pass": Case(
        "ptx-lsp.barriersAt",
        lambda size: kernel(
            CURSOR
            + repeated(size, lambda n: f"barrier.cluster.{'arrive' if n % 2 else 'wait'};\nadd.s32 %r1, %r1, {n};\n")
        ),
    ),
    "the new name of a register in many statements": Case(
        "rename", lambda size: kernel(f"mov.b32 {CURSOR}%r1, 1;\n" + repeated(size, "add.s32 %r2, %r1, {};\n".format))
    ),
    "formatting of a range of blocks in blocks": Case("rangeFormatting", nested_blocks),
}
"""Requests from the cursor to the end of the document."""
CASES: dict[str, Case] = {**AT_THE_CURSOR, **FROM_THE_CURSOR}
GENERATORS: dict[str, Generator] = {
    name: lambda size, case=case: case.document(size).replace(CURSOR, "")  # type: ignore[misc]
    for name, case in CASES.items()
}
