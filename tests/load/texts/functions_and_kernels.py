"""Functions and kernels: their heads, parameters, performance directives, attributes and aliases."""

from __future__ import annotations

from functools import partial

from .shapes import (
    CLOSED,
    DECLARED,
    HEADER,
    HEADER_8_6,
    Generator,
    Piece,
    alone,
    between,
    body,
    cycle,
    file_of,
    module,
    repeated,
)

STATEMENTS: dict[str, Piece] = {
    "directives of functions in a body": lambda n: f".maxntid {n}, 1, 1;\n",
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "functions with long heads": lambda n: f".func g{n}(.param .b32 a, .param .b64 b, .reg .f32 c) {{ ret; }}\n",
    "declarations of one function": lambda n: f".extern .func same (.param .b{8 << n % 4} x);\n",
    "aliases": lambda n: f".alias a{n}, a{n + 1};\n",
    "kernels that are not closed": lambda n: f".entry open{n}()\n{{\nret;\n",
    "one function defined again and again": lambda n: ".func same() { ret; }\n",
    "kernels with large parameters": lambda n: f".entry k{n}(.param .align {n} .b8 a[{n * 100}]) {{ ret; }}\n",
    "kernels with bodies of one statement": lambda n: f".entry e{n}() {{ bra e{n}; }}\n",
    "functions that differ in their parameters": lambda n: f".func d{n % 99}(.reg .b{8 << n % 4} p{n}) {{ ret; }}\n",
    "kernels that launch bounds contradict": lambda n: (
        f".entry b{n}() .maxntid {n}, {n} .reqntid {n % 7} .minnctapersm {n} .maxnreg {n % 300} {{ ret; }}\n"
    ),
    "functions that return arrays": lambda n: (
        f".func (.param .align 16 .b8 r[{n}]) a{n}(.param .align {n % 9} .b8 p[{n % 33}]) "
        f"{{ st.param.b32 [r+{n}], 1; ret; }}\n"
    ),
    "functions with attributes of their convention": lambda n: (
        f".{('weak', 'visible', 'extern', 'common')[n % 4]} .func q{n}(.param .b32 a) .noreturn .abi_preserve {n} "
        f'.abi_preserve_control {n % 9} .pragma "enable_smem_spilling"; {{ call q{n // 2}, (a); ret; }}\n'
    ),
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "one function of many parameters": lambda size: (
        f"{HEADER}.func f(.param .b32 p0"
        + "".join(f", .param .b32 p{n}" for n in range(size // 32))
        + ")\n{\n.reg .b32 %r<3>;\n"
        + "".join(f"ld.param.b32 %r1, [p{n}];\n" for n in range(size // 64))
        + "ret;\n}\n"
    ),
    "modules in one file": lambda size: repeated(size, lambda n: f"{HEADER}.entry m{n}() {{ ret; }}\n"),
    "heads that end in other heads": partial(
        module,
        cycle(
            ".visible .func (.reg .b32 r#\n",
            ".entry e#(.param .u64 a, .param\n",
            ".func f#(.param .align 8 .b8 a[\n",
            ".maxntid #, .reqntid\n",
            ") .minnctapersm # {\n",
            ".global .align # .b32 v#[ = {\n",
            ".extern .func (\n",
            ".noreturn .func .entry .visible #;\n",
            "}\n",
        ),
    ),
    "kernels with performance directives, and no body": file_of(
        cycle(
            ".entry k#() .maxntid 256, 1, 1 .minnctapersm 2 .maxnreg 64 { ret; }\n",
            ".entry k#(.param .u32 .ptr .global .align 16 p) .reqntid 32 .noreturn;\n",
            ".entry k#() .reqnctapercluster 2 .explicitcluster .blocksareclusters { exit; }\n",
            '.entry k#() { .pragma "nounroll"; .pragma "used_bytes_mask 0xff"; ret; }\n',
        )
    ),
    "aliases of aliases": file_of(lambda n: f".func f{n}();\n.alias f{n + 1}, f{n};\n", before=".func f0() { ret; }\n"),
    "parameters of a kernel, each read": lambda size: (
        HEADER_8_6
        + ".entry k(\n"
        + ",\n".join(f"\t.param .align 8 .b8 k_param_{n}[{n % 64 + 1}]" for n in range(max(1, size // 90)))
        + ")\n{\n"
        + DECLARED
        + "".join(f"\tld.param.u32 %r1, [k_param_{n}+4];\n" for n in range(max(1, size // 90)))
        + CLOSED
    ),
    "one kernel of many performance directives": lambda size: alone(
        f".entry k() {repeated(size, lambda n: '.maxnreg 32 ')} {{ ret; }}"
    ),
    "one function of many performance directives": lambda size: alone(
        f".func f() {repeated(size, lambda n: '.abi_preserve 3 ')} {{ ret; }}"
    ),
    "one head of many directives": between(f"{HEADER}.entry f()", lambda n: f" .maxntid {n}, 1, 1", "\n{ ret; }\n"),
}
