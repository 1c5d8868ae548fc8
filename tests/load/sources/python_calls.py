"""Calls of Triton and of JAX with inline assembly: wrong ones, and ones that nothing closes."""

from __future__ import annotations

from ..texts.shapes import Generator, Piece, between, repeated
from .shapes import TRITON, in_language, triton


def elementwise(template: str, constraints: str = "=r,r", rest: str = "") -> Piece:
    """A call of Triton; ``#`` is its number."""
    call = (
        f'    x = tl.inline_asm_elementwise("{template}", "{constraints}", [x], '
        f"dtype=tl.int32, is_pure=True, pack=1{rest})\n"
    )
    return lambda n: call.replace("#", str(n))


PYTHON: dict[str, Generator] = {
    "python: calls on one line": between(
        "# inline_asm_elementwise\n", lambda n: f'inline_asm_elementwise("add.s32 $0, $1, {n};", "=r,r", [x]); '
    ),
    "python: strings one after another": between(
        "import triton\ninline_asm_elementwise(", lambda n: f'"add.s32 1, {n};"\n', ', "=r,r", [x])\n'
    ),
    "python: calls of calls": between("from jax import inline_asm_elementwise\n", lambda n: "inline_asm_elementwise("),
    "python: constraints": between(
        'import triton\ninline_asm_elementwise("add.s32 $0, $1, 1;", "', lambda n: "=r,{x", '", [x])\n'
    ),
    "python: brackets in a call": between("import triton\ninline_asm_elementwise(", lambda n: "[(", "\n"),
    "python: names in a call": between("import triton\ninline_asm_elementwise(", lambda n: "a.b x", ', "=r", [])\n'),
    "triton: syntax errors": triton(elementwise("add.s32 $0 $1, #;")),
    "triton: unknown instructions": triton(elementwise("ad#.s32 $0, $1, 1;")),
    "triton: undeclared registers": triton(elementwise("add.s32 $0, undeclared#, x#;")),
    "triton: operands that no list has": triton(elementwise("add.s32 $0, $#5, ${7:x};")),
    "triton: wrong constraints": triton(elementwise("add.s32 $0, $1, #;", "=x,r#,~{memory},=,,9")),
    "triton: packed elements": triton(
        elementwise("{ .reg .b32 t#; cvt.rn.bf16x2.f33 t#, $0, $4; }", "=r,=r,=r,=r,r", ", pack=#")
    ),
    "triton: the same wrong call": triton(elementwise("ad.s32 $0, undeclared, $7;")),
    "triton: one function under a chain of other names": lambda size: (
        f"{TRITON}a0 = tl.inline_asm_elementwise\n"
        + repeated(
            size,
            lambda n: (
                f'a{n + 1} = a{n}\nx = a{n + 1}("ad{n}.s32 $0, $1, q{n};", "=r,r", [x], tl.int32, True, 1)\n'
                f"from triton.language import inline_asm_elementwise as b{n}\nimport triton.language as tl{n}\n"
                f'y = tl{n // 2}.inline_asm_elementwise(asm="x{n};", constraints="=r", args=[b{n // 3}("y;")])\n'
            ),
        )
    ),
}
HOSTS = in_language("python", PYTHON)
