"""Versions, targets, pragmas, and directives that do not exist."""

from __future__ import annotations

from functools import partial

from .shapes import Generator, Piece, body, cycle, file_of, module, turns, under, word

OPTIONS = "texmode_independent texmode_unified debug map_f64_to_f32 sm_80 sm_90a sm_100f sm_".split()
LATER = (
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r$n];",
    "cp.async.ca.shared.global [%r1], [%rd1+$n], 16;",
    "mbarrier.init.shared.b64 [%r1+$n], 1;",
    "redux.sync.add.s32 %r1, %r2, $n;",
    "min.xorsign.abs.f32 %f1, %f2, %f3; createpolicy.fractional.L2::evict_last.b64 %rd$n, 1.0;",
    "fence.mbarrier_init.release.cluster; mapa.u32 %r1, %r2, $n;",
    "wgmma.wait_group.sync.aligned $n; elect.sync %r1|%p1, $n;",
    "tcgen05.wait::ld.sync.aligned; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; bar.sync $n;",
    "add.rn.f32x2 %rd1, %rd2, %rd3; add.u16x2 %r1, %r2, $n; st.bulk.weak.shared::cta [%r1], $n, 0;",
    "atom.global.b128.exch %rd1, [%rd2], $n; multimem.red.global.add.u32 [%rd1], $n;",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd5, %rd$n};",
    'alloca.u64 %rd1, $n; griddepcontrol.wait; .pragma "used_bytes_mask $n"; szext.clamp.u32 %r1, %r2, $n;',
)

STATEMENTS: dict[str, Piece] = {
    "pragmas": lambda n: f'.pragma "{word(n)} {n}";\n',
    "targets that do not exist": lambda n: f".target sm_{n}z;\n",
    "versions in a body": lambda n: f".version {n}.{n};\n",
    "directives with unknown words": lambda n: f".{word(n)} {n};\n",
    "pragmas with many strings": lambda n: f'.pragma "nounroll", "{word(n)}", "frequency {n}";\n',
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "headers": lambda n: f".version {n % 9}.{n % 7}\n.target sm_{n % 130}\n",
    "targets with lists of options": lambda n: (
        ".target "
        + "".join(f"{OPTIONS[(n + one * one) % 8]}{str(one) * (one % 3 == 2)}, " for one in range(n % 40))
        + "debug\n"
    ),
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "instructions of all later versions": under(
        ".version 6.0\n.target sm_50\n.address_size 64\n", partial(body, turns(*(f"{one}\n" for one in LATER)))
    ),
    "versions, targets and address sizes everywhere": file_of(
        cycle(
            ".version #.#\n",
            ".target sm_#, texmode_independent, debug\n",
            ".address_size #\n",
            ".func f#() { .target sm_90; ret; }\n",
            ".version 8.\n",
        )
    ),
}
