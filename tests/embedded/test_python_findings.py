"""Findings in templates of Python: what Triton, CuTe DSL and MLIR do with operands."""

# ruff: noqa: E501 - annotations quote messages

from __future__ import annotations

from .annotated_host import check_source, findings


def check_python(source: str) -> None:
    """Check annotated Python."""
    check_source(source, host="python")


def test_an_input_that_is_tied_to_an_output_gives_it_a_value() -> None:
    check_python(
        """
llvm.inline_asm(cutlass, [c, a],
    "add.f32 $0, $0, $2;",
    "=f,0,f")
llvm.inline_asm(cutlass, [c, a],
    "add.f32 $0, $0, $1;",
#                ^^ warning[W902]: '$0' is read before it is written; '=f' is an output only, tie an input to it: '0'
    "=f,f,f")
#         ^ warning[W901]: operand '$2' is not used in the template
"""
    )


def test_triton_gives_several_registers_to_a_packed_value() -> None:
    check_python(
        """
tl.inline_asm_elementwise("cvt.rs.f16x2.f32 $0, $2, $1, $3;", "=r,r,r,r,r", args=(x, random), pack=2)
tl.inline_asm_elementwise("cvt.rs.f16x2.f32 $0, $2, $1, $3;", "=r,r,r,r,r", args=(a, b, c, d), pack=1)
#                                                                       ^ warning[W901]: operand '$4' is not used in the template
"""
    )


def test_text_that_the_host_computes_can_name_any_operand() -> None:
    check_python('inline_asm_elementwise(f"ld.shared.f32 $0, {address};", "=f,r", [base])')
    check_python('inline_asm_elementwise(f"mov.b32 $0, {name};", "=f,r", [base])')


def test_names_that_the_host_computes_are_not_named() -> None:
    _, found = findings(
        'inline_asm_elementwise(f".reg .b32 {name}; mov.b32 {name}, {hex(value)};", "", [])', host="python"
    )
    assert not found
