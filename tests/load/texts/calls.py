"""Calls: their arguments, prototypes and tables, and functions that call each other."""

from __future__ import annotations

from functools import partial

from .shapes import (
    CLOSED,
    HEADER,
    HEADER_8_6,
    OPENED,
    REGISTERS,
    Generator,
    Piece,
    body,
    file_of,
    half,
    kernel_of,
    module,
    number_of,
    repeated,
    word,
)


def table_of_all_functions(size: int) -> str:
    """Functions, and a kernel that calls through a table of all of them again and again."""
    count = number_of(
        size, lambda n: f".func t{n}() {{ ret; }}\n", lambda n: f"t{n}, ", lambda n: "call %rd1, (), T;\n"
    )
    functions = "".join(f".func t{n}() {{ ret; }}\n" for n in range(count))
    targets = ", ".join(f"t{n}" for n in range(count))
    calls = "call %rd1, (), T;\n" * count
    head = f"{HEADER}{functions}.entry k()\n{{\n{REGISTERS}mov.u64 %rd1, t0;\n"
    return f"{head}T: .calltargets {targets};\n{calls}ret;\n}}\n"


def one_argument(size: int) -> str:
    """A call whose argument is stored byte by byte before."""
    argument = f".param .align 8 .b8 a[{size // 20}]"
    stores = repeated(size, lambda n: f"st.param.b8 [a+{n}], %r{n % 9};\n")
    return (
        f"{HEADER}.extern .func f({argument});\n"
        + body(lambda n: "call f, (a);\n", 1, f"{argument};\n{stores}")[len(HEADER) :]
    )


SEQUENCE = (
    "{",
    ".param .align 8 .b8 a[16];",
    ".param .b32 r;",
    "st.param.b64 [a], %rd1;",
    "st.param.b64 [a+8], %rd2;",
    "call.uni (r), f#, (a);",
    "ld.param.b32 %r1, [r];",
    "}",
)


def structure_passed_on(n: int) -> str:
    """A function that passes a structure on to the one before it, and returns one."""
    vector = "{%x0, %x1, %x2, %x3}"
    call = (
        f"{{ .param .align 16 .b8 o[64]; .param .align 16 .b8 q[64]; st.param.v4.b32 [o+{n % 4 * 16}], {vector};\n"
        f"call.uni (q), s{n - 1}, (o); ld.param.v4.b32 {vector}, [q+{n * 3 % 4 * 16}]; }}\n"
    )
    return (
        f".func (.param .align 16 .b8 r[64]) s{n}(.param .align 16 .b8 a[64])\n{{ .reg .b32 %x<4>;\n"
        f"ld.param.v4.b32 {vector}, [a+{n % 4 * 16}];\n{call * (n > 0)}"
        f"st.param.v4.b32 [r+{n * 5 % 4 * 16}], {vector}; ret; }}\n"
    )


def of_a_chain(size: int) -> str:
    """Functions that call the one before and have an array each, and kernels that call the last one."""

    def function(n: int) -> str:
        call = f"call.uni f{n - 1}, ();" if n else "bar.sync 0;"
        return (
            f".shared .align 4 .b32 s{n};\n.func f{n}() {{ .reg .b32 %a; ld.shared.u32 %a, [s{n}]; {call} "
            f"st.shared.u32 [s{n}], %a; ret; }}\n"
        )

    count = number_of(size, function, caller)
    kernels = "".join(caller(n).replace("last", f"f{count - 1}") for n in range(count))
    return HEADER + "".join(map(function, range(count))) + kernels


def caller(n: int) -> str:
    """A kernel that calls a function, with a number of threads of its own."""
    return f".visible .entry k{n}() .reqntid {n % 32 + 1}, {n % 5 + 1} {{ call.uni last, (); ret; }}\n"


def of_many_sizes(size: int) -> str:
    """A function with barriers under conditions of threads, and kernels of all sizes that call it."""

    def part(n: int) -> str:
        return (
            f"setp.ge.u32 %p, %t, {n * 7 % 160}; @%p bra J{n}; st.shared.u32 [s+{4 * (n % 64)}], %t; J{n}: bar.sync 0; "
            f"ld.shared.u32 %t, [s+{4 * (n * 5 % 64)}];\n"
        )

    count = number_of(size, part, caller)
    first = ".reg .pred %p; .reg .b32 %t; .shared .align 4 .b32 s[64]; mov.u32 %t, %tid.x;\n"
    function = f".func last() {{ {first}{''.join(map(part, range(count)))}ret; }}\n"
    return HEADER + function + "".join(map(caller, range(count)))


def table(opening: str, entry: Piece, closing: str, row: Piece, share: int = 2) -> Piece:
    """A kernel with one long list, then statements, one for each entry."""
    return lambda size: (
        HEADER_8_6
        + OPENED
        + opening
        + repeated(size // share, entry)
        + closing
        + repeated(size - size // share, row)
        + CLOSED
    )


def rings_of_calls(size: int) -> str:
    """Rings of three functions each, all of which go through one function."""

    def ring(n: int) -> str:
        return (
            f".shared .align 4 .u32 s{n};\n"
            f".func c{n}() {{ st.shared.u32 [s{n}], {n}; bar.sync 0; call.uni all, (); ret; }}\n"
            f".func b{n}() {{ call.uni c{n}, (); ret; }}\n.func a{n}() {{ call.uni b{n}, (); ret; }}\n"
        )

    def call(n: int) -> str:
        return f"setp.eq.u32 %p, %r, {n}; @%p call a{n}, ();\n"

    count = number_of(size, ring, call)
    rings, calls = ("".join(map(piece, range(count))) for piece in (ring, call))
    return (
        f"{HEADER}.func all();\n{rings}.func all() {{\n.reg .u32 %r; .reg .pred %p; mov.u32 %r, %clock;\n{calls}ret;\n"
        "}\n.visible .entry k() { call.uni all, (); ret; }\n"
    )


def passed_functions(size: int) -> str:
    """Functions that pass a function to the one before, and call it; kernels pass one of them to the last."""

    def function(n: int) -> str:
        call = f"{{ .param .b64 o; st.param.b64 [o], %a; call f{n - 1}, (o); }}" if n else "bar.sync 0;"
        return (
            f".func f{n}(.param .b64 g) {{ .reg .b64 %a; ld.param.b64 %a, [g]; {call}\n"
            "P: .callprototype _ (.param .b64 _);\n{ .param .b64 o; st.param.b64 [o], %a; call %a, (o), P; } ret; }\n"
        )

    def kernel(n: int) -> str:
        return (
            f".visible .entry k{n}() {{ .reg .b64 %a; mov.u64 %a, f@; .param .b64 o; st.param.b64 [o], %a; "
            "call last, (o); ret; }\n"
        )

    count = number_of(size, function, kernel)
    kernels = "".join(
        kernel(n).replace("@", str(n * 7919 % count)).replace("last", f"f{count - 1}") for n in range(count)
    )
    return HEADER + "".join(map(function, range(count))) + kernels


def array_argument(n: int) -> str:
    """A call of a function with an array of one of many lengths, written in part."""
    length = 8 * (n * 37 % 500 + 1)
    return (
        f"{{ .param .b32 r; .param .b32 c; .param .align 8 .b8 a[{length}]; st.param.b32 [c], {length}; "
        f"st.param.b64 [a+{length - 8}], %rd1; st.param.v2.b32 [a+{8 * (n % 300)}], {{%r1, {n}}};\n"
        "call (r), any, (c, a); ld.param.b32 %r1, [r]; }\n"
    )


STATEMENTS: dict[str, Piece] = {
    "calls of unknown functions": lambda n: f"call (%r1), {word(n)}, (%r2);\n",
    "indirect calls": lambda n: f"P{n}: .callprototype _ (.param .b32 _); call %rd1, (%r1), P{n};\n",
    "calls with wrong arguments": lambda n: f"call (%r1), helper, (%r{n % 9}, %rd1, {n});\n",
    "calls with parameter blocks": lambda n: (
        f"{{ .param .b32 a{n}; st.param.b32 [a{n}], %r1; call (%r2), helper, (a{n}); }}\n"
    ),
    "arguments that have the wrong type": lambda n: f"call (%f{n % 9}), k, (%rd1, %p{n % 9}, {n}.5);\n",
    "call sequences, each without one of its lines": lambda n: (
        "\n".join(SEQUENCE[: n % 8] + SEQUENCE[n % 8 + 1 :]).replace("#", str(n // 3)) + "\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "functions that call each other": lambda n: f".func f{n}() {{ call f{n + 1}, (); ret; }}\n",
    "functions that pass on what they get": lambda n: (
        f".func (.reg .b32 r) p{n}(.reg .b32 a, .reg .b64 b) {{ st.shared.b32 [a], a; "
        f"{f'call (r), p{n - 1}, (a, b)' if n else 'mov.b32 r, a'}; st.b32 [b], r; ret; }}\n"
    ),
    "structures passed on by functions": structure_passed_on,
    "methods called through a table of each class": lambda n: (
        f".func m{n}(.param .b64 this) {{ ret; }}\n.global .align 8 .u64 vt{n}[2] = {{ m{n}, m{n // 2} }};\n"
        f".func u{n}(.param .b64 o) {{ .reg .b64 %a<3>; ld.param.u64 %a0, [o]; ld.global.u64 %a1, [vt{n}+8];\n"
        "{ .param .b64 x; st.param.b64 [x], %a0; P: .callprototype _ (.param .b64 _); call %a1, (x), P; } ret; }\n"
    ),
    "prototypes outside": lambda n: f"P{n}: .callprototype _ (.param .b32 _);\n",
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "one call of many arguments": lambda size: body(lambda n: ("call (%r1), f, (" if not n else "") + f"%r{n}, ", size),
    "calls with undeclared results": partial(
        half, lambda n: f".param .b32 a{n};\n", lambda n: f"call (b{n}), g{n}, (a{n}, a{n + 1});\n"
    ),
    "one table of all functions, and calls through it": table_of_all_functions,
    "one argument written byte by byte": one_argument,
    "kernels that call one long chain of functions": of_a_chain,
    "one function with barriers, called by kernels of all sizes": of_many_sizes,
    "functions that call the next one": file_of(
        lambda n: (
            f".func (.param .b32 r) f{n}(.param .b32 x);\n.func (.param .b32 r) g{n}(.param .b32 x) {{ "
            f".reg .b32 %r1; ld.param.b32 %r1, [x]; {{ .param .b32 i; .param .b32 o; st.param.b32 [i], %r1; "
            f"call.uni (o), f{n + 1}, (i); ld.param.b32 %r1, [o]; }} st.param.b32 [r], %r1; ret; }}\n"
        )
    ),
    "functions that call all of the ten after them": file_of(
        lambda n: f".func f{n}() {{ " + " ".join(f"call f{n + more};" for more in range(1, 11)) + " ret; }\n"
    ),
    "one prototype and calls through it": kernel_of(
        lambda n: f"\tcall (%r{n % 90}), %d{n % 90}, (%r{n % 7}, %r1), proto;\n",
        "proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n",
    ),
    "a prototype for each call": kernel_of(
        lambda n: f"p{n}: .callprototype (.param .b32 _) _ (.param .b32 _);\n\tcall (%r1), %d2, (%r3), p{n};\n"
    ),
    "a table of call targets, used again and again": table(
        "", lambda n: f"T{n}: .calltargets k, g{n};\n", "", lambda n: f"\tcall %d1, T{n};\n"
    ),
    "parameters of a function and a call with all of them": lambda size: (
        HEADER_8_6
        + f".func f({', '.join(f'.reg .b32 a{n}' for n in range(max(1, size // 30)))}) {{ ret; }}\n"
        + OPENED
        + f"\tcall f, ({', '.join(f'%r{n % 99}' for n in range(max(1, size // 30)))});\n"
        + CLOSED
    ),
    "a call sequence of a compiler, again and again": kernel_of(
        lambda n: (
            f"\t{{ // callseq {n}, 0\n\t.reg .b32 temp_param_reg;\n"
            f"\t.param .b64 param0;\n\tst.param.b64 [param0+0], %d{n % 99};\n"
            f"\t.param .b32 retval0;\n\tcall.uni (retval0),\n"
            f"\tvprintf,\n\t(\n\tparam0\n\t);\n\tld.param.b32 %r{n % 99}, [retval0+0];\n\t}} // callseq {n}\n"
        ),
    ),
    "one argument stored and passed often": partial(
        body,
        lambda n: f"@%p1 bra L{n}; st.param.b32 [one], %r1;\nL{n}: call.uni twice, (one);\n",
        before=".param .b32 one; .param .b32 other; call.uni twice, (other);\n",
    ),
    "rings of calls that all go through one function": rings_of_calls,
    "functions that call the function that they pass on": passed_functions,
    "calls of one function with arrays of all lengths": lambda size: body(array_argument, size).replace(
        HEADER, f"{HEADER}.extern .func (.param .b32 r) any(.param .b32 c, .param .align 8 .b8 a[]);\n", 1
    ),
}
