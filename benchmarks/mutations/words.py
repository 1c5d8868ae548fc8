"""The words that mistakes are made of."""

from __future__ import annotations

TYPES = {
    ".pred": ("p", 1),
    **{f".{family}{width}": (family, width) for family in "bus" for width in (8, 16, 32, 64)},
    ".b128": ("b", 128),
    ".f16": ("f", 16),
    ".bf16": ("f", 16),
    ".f16x2": ("f", 32),
    ".bf16x2": ("f", 32),
    ".f32": ("f", 32),
    ".tf32": ("f", 32),
    ".f32x2": ("f", 64),
    ".f64": ("f", 64),
    ".e4m3": ("f", 8),
    ".e5m2": ("f", 8),
    ".e4m3x2": ("f", 16),
    ".e5m2x2": ("f", 16),
    ".e2m1x2": ("f", 8),
}
"""Types with their family and their width in bits."""

COMMON_TYPES = ".pred .b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64 .f16 .f32 .f64".split()
BOGUS_TYPES = ".u33 .s31 .f31 .i32 .float .u128 .f8 .b24".split()
SPACES = ".global .shared .local .param .const".split()
ALL_SPACES = (*SPACES, ".shared::cta", ".shared::cluster")

QUALIFIERS = """.sat .ftz .rn .rz .rm .rp .rni .rzi .approx .full .wide .lo .hi .sync .aligned .uni .cc .relaxed
    .acquire .release .volatile .weak .gpu .cta .sys .cluster .x4 .trans .row .col .v2 .v4 .nc .ca .cg .add .max
    .eq .lt .and .or .down .idx .bfly .to .L2::128B .noinc .read .tile""".split()
"""Qualifiers that a person may put where they do not belong."""

OPCODES = frozenset(
    """abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call clz
    clusterlaunchcontrol cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns
    getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar
    min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem
    ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc
    suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2
    vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma
    wmma xor""".split()
)
"""Words that a misspelling must not turn into."""

VERSIONS = """1.0 1.4 2.0 2.3 3.0 3.2 4.1 5.0 6.0 6.2 6.3 6.5 7.0 7.1 7.3 7.4 7.6 7.8 8.0 8.1 8.3 8.4 8.5 8.6 8.7 8.8
    9.0""".split()
TARGETS = """sm_30 sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103a sm_120
    sm_120a""".split()
