"""Descriptors in unoptimised code: through local memory, calls, and pointers to both; and what must stay unknown."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.descriptors.faults import packed_instructions
from ptx_lsp.checks.engine.checker import Checker

UNKNOWN = "0x????????????????"
WHOLE = "0x4000004000010000"
"""The value that the bodies below build."""

KERNEL = """\
.version 8.6
.target sm_90a
.address_size 64
FUNCTIONS
.visible .entry kernel(.param .u64 given, .param .u32 number)
{
    .local .align 8 .b8 depot[64];
    .reg .b64 %SP, %SPL;
    .reg .pred %p<4>;
    .reg .b16 %rs<8>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<40>;
    .reg .f32 %f<8>;
    mov.u64 %SPL, depot;
    cvta.local.u64 %SP, %SPL;
BODY
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;
    ret;
}
"""
"""A kernel around the lines that make ``%rd2``; ``%rd1`` is made by nothing."""

STORED = "mov.b64 %rd3, 0x4000004000010000; st.u64 [%SP+8], %rd3;"


def digits(body: str, functions: str = "") -> str:
    """The known digits of ``%rd2``."""
    semantics = Checker(KERNEL.replace("BODY", body).replace("FUNCTIONS", functions)).semantics
    module = semantics.module
    function = next(one for one in module.functions if one.symbol and one.symbol.name == "kernel")
    context = next(packed_instructions(module, function))
    return next(
        known.reading.digits
        for known in semantics.packed(function).operands(context)
        if known.packed.role.startswith("b")
    )


def check(body: str, expected: str, functions: str = "") -> None:
    assert digits(body, functions) == expected


# ------------------------------------------------------------------ local memory


def test_what_is_stored_is_loaded() -> None:
    check(STORED + "ld.u64 %rd2, [%SP+8];", WHOLE)
    check(STORED + "ld.local.u64 %rd2, [%SPL+8];", WHOLE)
    check(STORED + "ld.local.u64 %rd2, [depot+8];", WHOLE)


def test_at_another_place_is_nothing() -> None:
    check(STORED + "ld.u64 %rd2, [%SP+16];", UNKNOWN)


def test_words_and_bytes_are_put_together() -> None:
    words = "mov.b32 %r1, 65536; mov.b32 %r2, 0x40000040; st.u32 [%SP+8], %r1; st.u32 [%SP+12], %r2;"
    check(words + "ld.u64 %rd2, [%SP+8];", WHOLE)
    check(words + "ld.u32 %r3, [%SP+8]; ld.u32 %r4, [%SP+12]; mov.b64 %rd2, {%r3, %r4};", WHOLE)
    check("mov.b32 %r1, 65536; mov.b32 %r2, 0x40000040; st.v2.u32 [%SP+8], {%r1, %r2}; ld.u64 %rd2, [%SP+8];", WHOLE)
    check(STORED + "ld.v2.u32 {%r3, %r4}, [%SP+8]; mov.b64 %rd2, {%r3, %r4};", WHOLE)


def test_bit_fields_are_filled_one_after_the_other() -> None:
    """Each store hides a part of the ones before it, and what it writes is made of them."""
    check(
        """
        mov.u64 %rd3, 0x0000004000010000;
        st.u64 [%SP], %rd3;
        ld.u8 %rs1, [%SP+7];
        and.b16 %rs2, %rs1, 63;
        or.b16 %rs3, %rs2, 64;
        st.u8 [%SP+7], %rs3;
        ld.u64 %rd2, [%SP];
        """,
        WHOLE,
    )


def test_two_ways_to_a_load_are_joined() -> None:
    check(
        STORED
        + """
        mov.b64 %rd4, 0x8000004000010000;
        @%p1 bra SKIP;
        st.u64 [%SP+8], %rd4;
        SKIP:
        ld.u64 %rd2, [%SP+8];
        """,
        "0x?000004000010000",
    )


def test_a_guarded_store_hides_nothing() -> None:
    check(
        STORED + "mov.b64 %rd4, 0x8000004000010000; @%p1 st.u64 [%SP+8], %rd4; ld.u64 %rd2, [%SP+8];",
        "0x?000004000010000",
    )


def test_a_loop_comes_back_to_its_own_store() -> None:
    check(
        STORED
        + """
        LOOP:
        ld.u64 %rd2, [%SP+8];
        mov.b64 %rd4, 0x8000004000010000;
        st.u64 [%SP+8], %rd4;
        @%p1 bra LOOP;
        """,
        "0x?000004000010000",
    )


def test_an_address_in_another_register() -> None:
    made = "mov.b64 %rd3, 0x4000004000010000; add.u64 %rd5, %SP, 16;"
    check(made + "st.u64 [%rd5+8], %rd3; ld.u64 %rd2, [%SP+24];", WHOLE)


def test_an_address_that_is_kept_in_memory() -> None:
    check(STORED + "add.u64 %rd5, %SP, 8; st.u64 [%SP+32], %rd5; ld.u64 %rd6, [%SP+32]; ld.u64 %rd2, [%rd6];", WHOLE)


def test_a_load_from_nobody_knows_where_harms_nothing() -> None:
    somewhere = "ld.param.u64 %rd7, [given]; add.s64 %rd6, %SP, %rd7; ld.f32 %f7, [%rd6];"
    check(STORED + somewhere + "ld.u64 %rd2, [%SP+8];", WHOLE)


@pytest.mark.parametrize(
    "leak",
    [
        "ld.param.u64 %rd7, [given]; add.s64 %rd6, %SP, %rd7; st.u64 [%rd6], %rd7;",
        "ld.param.u64 %rd7, [given]; st.global.u64 [%rd7], %SP;",
        "add.u64 %rd6, %SP, 8; atom.add.u64 %rd7, [%rd6], 1;",
        "mov.b64 {%r5, %r6}, %SP;",
        "mov.u64 %rd6, %SP; mov.u64 %rd6, %SPL; st.u64 [%rd6+8], %rd1;",
        "{ .param .b64 p0; st.param.b64 [p0], %SP; call.uni unseen, (p0); }",
    ],
)
def test_nothing_is_known_once_an_address_gets_away(leak: str) -> None:
    check(STORED + leak + "ld.u64 %rd2, [%SP+8];", UNKNOWN, ".extern .func unseen(.param .b64 a);")


# ------------------------------------------------------------------ calls


MAKER = """\
.func (.param .b64 result) make(.param .b32 stride)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u32 %r1, [stride];
    shr.u32 %r2, %r1, 4;
    or.b32 %r3, %r2, 0x40000000;
    cvt.u64.u32 %rd1, %r3;
    shl.b64 %rd2, %rd1, 32;
    or.b64 %rd3, %rd2, 65536;
    st.param.b64 [result], %rd3;
    ret;
}
"""


def called(stride: str, result: str = "%rd2") -> str:
    return f"""
    {{ .param .b32 p0; st.param.b32 [p0], {stride}; .param .b64 r0; call.uni (r0), make, (p0);
    ld.param.b64 {result}, [r0]; }}
    """


def test_what_a_function_makes_of_its_arguments() -> None:
    check(called("1024"), WHOLE, MAKER)
    check("ld.param.u32 %r9, [number];" + called("%r9"), "0x4???????00010000", MAKER)


def test_each_call_has_its_own_arguments() -> None:
    check(called("512", "%rd9") + called("1024"), WHOLE, MAKER)


def test_a_function_whose_body_is_elsewhere() -> None:
    check(called("1024"), UNKNOWN, ".extern .func (.param .b64 result) make(.param .b32 stride);")


def test_a_function_that_calls_itself_comes_to_an_end() -> None:
    again = """\
.func (.param .b64 result) make(.param .b32 stride)
{
    .reg .b64 %rd<4>;
    { .param .b32 p0; st.param.b32 [p0], 1; .param .b64 r0; call.uni (r0), make, (p0); ld.param.b64 %rd1, [r0]; }
    st.param.b64 [result], %rd1;
    ret;
}
"""
    check(called("1024"), UNKNOWN, again)


SETTER = """\
.func (.param .b64 result) set(.param .b64 self)
{
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [self];
    mov.b64 %rd2, 0x4000004000010000;
    WHAT
    st.param.b64 [result], %rd1;
    ret;
}
"""
SET = """
    mov.b64 %rd3, 0x8000000000000000; st.u64 [%SP+8], %rd3; add.u64 %rd5, %SP, 8;
    { .param .b64 p0; st.param.b64 [p0], %rd5; .param .b64 r0; call.uni (r0), set, (p0); ld.param.b64 %rd6, [r0]; }
    ld.u64 %rd2, [FROM];
"""


def test_a_function_that_stores_through_a_pointer() -> None:
    """For the caller its store does not replace the previous value: it is not known to happen on all paths."""
    check(SET.replace("FROM", "%SP+8"), "0x?00000?0000?0000", SETTER.replace("WHAT", "st.u64 [%rd1], %rd2;"))


def test_a_function_that_only_loads_through_a_pointer() -> None:
    check(SET.replace("FROM", "%SP+8"), "0x8000000000000000", SETTER.replace("WHAT", "ld.u64 %rd3, [%rd1];"))


def test_a_function_that_gives_the_pointer_away() -> None:
    check(SET.replace("FROM", "%SP+8"), UNKNOWN, SETTER.replace("WHAT", "st.global.u64 [%rd2], %rd1;"))


# ------------------------------------------------------------------ callers

TAKER = """\
.version 8.6
.target sm_90a
.address_size 64
LINKAGE .func multiply(.param .b64 a)
{
    .reg .b64 %rd<4>;
    .reg .f32 %f<8>;
    ld.param.u64 %rd2, [a];
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;
    ret;
}
.visible .entry kernel()
{
    .reg .b64 %rd<4>;
    { .param .b64 p0; st.param.b64 [p0], 0x4000004000010000; call.uni multiply, (p0); }
    { .param .b64 p0; st.param.b64 [p0], SECOND; call.uni multiply, (p0); }
    MORE
    ret;
}
"""


def taken(linkage: str = "", second: str = "0x4000004000010000", more: str = "") -> str:
    text = TAKER.replace("LINKAGE", linkage).replace("SECOND", second).replace("MORE", more)
    semantics = Checker(text).semantics
    module = semantics.module
    for function in module.functions:
        for context in packed_instructions(module, function):
            return [known.reading.digits for known in semantics.packed(function).operands(context)][1]
    raise AssertionError(text)


def test_what_all_callers_give() -> None:
    assert taken() == WHOLE
    assert taken(second="0x8000004000010000") == "0x?000004000010000"


def test_others_may_call_too() -> None:
    assert taken(".visible") == UNKNOWN
    assert taken(more="mov.u64 %rd1, multiply;") == UNKNOWN


def test_what_the_module_has_is_not_followed() -> None:
    check("st.local.u64 [shared_by_all], 0; ld.local.u64 %rd2, [shared_by_all];", UNKNOWN, ".local .b64 shared_by_all;")
