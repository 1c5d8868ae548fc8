"""LLVM and MLIR with inline assembly."""

from __future__ import annotations

from ..texts.shapes import Generator, between, nested, repeated
from .shapes import in_language, program


def in_hexadecimal(n: int) -> str:
    """An operation of MLIR each letter of whose template is an escape."""
    template = "".join(f"\\{ord(letter):02X}" for letter in f'{{ add.s32 $0, "$1", {n};\n\t}}')
    return f'%v{n} = llvm.inline_asm has_side_effects asm_dialect = att "{template}", "=r,r" %a : (i32) -> i32\n'


def escaped(n: int) -> str:
    """A whole program of PTX, as texts of LLVM spell it."""
    return program(n).replace("\n", "\\0A")


def constant(n: int) -> str:
    """A constant of LLVM that holds a whole program."""
    return f'@p{n} = private unnamed_addr constant [{len(program(n)) + 1} x i8] c"{escaped(n)}\\00", align 1\n'


LLVM: dict[str, Generator] = {
    "llvm: calls on one line": between(
        "", lambda n: f'call i32 asm sideeffect "add.s32 $0, $1, {n};", "=r,r"(i32 %x) '
    ),
    "llvm: values": between('call i32 asm "add.s32 $0, $1, 1;", "=r,r"(', lambda n: f"i32 %{n}, ", "i32 %x)\n"),
    "llvm: calls with lists of places, and types defined by others": lambda size: (
        'target triple = "nvptx64"\n'
        + repeated(
            size,
            lambda n: (
                f'%t{n + 1} = type {{ %t{n}, [2 x %t{n}] }}\nmodule asm ".global .b32 v{n};\\0A"\n'
                f"%r{n} = call {{ i32, %t{n + 1} }} asm sideeffect alignstack inteldialect "
                f'"add.s32 $0, $1, {n};\\0A{{;\\22", '
                f'"=r,=r|m,{"^w" * (n % 9)}r,0,~{{memory}},!i"(%t{n + 1} %x{n}, i32 0) #{n}, !srcloc !{n}\n'
                f"!{n} = !{{i64 {n}, !{n + 1}, !{n // 2}, !{n}}}\n"
            ),
        )
    ),
    "llvm: statements that may branch to many labels": lambda size: (
        'target triple = "nvptx64"\ndefine void @f(i32 %x) {\n'
        + repeated(
            size,
            lambda n: (
                f"b{n}:\n  %v{n} = phi i32 [ %x, %b{max(n - 1, 0)} ], [ %v{n // 2}, %b{n // 2} ]\n"
                f'  callbr void asm sideeffect "{{ .reg .pred p; @p bra ${{1:l}}; @!p bra ${{2:l}}; ad.s32 q{n}; }}",'
                f' "r,!i,!i"(i32 %v{n}) to label %b{n + 1} [label %b{n // 2}, label %b{n // 3}]\n'
            ),
        )
        + "}\n"
    ),
    "llvm: one program in lines of assembly of the module": lambda size: (
        'module asm ".version 8.0"\nmodule asm ".target sm_90"\nmodule asm ".entry k() {"\n'
        + repeated(size, lambda n: f'module asm "\\09ad{n}.s32 %r{n % 9}, q{n}, \\22{n};"\n')
        + 'module asm "}"\n'
    ),
    "llvm: constants that hold whole programs": lambda size: 'target triple = "x86_64"\n' + repeated(size, constant),
}
MLIR: dict[str, Generator] = {
    "mlir: attributes that nothing closes": between("", lambda n: "llvm.inline_asm a=[ "),
    "mlir: operations on one line": between("", lambda n: f'nvvm.inline_ptx "add.s32 $0, {n};" ro(%a, %b : i32, i32) '),
    "mlir: values": between('nvvm.inline_ptx "ret;" ro(', lambda n: f"%a{n}, ", "%b : i32)\n"),
    "mlir: named operands": lambda size: (
        'nvvm.inline_ptx "'
        + repeated(size // 2, lambda n: f"add.s32 {{$r{n}}}, 1; ")
        + '" ro('
        + ", ".join(f"%a{n}" for n in range(size // 40))
        + " : "
        + ", ".join("i32" for n in range(size // 40))
        + ")\n"
    ),
    "mlir: operations in nested regions": nested(
        "func.func @f(%a : i32) {\n",
        lambda n: f'scf.if %c{n} {{ %v{n} = llvm.inline_asm "add.s32 $0, $1, {n};", "=r,r" %a : (i32) -> i32\n',
        'nvvm.inline_ptx "ret;"\n',
        lambda n: f'}} else {{ nvvm.inline_ptx "mov.b32 $0, q{n};" ro(%v{n} : i32) }}\n',
        "}\n",
    ),
    "mlir: templates in hexadecimal": lambda size: repeated(size, in_hexadecimal),
    "mlir: places that lead to two other places": lambda size: (
        "// nvvm. gpu.\n#loc0 = loc(unknown)\n"
        + repeated(
            size,
            lambda n: (
                f'#loc{n + 1} = loc(callsite("f{n}"(#loc{n}) at fused<"x">[#loc{n // 2}, #loc{n}]))\n'
                f"%v{n}:2 = llvm.inline_asm has_side_effects operand_attrs = [{{elementtype = !t{n}}}] "
                f'"add.s32 $0, $1, {n};", '
                f'"=r,r" %v{n // 2}#1 : (!t{n}) -> !llvm.struct<"s{n}", (i32, struct<(ptr<{n}>, array<{n} x i8>)>)> '
                f"loc(#loc{n + 1})\n"
            ),
        )
    ),
    "mlir: objects that hold whole programs": lambda size: repeated(
        size,
        lambda n: (
            f'gpu.binary @b{n} [#gpu.object<#nvvm.target<O = {n % 4}, chip = "sm_{n % 99}", features = "+ptx80">, '
            f'properties = {{x = {n} : i32}}, assembly = "{escaped(n)}ad{n}.s32 q{n};\\0A">]\n'
            f'gpu.module @m{n} [#nvvm.target] {{ nvvm.inline_ptx "ad{n}.s32 x, 1;" }}\n'
        ),
    ),
}
HOSTS = {**in_language("llvm", LLVM), **in_language("mlir", MLIR)}
