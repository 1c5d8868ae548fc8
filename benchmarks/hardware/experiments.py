"""The experiments, in the order of the document."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.hardware.experiment import Experiment, Outcome

EMPTY = 0xEEEEEEEE
"""A word of the results that no thread stored to."""


def _is(*words: int) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome == list(words)


def _hangs(outcome: Outcome) -> bool:
    return outcome == "hangs"


def _fails(outcome: Outcome) -> bool:
    return isinstance(outcome, str) and outcome != "hangs"


def _video(instruction: str, *operands: int) -> str:
    """A kernel that stores the result of an instruction of words that the compiler does not know."""
    lines = []
    for number, operand in enumerate(operands, 1):
        lines += [f"st.volatile.shared.u32 [buffer], {operand:#x};", f"ld.volatile.shared.u32 %r{number}, [buffer];"]
    return "\n".join(["", *lines, f"{instruction};", "st.global.u32 [%out], %r0;", ""])


EXPERIMENTS = (
    Experiment(
        "exited-warp-explicit-count",
        "bar.sync",
        "`bar.sync a, b` still waits for `b` threads after a warp has exited",
        """
    setp.ge.u32 %p1, %lane, 32;
    @%p1 exit;
    bar.sync 1, 64;
    st.global.u32 [%out], 1;
""",
        _hangs,
        threads=64,
    ),
    Experiment(
        "exited-warp-all-threads",
        "bar.sync",
        "`bar.sync a` waits only for the warps that have not exited",
        """
    setp.ge.u32 %p1, %lane, 32;
    @%p1 exit;
    bar.sync 1;
    st.global.u32 [%out], 1;
""",
        lambda outcome: outcome == [1] * 32 + [EMPTY] * 32,
        threads=64,
    ),
    Experiment(
        "exited-warp-barrier-count",
        "barrier",
        "`barrier.sync a, b` still waits for `b` threads after a warp has exited",
        """
    setp.ge.u32 %p1, %lane, 32;
    @%p1 exit;
    barrier.sync 1, 64;
    st.global.u32 [%out], 1;
""",
        _hangs,
        threads=64,
    ),
    Experiment(
        "exited-half-warp-explicit-count",
        "bar.sync",
        "`bar.sync a, b` counts the exited lanes of a warp that arrives",
        """
    setp.ge.u32 %p1, %lane, 48;
    @%p1 exit;
    bar.sync 1, 64;
    st.global.u32 [%out], 1;
""",
        lambda outcome: outcome == [1] * 48 + [EMPTY] * 16,
        threads=64,
    ),
    Experiment(
        "exited-threads-mbarrier",
        "exit",
        "an mbarrier still waits for the arrivals of threads that have exited",
        """
    setp.ne.u32 %p1, %lane, 0;
    @%p1 bra READY;
    mbarrier.init.shared.b64 [bar], 64;
READY:
    bar.sync 0;
    setp.ge.u32 %p1, %lane, 32;
    @%p1 exit;
    mbarrier.arrive.shared.b64 %rd1, [bar];
WAIT:
    mbarrier.test_wait.shared.b64 %p2, [bar], %rd1;
    @!%p2 bra WAIT;
    st.global.u32 [%out], 1;
""",
        _hangs,
        threads=64,
    ),
    Experiment(
        "exited-lanes-warp-barrier",
        "bar.warp.sync",
        "`bar.warp.sync` does not wait for lanes of the mask that have exited",
        """
    setp.ge.u32 %p1, %lane, 16;
    @%p1 exit;
    bar.warp.sync -1;
    st.global.u32 [%out], 1;
""",
        lambda outcome: outcome == [1] * 16 + [EMPTY] * 16,
        threads=32,
    ),
    Experiment(
        "exited-lanes-elect",
        "elect",
        "`elect.sync` does not wait for lanes of the mask that have exited, and elects another",
        """
    setp.lt.u32 %p1, %lane, 4;
    @%p1 exit;
    elect.sync %r1|%p2, -1;
    st.global.u32 [%out], %r1;
""",
        lambda outcome: outcome == [EMPTY] * 4 + [4] * 28,
        threads=32,
    ),
    Experiment(
        "brkpt-without-debugger",
        "brkpt",
        "without a debugger the kernel ends with an error",
        "    brkpt;\n    st.global.u32 [%out], 1;\n",
        _fails,
    ),
    Experiment(
        "trap-ends-the-context",
        "trap",
        "the next synchronization returns an error, and later calls of the context fail too",
        "    trap;\n    st.global.u32 [%out], 1;\n",
        lambda outcome: isinstance(outcome, str) and "then" in outcome,
    ),
    Experiment(
        "match-any-distinct-values",
        "match",
        "`match.any` takes longer with more distinct values: cycles for 1, 2, 8 and 32 of them",
        "".join(
            f"""
    rem.u32 %r1, %lane, {values};
    mov.u32 %r2, %clock;
    match.any.sync.b32 %r3, %r1, -1;
    match.any.sync.b32 %r4, %r3, -1;
    match.any.sync.b32 %r5, %r1, -1;
    mov.u32 %r6, %clock;
    add.u32 %r7, %r3, %r4;
    add.u32 %r7, %r7, %r5;
    sub.u32 %r6, %r6, %r2;
    setp.eq.u32 %p1, %r7, 12345;
    @%p1 mov.u32 %r6, 0;
    st.global.u32 [%out+{4 * at}], %r6;
"""
            for at, values in enumerate((1, 1, 2, 8, 32))
        ),
        lambda outcome: isinstance(outcome, list) and outcome[1] < outcome[2] < outcome[3] < outcome[4],
        threads=32,
        words=5,
    ),
    Experiment(
        "fresh-mbarrier-parity",
        "mbarrier.test_wait",
        "on a new mbarrier a wait for parity 1 succeeds at once, a test for parity 0 fails",
        """
    mbarrier.init.shared.b64 [bar], 1;
    mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;
    mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1;
    selp.u32 %r1, 1, 0, %p1;
    selp.u32 %r2, 1, 0, %p2;
    st.global.v2.u32 [%out], {%r1, %r2};
""",
        _is(0, 1),
        words=2,
    ),
    Experiment(
        "griddepcontrol-without-attribute",
        "griddepcontrol",
        "without programmatic dependent launch, `griddepcontrol.wait` returns at once",
        """
    griddepcontrol.launch_dependents;
    griddepcontrol.wait;
    st.global.u32 [%out], 1;
""",
        _is(1),
    ),
    Experiment(
        "ballot-of-exited-lanes",
        "vote",
        "`vote.sync.ballot` has 0 for a lane of the mask that has exited",
        """
    setp.ge.u32 %p1, %lane, 16;
    @%p1 exit;
    setp.lt.u32 %p2, %lane, 32;
    vote.sync.ballot.b32 %r1, %p2, -1;
    st.global.u32 [%out], %r1;
""",
        lambda outcome: outcome == [0xFFFF] * 16 + [EMPTY] * 16,
        threads=32,
    ),
    Experiment(
        "misaligned-vector-reduction",
        "red",
        "a vector at an address that is a multiple of the element size only is a misaligned access",
        """
    mov.f32 %f1, 0f3F800000;
    red.relaxed.gpu.global.add.v4.f32 [%out+4], {%f1, %f1, %f1, %f1};
""",
        _fails,
        words=8,
    ),
    Experiment(
        "atomic-add-of-subnormals",
        "atom",
        "`atom.add.f32` flushes subnormals in global memory and preserves them in shared memory",
        """
    mov.b32 %f1, 1;
    st.global.u32 [%out], 1;
    atom.global.add.f32 %f2, [%out], %f1;
    st.shared.u32 [buffer], 1;
    atom.shared.add.f32 %f3, [buffer], %f1;
    ld.shared.u32 %r1, [buffer];
    st.global.u32 [%out+4], %r1;
""",
        _is(0, 2),
        words=2,
    ),
    Experiment(
        "generic-pointer-as-shared-address",
        "ld",
        "`ld.shared` with the generic address of a shared variable reads the variable; the manual does not promise it",
        """
    st.shared.u32 [buffer], 77;
    mov.u64 %rd1, buffer;
    cvta.shared.u64 %rd1, %rd1;
    ld.shared.u32 %r1, [%rd1];
    st.global.u32 [%out], %r1;
""",
        _is(77),
    ),
    Experiment(
        "sparse-selector-out-of-range",
        "mma.sp",
        "`mma.sp.m16n8k32` of `.f16` with a selector of 2 ends the kernel with an error",
        """
    mov.u32 %r1, 0;
    mov.u32 %r2, 0x44444444;
    mov.f32 %f1, 0f00000000;
    mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1},
        {%r1, %r1, %r1, %r1}, {%f1, %f1, %f1, %f1}, %r2, 2;
    st.global.f32 [%out], %f1;
""",
        _fails,
        threads=32,
    ),
    Experiment(
        "tf32-inputs-are-truncated",
        "mma",
        "`.tf32` inputs are truncated: the 13 low bits of 1 + 2^-11 + 2^-12 have no effect",
        """
    mov.b32 %r1, 0x3F801800;
    mov.u32 %r2, 0;
    mov.u32 %r3, 0x3F800000;
    setp.lt.u32 %p1, %lane, 32;
    mov.f32 %f1, 0f00000000;
    mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1, %r2, %r2}, {%r3, %r2},
        {%f1, %f1, %f1, %f1};
    st.global.f32 [%out], %f1;
""",
        lambda outcome: outcome == [0x40800000] * 32,
        threads=32,
    ),
    Experiment(
        "vmad-of-unsigned-words",
        "vmad",
        "`vmad.u32.u32.u32.sat` treats a whole word as signed before it saturates: `0xffffffff * 1 + 5` gives 4",
        """
    mov.u32 %r1, 0xffffffff;
    mov.u32 %r2, 1;
    mov.u32 %r3, 5;
    vmad.u32.u32.u32.sat %r4, %r1, %r2, %r3;
    st.global.u32 [%out], %r4;
""",
        _is(4),
    ),
    Experiment(
        "vmad-shift-of-unsigned-words",
        "vmad",
        "`vmad.u32.u32.u32.shr7` treats an unsigned word as signed: `0x1f * 0x80808080 + 5` gives `0xe11f1f1f`",
        _video("vmad.u32.u32.u32.shr7 %r0, %r1, %r2, %r3", 0x1F, 0x80808080, 5),
        _is(0xE11F1F1F),
    ),
    Experiment(
        "vadd-saturation-of-words",
        "vadd",
        "`vadd.u32.u32.u32.sat` does not clamp above `2^32 - 1`: `0xffffffff + 5` gives 4",
        _video("vadd.u32.u32.u32.sat %r0, %r1, %r2", 0xFFFFFFFF, 5),
        _is(4),
    ),
    Experiment(
        "vsub-saturation-of-a-byte",
        "vadd",
        "`vsub.s32.u32.u32.sat` into a byte clamps `0 - 1` to the upper limit, `0x7f`",
        _video("vsub.s32.u32.u32.sat %r0.b0, %r1, %r2, %r3", 0, 1, 0),
        _is(0x7F),
    ),
    Experiment(
        "vadd-minimum-of-large-words",
        "vadd",
        "`vadd.u32.u32.u32.min` of `0x80000000` and `0x90000000` gives the larger",
        _video("vadd.u32.u32.u32.min %r0, %r1, %r2, %r3", 0x80000000, 0, 0x90000000),
        _is(0x90000000),
    ),
    Experiment(
        "vshl-saturation-of-a-byte",
        "vshl",
        "`vshl.u32.u32.u32.sat.clamp` into a byte truncates `0x80 << 7` to 0",
        _video("vshl.u32.u32.u32.sat.clamp %r0.b1, %r1, %r2, %r3", 0x80, 7, 0),
        _is(0),
    ),
    Experiment(
        "vadd-minimum-of-a-long-sum",
        "vadd",
        "`vadd.s32.s32.s32.min` compares the low 32 bits: of `0x7fffffff + 1` and 5 it gives `0x80000000`",
        _video("vadd.s32.s32.s32.min %r0, %r1, %r2, %r3", 0x7FFFFFFF, 1, 5),
        _is(0x80000000),
    ),
    Experiment(
        "vshl-saturation-of-a-signed-byte",
        "vshl",
        "`vshl.s32.s32.u32.sat.clamp` into a byte clamps `0x40 << 26` to 32 bits, then truncates it to `0xff`",
        _video("vshl.s32.s32.u32.sat.clamp %r0.b0, %r1, %r2, %r3", 0x40, 26, 0),
        _is(0xFF),
    ),
    Experiment(
        "vshl-minimum-by-32",
        "vshl",
        "`vshl.s32.u32.u32.clamp.min` of `0xffffffff << 33` and `0x21` gives 0",
        _video("vshl.s32.u32.u32.clamp.min %r0, %r1, %r2, %r3", 0xFFFFFFFF, 33, 0x21),
        _is(0),
    ),
    Experiment(
        "vset-maximum-of-a-large-word",
        "vset",
        "`vset.s32.s32.eq.max` of the result 1 and `0x80000000` gives 1",
        _video("vset.s32.s32.eq.max %r0, %r1, %r2, %r3", 7, 7, 0x80000000),
        _is(1),
    ),
)
