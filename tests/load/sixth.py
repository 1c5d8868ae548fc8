"""Fifty more kinds of hostile files, written from the manual of PTX alone: right programs that are hard to follow too.

Where a mistake depends on the whole of a text (a table of all labels, a nest as deep as the text is long), the number
of its pieces is found from the length of one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, REGISTERS, body, half, module, repeated, word

Piece = Callable[[int], str]
SM_90A = HEADER.replace("sm_90", "sm_90a")
SM_100A = HEADER.replace("8.0", "8.6").replace("sm_90", "sm_100a")


def number_of(size: int, *pieces: Piece) -> int:
    """How many times all of these pieces have ``size`` characters together, one at least."""
    return max(1, size // sum(len(piece(10_000)) for piece in pieces))


def nest(outer: Piece, inner: str, back: Piece, size: int) -> str:
    """A kernel with openings, a middle, and the closings in the reverse order."""
    count = number_of(size, outer, back)
    opened = "".join(map(outer, range(count)))
    return body(lambda n: back(count - 1 - n), sum(len(back(n)) for n in range(count)), before=opened + inner)


def flow(piece: Callable[[int, int], str], size: int, before: Callable[[int], str] = lambda count: "") -> str:
    """A kernel with statements that know how many there are, ``count``; the label ``END`` is last."""
    count = number_of(size, lambda n: piece(n, n))
    statements = "".join(piece(n, count) for n in range(count))
    return body(lambda n: "END: st.global.u32 [%rd1], %r1;\n", 1, before=before(count) + statements)


def under(header: str, generator: Callable[[int], str]) -> Callable[[int], str]:
    """The texts of a generator under another header."""
    return lambda size: generator(size).replace(HEADER, header, 1)


def statement(first: str, piece: Piece, last: str) -> Callable[[int], str]:
    """A kernel whose body is one statement of ``size`` characters."""
    return lambda size: body(lambda n: last + ";\n", 1, before=first + repeated(size, piece))


_LONG = "name_of_a_template_with_arguments_" * 9
_ACCUMULATORS = ", ".join(f"%w{n}" for n in range(64))
_DIGITS = ("9" * 5000, "0x" + "f" * 5000, "0b" + "1" * 16_000, "0" + "7" * 6000)
_PLACES = (
    "mov.b64 %rd1, {};",
    "bar.sync {};",
    "ld.global.u32 %r1, [%rd1+{}];",
    ".reg .b32 %g<{}>;",
    "lop3.b32 %r1, %r2, %r3, %r4, {};",
    ".loc 1 {} 1",
    ".shared .align {} .b8 s[4];",
    ".local .b8 a[{}];",
    "mov.b32 %r{}, 1;",
    "setmaxnreg.inc.sync.aligned.u32 {};",
    "mov.f32 %f1, {};",
    "cp.async.wait_group {};",
)
_SURFACES = (
    "suld.b.2d.v4.b32.trap {{%r1, %r2, %r3, %r{r}}}, [surface, {{%r1, %r{r}}}];",
    "sust.p.3d.b32.clamp [%rd{r}, {{%r1, %r2, %r3, %r4}}], %r{r};",
    "sured.b.add.1d.u32.zero [surface, {{%r{r}}}], %r1;",
    "suq.width.b32 %r{r}, [texture];",
    "txq.level.width.b32 %r{r}, [%rd1], {n};",
    "tld4.{c}.2d.v4.f32.f32 {{%f1, %f2, %f3, %f{r}}}, [texture, {{%f1, %f2}}];",
    "tex.level.cube.v4.f32.f32 {{%f1, %f2, %f3, %f{r}}}, [texture, {{%f1, %f2, %f3, %f4}}], %f{r};",
    "tex.grad.a2d.v4.u32.f32 {{%r1, %r2, %r3, %r{r}}}, [%rd1, sampler, {{%r1, %f1, %f2, %f2}}], {{%f1}}, {{%f2, %f3}};",
)
_OPTIONS = "texmode_independent texmode_unified debug map_f64_to_f32 sm_80 sm_90a sm_100f sm_".split()

STATEMENTS: dict[str, Piece] = {
    "one value from many branches, read everywhere": lambda n: (
        f"setp.lt.s32 %p{n % 9}, %r2, {n}; @%p{n % 9} bra AFTER{n}; mov.b32 %r1, {n};\n"
        f"AFTER{n}: st.global.b32 [%rd1+{n}], %r1;\n"
    ),
    "predicates made from predicates": lambda n: (
        f"and.pred %p{n % 9}, %p{(n + 1) % 9}, %p{(n + 4) % 9}; xor.pred %p{(n + 5) % 9}, %p{n % 9}, %p{(n + 7) % 9}; "
        f"not.pred %p{(n + 2) % 9}, %p{n % 9}; @%p{(n + 5) % 9} bar.sync {n % 16};\n"
    ),
    "sums with carries across labels": lambda n: (
        f"add.cc.u32 %r1, %r{n % 9}, %r2; C{n}: addc{'.cc' * (n % 2)}.u32 %r3, %r4, {n}; "
        f"madc.hi.cc.u32 %r5, %r6, %r7, %r{n % 9}; @%p1 bra C{n - n % 5}; subc.u32 %r2, %r3, 0;\n"
    ),
    "groups whose members coincide": lambda n: (
        f".reg .b32 %v{n}<20>; mov.b32 %v{n}{n % 30}, %v{n // 10}{n % 12}; mov.b32 %v0{n}, %v{n}00{n % 9};\n"
    ),
    "long names that differ in their last letter": lambda n: f".reg .b32 {_LONG}{n}; mov.b32 %r1, {_LONG}{n}_;\n",
    "names made of the words of the language": lambda n: (
        f"{{ .reg .b32 add, bra, reg, entry, v4, x, version, s{n}; "
        f"bra: mov.b32 add, x; add.s32 v4, reg, s{n}; bra bra; }}\n"
    ),
    "numbers of thousands of digits at all places": lambda n: (
        _PLACES[n % len(_PLACES)].format(_DIGITS[n // len(_PLACES) % 4]) + "\n"
    ),
    "shifts of constants by large numbers": lambda n: (
        f"mov.u64 %rd1, 1 << {10 ** (n % 13)}; mov.u32 %r1, ({n} << 63 << {n}) >> -{n}; mov.u32 %r2, -{n} >> {n}99;\n"
    ),
    "float constants beyond all ranges": lambda n: (
        f"mov.f32 %f1, 1e{n}; mov.u32 %r1, {n}e999; bar.sync 0f7F800000; mov.b32 %r2, 0dFFF8000000000000; "
        f"mov.f32 %f2, -.{n}e-{n}; mov.u32 %r3, 1 << 0f7FC00000;\n"
    ),
    "digits of other scripts": lambda n: (
        f"mov.b32 %r{'²٣𝟘①'[n % 4]}, {'٣²①𝟘'[n % 4]}{n}; .reg .b32 %w<{n}²>; bar.sync ²; ld.global.u32 %r1, [%rd1+٣];\n"
    ),
    "halves of surrogate pairs": lambda n: f'mov.b32 %r\ud800{n}, 1; .pragma "\udfff{n}"; // \ud83d {n}\n',
    "line ends of Unicode": lambda n: (
        f"mov.b32 %r1,{chr((0xB, 0xC, 0x1C, 0x85, 0x2028, 0x2029)[n % 6])}x{n}; "
        f"// {n}{chr((0x85, 0x2028)[n % 2])}bra {n};\n"
    ),
    "comments that open in comments": lambda n: f"{'/*/' * (n % 9)} mov.b32 %r1, {n}; //*/ /* {n}\n{'*/' * (n % 5)}\n",
    "strings full of backslashes": lambda n: f'.pragma "{chr(92) * (n % 200)}"{chr(92)}"{n}";\n',
    "statements with thousands of spaces": lambda n: (
        f"add.s32{' ' * (n * 37 % 2000)}%r1, %r2{chr(9) * (n % 900)}, {n} \n ;\n"
    ),
    "rows of dots and colons": lambda n: (
        f"add{'.' * (n % 50)}s32 %r1, %r2, {n}; ld.shared{'::cta' * (n % 20)}.u32 %r1{':' * (n % 9)}, [%r2];\n"
    ),
    "suppressions with many codes": lambda n: (
        f"mov.b32 %r1, y{n}; // ptx-lsp: ignore[{', '.join(f'E{(n + one) % 999:03}' for one in range(n % 60))}]\n"
        f"// ptx-lsp: ignore-file[W{n % 999:03}, {word(n)}]\n"
    ),
    "brackets that nothing closes, each row deeper": lambda n: (
        f"ld.global.u32 {'{' * (n % 30)}%r1, {'[' * (n % 60)}%rd1+{n}; call {'(' * (n % 50)}%r1, f{n};\n"
    ),
    "surfaces and textures of every geometry": lambda n: (
        _SURFACES[n % len(_SURFACES)].format(r=n % 9, n=n, c="rgba"[n // 8 % 4]) + "\n"
    ),
    "bulk stores, and waits for their groups": lambda n: (
        f"cp.async.bulk.global.shared::cta.bulk_group [%rd{n % 8}], [%r{n % 7}], {16 * n}; cp.async.bulk.commit_group; "
        f"st.shared.b32 [%r{n % 7}+{4 * n}], %r8; cp.async.bulk.wait_group{'.read' * (n % 2)} {n % 3};\n"
    ),
    "elected lanes and masks of lanes": lambda n: (
        f"elect.sync %r{n % 9}|%p{n % 9}, -1; activemask.b32 %r8; @%p{n % 9} bra G{n}; bar.warp.sync %r{n % 9};\n"
        f"G{n}: match.any.sync.b32 %r7, %r1, %r{n % 9}; redux.sync.add.s32 %r1, %r2, {n};\n"
    ),
    "stacks saved and restored in branches": lambda n: (
        f"stacksave.u64 %rd{n % 8}; alloca.u64 %rd8, {n}, {1 << n % 9}; @%p1 bra H{n}; stackrestore.u64 %rd{n % 8}; "
        f"H{n}: st.local.u32 [%rd8], %r1;\n"
    ),
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "functions with barriers, called under conditions": lambda n: (
        f".func b{n}() {{ .reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, {n};\n"
        f"@%p bra L; bar.sync 0; {f'call b{n - 1}, ();' if n else ''} L: ret; }}\n"
    ),
    "functions that pass on what they get": lambda n: (
        f".func (.reg .b32 r) p{n}(.reg .b32 a, .reg .b64 b) {{ st.shared.b32 [a], a; "
        f"{f'call (r), p{n - 1}, (a, b)' if n else 'mov.b32 r, a'}; st.b32 [b], r; ret; }}\n"
    ),
    "old debug lines": lambda n: f"@@DWARF .{('byte', '4byte', 'quad', 'string')[n % 4]} 0x{n:x}, L{n}, {n}\n",
    "arrays of many dimensions": lambda n: (
        f".global .b32 d{n}{'[1]' * (n % 99)}[{n}] = {'{' * (n % 98)}{n}, {n}.5{'}' * (n % 97)};\n"
    ),
    "declarations of the first versions": lambda n: (
        f".{('tex', 'surf', 'sreg', 'const[3]')[n % 4]} .u32 o{n}; .entry old{n} {{ .reg .v4 .f32 %v; "
        f"tex.1d.v4.f32.s32 %v, [o{n}, %v]; mov.f32 %v.{'xyzwrq'[n % 6]}, %v.x; exit; }}\n"
    ),
    "functions with attributes of their convention": lambda n: (
        f".{('weak', 'visible', 'extern', 'common')[n % 4]} .func q{n}(.param .b32 a) .noreturn .abi_preserve {n} "
        f'.abi_preserve_control {n % 9} .pragma "enable_smem_spilling"; {{ call q{n // 2}, (a); ret; }}\n'
    ),
    "targets with lists of options": lambda n: (
        ".target "
        + "".join(f"{_OPTIONS[(n + one * one) % 8]}{str(one) * (one % 3 == 2)}, " for one in range(n % 40))
        + "debug\n"
    ),
}
"""What stands outside of functions."""


def labels_at_one_place(size: int) -> str:
    """Labels, all at one statement, and jumps to each."""
    return half(lambda n: f"Z{n}: ", lambda n: f"@%p{n % 9} bra Z{n};\n", size)


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


def names_of_inlined_functions(size: int) -> str:
    """Lines that name places of one section, which stands at the end."""
    kernel = body(
        lambda n: f".loc 1 {n + 1} 5, function_name $info+{4 * n}, inlined_at 1 {n} 5\nmembar.cta;\n",
        size // 2,
        before=".loc 1 0 5\n",
    )
    strings = repeated(size // 2, lambda n: f"$info{n}:\n.b8 95, 90, {n % 256}, 0\n")
    return f'{kernel}.file 1 "a.cu", 12, {size}\n.section .debug_str {{\n$info:\n{strings}}}\n'


def rings_of_stages(size: int) -> str:
    """Pipelines of four stages, one after another, each with its mbarriers, copies and waits."""

    def pipeline(n: int) -> str:
        return (
            f"mov.b32 %r2, 0; mov.b32 %r3, 0;\nLOOP{n}: mad.lo.s32 %r4, %r2, 8, %r5; mad.lo.s32 %r7, %r2, 1024, %r6;\n"
            "mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r4], 1024;\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r7], [%rd1], 1024, [%r4];\n"
            f"WAIT{n}: mbarrier.try_wait.parity.shared.b64 %p1, [%r4], %r3; @!%p1 bra WAIT{n};\n"
            "ld.shared.u32 %r8, [%r7]; add.s32 %r2, %r2, 1; setp.eq.s32 %p2, %r2, 4; selp.b32 %r2, 0, %r2, %p2;\n"
            f"@%p2 xor.b32 %r3, %r3, 1; add.s32 %r1, %r1, 1; setp.lt.s32 %p3, %r1, {n}; @%p3 bra LOOP{n};\n"
        )

    first = (
        ".shared .align 16 .b8 full[32]; .shared .align 128 .b8 data[4096];\nmov.u32 %r5, full; mov.u32 %r6, data;\n"
    )
    inits = "".join(f"mbarrier.init.shared.b64 [%r5+{8 * n}], 1; " for n in range(4))
    return body(pipeline, size, before=f"{first}{inits}\nld.param.u64 %rd1, [p]; mov.b32 %r1, 0; bar.sync 0;\n")


GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "blocks in the reverse order of their execution": lambda size: flow(
        lambda n, count: f"R{n}: add.s32 %r{n % 9}, %r{(n + 1) % 9}, {n}; bra {f'R{n - 1}' if n else 'END'};\n",
        size,
        lambda count: f"bra R{count - 1};\n",
    ),
    "jumps to places far away": lambda size: flow(
        lambda n, count: f"S{n}: add.s32 %r1, %r1, {n}; setp.lt.s32 %p1, %r1, {n}; @%p1 bra S{n * 7919 % count};\n",
        size,
    ),
    "one table of all labels, and jumps through it": lambda size: flow(
        lambda n, count: f"X{n}: add.s32 %r1, %r1, {n}; brx.idx %r1, ALL;\n",
        size,
        lambda count: f"ALL: .branchtargets {', '.join(f'X{n}' for n in range(count))};\n",
    ),
    "loops nested as deep as the text is long": partial(
        nest,
        lambda n: f"N{n}: add.s32 %r1, %r1, {n};\n",
        "bar.sync 0;\n",
        lambda n: f"setp.lt.s32 %p1, %r1, {n}; @%p1 bra N{n};\n",
    ),
    "conditions nested as deep as the text is long": partial(
        nest,
        lambda n: f"setp.lt.s32 %p{n % 9}, %r{n % 9}, {n}; @%p{n % 9} bra E{n};\n",
        "bar.sync 0; shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;\n",
        lambda n: f"E{n}: add.s32 %r{n % 9}, %r1, {n};\n",
    ),
    "outermost names in the innermost block": partial(
        nest, lambda n: f"{{ .reg .b32 o{n};\n", "mov.b32 %r1, o0x;\n", lambda n: f"mov.b32 o{n // 2}, o0; }}\n"
    ),
    "registers that live across all branches": lambda size: flow(
        lambda n, count: f"setp.lt.s32 %p1, l{n}, 9; @%p1 bra Y{n}; add.s32 %r1, l{count - 1 - n}, l{n};\nY{n}:\n",
        size * 3 // 5,
        lambda count: "".join(f".reg .b32 l{n}; mov.b32 l{n}, {n};\n" for n in range(count)),
    ),
    "labels that all name one statement": labels_at_one_place,
    "one table of all functions, and calls through it": table_of_all_functions,
    "one argument written byte by byte": one_argument,
    "names of inlined functions in a long section": names_of_inlined_functions,
    "rings of stages with phases": rings_of_stages,
    "stores of one interval, then loads of it": partial(
        half,
        lambda n: f"xor.b32 %r{n % 7}, %r8, {n}; shl.b32 %r7, %r{n % 7}, 2; st.shared.u32 [%r7+{4 * n}], %r1;\n",
        lambda n: f"mad.lo.u32 %r7, %r{n % 7}, {n}, %r8; ld.shared.u32 %r1, [%r7];\n",
    ),
    "wide accumulators, read before the wait": under(
        SM_90A,
        lambda size: body(
            lambda n: (
                f"wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{{_ACCUMULATORS}}}, "
                f"%rd{n % 8}, %rd8, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned;\n"
                f"add.f32 %w{n % 64}, %w{n * 7 % 64}, %f1; wgmma.wait_group.sync.aligned {n % 3};\n"
            ),
            size,
            before=".reg .f32 %w<64>;\n",
        ),
    ),
    "tensor memory copied, shifted and committed": under(
        SM_100A,
        lambda size: body(
            lambda n: (
                f"tcgen05.cp.cta_group::1.128x256b [%r{n % 8}+{n}], %rd{n % 8}; tcgen05.shift.cta_group::1.down [%r1]; "
                f"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd{n % 7}+{8 * n}];\n"
            ),
            size,
        ),
    ),
    "one product of many constants": statement("mov.u64 %rd1, 1", lambda n: f" * {n + 2}", ""),
    "one number behind a row of signs": statement("mov.u32 %r1, ", lambda n: "-~!+"[n % 4] + " ", "1"),
    "one constant in nested casts and parentheses": lambda size: (
        f"{HEADER}.global .s64 c = {'(.s64)(' * (size // 8)}1{')' * (size // 8)};\n"
    ),
    "one address of many sums": statement("ld.global.u32 %r1, [%rd1", lambda n: f"+{n}", "]"),
    "one line of letters beyond the basic plane": lambda size: body(
        lambda n: f"add.s32 %r1, %x{n}, {n}; /* 😀𝒳é */ ", size
    ),
    "one line without spaces": lambda size: body(
        lambda n: f"add.s32%r{n % 9},%r1,{n};ld.global.u32%r1,[%rd1+{n}];$_{n}:st.global.u32[%rd1],%r1;", size
    ),
}
"""All of them, by what is hostile in their texts."""
