"""Textures, samplers and surfaces."""

from __future__ import annotations

from functools import partial

from .shapes import CLOSED, OPENED, Generator, Piece, body, cycle, file_of, module

SURFACES = (
    "suld.b.2d.v4.b32.trap {{%r1, %r2, %r3, %r{r}}}, [surface, {{%r1, %r{r}}}];",
    "sust.p.3d.b32.clamp [%rd{r}, {{%r1, %r2, %r3, %r4}}], %r{r};",
    "sured.b.add.1d.u32.zero [surface, {{%r{r}}}], %r1;",
    "suq.width.b32 %r{r}, [texture];",
    "txq.level.width.b32 %r{r}, [%rd1], {n};",
    "tld4.{c}.2d.v4.f32.f32 {{%f1, %f2, %f3, %f{r}}}, [texture, {{%f1, %f2}}];",
    "tex.level.cube.v4.f32.f32 {{%f1, %f2, %f3, %f{r}}}, [texture, {{%f1, %f2, %f3, %f4}}], %f{r};",
    "tex.grad.a2d.v4.u32.f32 {{%r1, %r2, %r3, %r{r}}}, [%rd1, sampler, {{%r1, %f1, %f2, %f2}}], {{%f1}}, {{%f2, %f3}};",
)

STATEMENTS: dict[str, Piece] = {
    "textures": lambda n: f"tex.2d.v4.f32.s32 {{%f1, %f2, %f3, %f4}}, [tex{n}, {{%r1, %r2}}];\n",
    "surfaces and textures of every geometry": lambda n: (
        SURFACES[n % len(SURFACES)].format(r=n % 9, n=n, c="rgba"[n // 8 % 4]) + "\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "texture and surface variables": lambda n: (
        f".global .{('texref', 'samplerref', 'surfref')[n % 3]} t{n} = {{ w = {n} }};\n"
    ),
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "textures, samplers and surfaces": lambda size: file_of(
        cycle(
            "\ttex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t#, s#, {%f1, %f2, %f3, %f4}], {%r1, %r2, %r3, %r4}, %f9;\n",
            "\ttld4.r.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [t#, {%f1, %f2}];\n",
            "\tsuld.b.a2d.v2.b32.trap {%r1, %r2}, [u#, {%r1, %r2, %r3, %r3}];\n",
            "\ttxq.width.b32 %r1, [t@]; suq.height.b32 %r1, [u@];\n",
            "\tsust.p.1d.v4.b32.clamp [u@, {%r1}], {%f1, %r2, %r3, %r4};\n",
        ),
        "".join(
            f".global .texref t{n};\n.global .samplerref s{n} = {{ addr_mode_0 = wrap }};\n.global .surfref u{n};\n"
            for n in range(size // 180)
        )
        + OPENED,
        CLOSED,
    )(size // 2),
}
