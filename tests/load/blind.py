"""Sixty kinds of hostile files, written from the manual of PTX without a look at what reads them."""

from __future__ import annotations

import random
from collections.abc import Callable

Piece = Callable[[int], str]
HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n\n"
DECLARED = (
    "\t.reg .pred %p<9>;\n\t.reg .b16 %h<9>;\n\t.reg .b32 %r<99>;\n\t.reg .f32 %f<99>;\n"
    "\t.reg .b64 %d<99>;\n\t.reg .f64 %g<9>;\n\t.reg .b128 %q<4>;\n\t.shared .align 128 .b8 shm[8192];\n"
)
OPENED = ".visible .entry k(.param .u64 pa, .param .u32 pb)\n{\n" + DECLARED
CLOSED = "\tret;\n}\n"


def repeat(piece: Piece, size: int) -> str:
    """As many pieces, each with its number, as make up a length."""
    parts: list[str] = []
    length = 0
    while length < size or not parts:
        parts.append(piece(len(parts)))
        length += len(parts[-1])
    return "".join(parts)


def file_of(piece: Piece, before: str = "", after: str = "") -> Piece:
    """A generator of modules: a header, some text, the pieces, some text."""
    return lambda size: HEAD + before + repeat(piece, size) + after


def kernel_of(piece: Piece, before: str = "", after: str = "") -> Piece:
    """A generator of kernels whose body has the pieces."""
    return file_of(piece, OPENED + before, after + CLOSED)


def turns(*texts: str) -> Piece:
    """Pieces from some texts in turn; ``$n`` is the number of the piece, ``$m`` that of the round."""
    return lambda n: texts[n % len(texts)].replace("$n", str(n)).replace("$m", str(n // len(texts)))


def cycle(*texts: str) -> Piece:
    """:func:`turns` of texts without ``#`` and ``@``, which stand for the number of the piece and of the round."""
    return turns(*(text.replace("#", "$n").replace("@", "$m") for text in texts))


def both(first: Piece, middle: str, second: Piece, share: int = 2) -> Piece:
    """A kernel of two lists of pieces: as many of the second kind as of the first."""

    def generate(size: int) -> str:
        ahead = repeat(first, size // share)
        return HEAD + OPENED + ahead + middle + repeat(second, size - len(ahead)) + CLOSED

    return generate


def nested(opening: Piece, middle: str, closing: Piece, before: str = "", after: str = CLOSED) -> Piece:
    """Openings, a middle, and the closings in the reverse order."""

    def generate(size: int) -> str:
        count = max(1, size // len(opening(1000) + closing(1000)))
        ahead = "".join(map(opening, range(count)))
        return HEAD + (before or OPENED) + ahead + middle + "".join(map(closing, reversed(range(count)))) + after

    return generate


def table(opening: str, entry: Piece, closing: str, row: Piece, share: int = 2) -> Piece:
    """A kernel with one long list, then statements, one for each entry."""
    return lambda size: (
        HEAD + OPENED + opening + repeat(entry, size // share) + closing + repeat(row, size - size // share) + CLOSED
    )


def mangled(statements: str, mistakes: Callable[[random.Random, str], str]) -> Piece:
    """A kernel of right statements, each damaged by chance."""
    lines = statements.splitlines(keepends=True)

    def generate(size: int) -> str:
        chance = random.Random(size)
        return HEAD + OPENED + repeat(lambda n: mistakes(chance, lines[n % len(lines)]), size) + CLOSED

    return generate


USUAL = """\
	ld.param.u64 %d1, [pa];
	mov.u32 %r1, %tid.x;
	mad.lo.s32 %r2, %r1, 4, %r3;
	setp.lt.and.s32 %p1|%p2, %r1, 0x10, !%p3;
@!%p1	bra $L_1;
	ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%d1+16];
	fma.rn.ftz.f32 %f5, %f1, 0f3F800000, %f2;
	cvt.rzi.s32.f32 %r4, %f5;
	shfl.sync.bfly.b32 %r5|%p4, %r4, 16, 31, -1;
	atom.global.cas.b32 %r6, [%d1], %r5, 0U;
$L_1:
	st.shared.v2.b32 [shm+8], {%r5, %r6};
	bar.sync 0;
	tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d3, {%r1, %r2}];
	vadd.s32.u32.s32.sat.max %r7, %r1.b0, %r2.h1, %r3;
	mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4},\
 {%r5,%r6}, {%f5,%f6,%f7,%f8};
"""


def without_a_mark(chance: random.Random, line: str) -> str:
    """A line that has lost one of its marks."""
    places = [place for place, mark in enumerate(line) if mark in ",;[]{}%.|+:"] or [0]
    place = chance.choice(places)
    return line[:place] + line[place + 1 :]


def doubled_word(chance: random.Random, line: str) -> str:
    """A line with a word twice."""
    words = line.split(" ")
    place = chance.randrange(len(words))
    return " ".join([*words[:place], words[place], *words[place:]])


def with_foreign_bytes(chance: random.Random, line: str) -> str:
    """A line with unprintable, accented or wide characters in it."""
    place = chance.randrange(len(line))
    return line[:place] + chance.choice("\x00\x01\x7f\x80\xff\u2028\ufeff\U0001f600é\x1b\r\f\v\\`$#?") + line[place:]


def half_a_line(chance: random.Random, line: str) -> str:
    """The beginning of a line."""
    return line[: chance.randrange(1, len(line))] + chance.choice(["", "\n"])


def swapped_words(chance: random.Random, line: str) -> str:
    """A line with its words in another order."""
    words = line.split()
    chance.shuffle(words)
    return " ".join(words) + "\n"


def one_statement(opening: str, entry: Piece, closing: str) -> Piece:
    """A kernel with one statement as long as the file."""
    return kernel_of(entry, opening, closing)


SIGNATURE = "(.param .b32 a, .param .b64 b)"
CALL = "\tcall (%r1), {}, (%r2, %d3);\n"
FRAGMENT = ", ".join(f"%f{n}" for n in range(64))
GENERATORS: dict[str, Callable[[int], str]] = {
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
    "kernels with performance directives, and no body": file_of(
        cycle(
            ".entry k#() .maxntid 256, 1, 1 .minnctapersm 2 .maxnreg 64 { ret; }\n",
            ".entry k#(.param .u32 .ptr .global .align 16 p) .reqntid 32 .noreturn;\n",
            ".entry k#() .reqnctapercluster 2 .explicitcluster .blocksareclusters { exit; }\n",
            '.entry k#() { .pragma "nounroll"; .pragma "used_bytes_mask 0xff"; ret; }\n',
        )
    ),
    "aliases of aliases": file_of(lambda n: f".func f{n}();\n.alias f{n + 1}, f{n};\n", before=".func f0() { ret; }\n"),
    "forward declarations of everything, definitions in the end": lambda size: (
        HEAD
        + repeat(cycle(".extern .func f#(.param .b32 x);\n", ".extern .global .b32 v#[];\n"), size // 2)
        + repeat(cycle(".visible .func f#(.param .b64 x) { ret; }\n", ".visible .global .b32 v#[4];\n"), size // 2)
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
    "branches through one table of all labels": lambda size: (
        HEAD
        + OPENED
        + "T: .branchtargets "
        + ", ".join(f"L{n}" for n in range(max(2, size // 40)))
        + ";\n"
        + "".join(f"L{n}:\tbrx.idx %r{n % 9}, T;\n" for n in range(max(2, size // 40)))
        + CLOSED
    ),
    "a branch table for each branch, all in a row": kernel_of(
        lambda n: f"T{n}: .branchtargets A{n}, A{n // 2}, A0, A{n + 1};\n@%p1 brx.idx.uni %r1, T{n};\nA{n}:\n"
    ),
    "labels in a row, then branches to them": both(
        lambda n: f"L{n}: ", "\n\tadd.s32 %r1, %r1, 1;\n", lambda n: f"@%p{n % 8} bra L{n};\n"
    ),
    "branches ahead to one label, from each value of one register": kernel_of(
        lambda n: f"\tmov.b32 %r1, {n};\n@%p1 bra OUT;\n\tadd.s32 %r2, %r1, %r2;\n",
        after="OUT:\n\tst.shared.b32 [shm], %r1;\n",
    ),
    "a nest of loops": nested(
        lambda n: f"L{n}:\tadd.s32 %r{n % 90}, %r{(n + 1) % 90}, 1;\n",
        "\tbar.sync 0;\n",
        lambda n: f"\tsetp.lt.s32 %p1, %r{n % 90}, 9;\n@%p1\tbra L{n};\n",
    ),
    "loops that cross": kernel_of(
        lambda n: f"L{n}:\tadd.s32 %r1, %r1, {n};\n@%p1 bra L{max(0, n - 5)};\n@%p2 bra L{n + 3};\n"
    ),
    "a block in a block, each with names of its own": nested(
        lambda n: f"{{ .reg .b32 %x{n}; .reg .b32 y; mov.b32 y, %x{n};\n",
        "mov.b32 %r1, y;\n",
        lambda n: f"mov.b32 y, %x{n}; }}\n",
    ),
    "blocks side by side with the same labels and names": kernel_of(
        lambda n: "{ .reg .b32 %t<4>; .local .b8 l[16]; A: add.s32 %t1, %t2, %t3; @%p1 bra A; bra B; B: }\n"
    ),
    "blocks that are opened and not closed": kernel_of(
        lambda n: "{ .reg .b32 %t<4>; .local .b8 l[16]; A: add.s32 %t1, %t2, %t3; @%p1 bra A; bra B; B: \n"
    ),
    "registers declared one by one, used backwards": lambda size: (
        HEAD
        + OPENED
        + "".join(f"\t.reg .f32 v{n};\n" for n in range(max(1, size // 50)))
        + "".join(f"\tadd.f32 v{n}, v{n // 2}, v{n};\n" for n in reversed(range(max(1, size // 50))))
        + CLOSED
    ),
    "one declaration of many names of each kind": one_statement(
        "\t.reg .b32 a, ", lambda n: f"b{n}, c{n}<{n % 9}>, ", "z;\n"
    ),
    "names of a thousand characters that differ in the last": kernel_of(
        lambda n: f"\t.reg .b32 {'n' * 1000}{n};\n\tadd.s32 {'n' * 1000}{n}, {'n' * 1000}{n // 2}, 1;\n"
    ),
    "names with every character that a name may have": kernel_of(
        cycle(
            "\t.reg .b32 %$_a#, _$%#, $$#;\n",
            "$$L#$: add.s32 %$_a#, _$%@, __#;\n",
            "@!_$p bra $$L#$;\n",
            "\t.reg .pred _#, %_, $_;\n",
        )
    ),
    "mangled names of C++": file_of(
        lambda n: (
            f".func _ZN4cuda3std{len(str(n)) + 1}x{n}IiNS_S_IfLi{n}"
            f"EES0_E3fooEPKvRT_{'I' * (n % 30)}{'E' * (n % 30)}() {{ ret; }}\n"
        )
    ),
    "numbers of every kind": kernel_of(
        cycle(
            "\tmov.b32 %r1, 0x#;\n",
            "\tmov.b64 %d1, 0b1010101#U;\n",
            "\tadd.f32 %f1, %f2, 0f3F80000#;\n",
            "\tmov.f64 %g1, 0d3FF000000000000#;\n",
            "\tmov.f64 %g1, #.5e-#;\n",
            "\tmov.s32 %r1, -(07#);\n",
            "\tmov.u64 %d1, 1844674407370955161#;\n",
            "\tmov.b32 %r1, 'a';\n",
            "\tmov.f32 %f1, 0F#;\n",
        )
    ),
    "constant expressions, wide": kernel_of(
        lambda n: f"\tmov.b32 %r1, (({n} + 2) * 3 << 4) | ({n} > 7 ? ~1 : !{n}) ^ -(5 % 3) && 0x{n:x};\n"
    ),
    "one constant expression of parentheses": nested(
        lambda n: "(-(1 + ", "7", lambda n: "))", OPENED + "\tmov.b32 %r1, ", ";\n" + CLOSED
    ),
    "one constant expression of question marks": one_statement(
        "\tmov.b32 %r1, ", lambda n: f"{n} ? {n} + 1 : ", "0;\n"
    ),
    "initial values, a long list": file_of(lambda n: f"{n}, 0x{n:x}, -1, ", ".global .align 4 .b32 v[] = {", "0};\n"),
    "initial values, nested braces": file_of(
        lambda n: "{{1, 2}, {3}, {}}, ", ".const .s32 v[1000000][3][2] = { ", "{} };\n"
    ),
    "variables that hold the addresses of each other": file_of(
        lambda n: f".global .u64 v{n}[3] = {{ v{n // 2}, generic(v{max(0, n - 1)})+{n}, 0xff(v{n}) }};\n"
    ),
    "parameters of a kernel, each read": lambda size: (
        HEAD
        + ".entry k(\n"
        + ",\n".join(f"\t.param .align 8 .b8 k_param_{n}[{n % 64 + 1}]" for n in range(max(1, size // 90)))
        + ")\n{\n"
        + DECLARED
        + "".join(f"\tld.param.u32 %r1, [k_param_{n}+4];\n" for n in range(max(1, size // 90)))
        + CLOSED
    ),
    "parameters of a function and a call with all of them": lambda size: (
        HEAD
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
    "line markers between all statements": kernel_of(
        cycle(
            "\t.loc 1 # 7, function_name $L__info#, inlined_at 1 @ 3\n",
            "\tadd.s32 %r1, %r2, #;\n",
            '\t.file # "/usr/src/a#.cu", 1700000, 12345\n',
            "\t.loc @ # 0\n",
            "$L__tmp#:\n",
        )
    ),
    "a debug section with bytes": file_of(
        cycle("\t.b8 1, 2, 3, 0x7f, 255\n", "\t.b32 $L__abbrev+#\n", "\t.b64 $L__func#\n", "$L__s#:\n", "\t.b8 '#'\n"),
        ".section .debug_info {\n",
        "}\n",
    ),
    "a debug section for each function": file_of(
        lambda n: (
            f".func f{n}() {{\n$Lb{n}:\n ret;\n$Le{n}:\n}}\n"
            f".section .debug_str_{n} {{ .b64 $Lb{n} .b64 $Le{n}-$Lb{n} .b32 .debug_str_0 }}\n"
        )
    ),
    "comments of every kind, in every place": kernel_of(
        cycle(
            "/* # */ add /*;*/ . /*x*/ s32 // }\n %r1 /**/, /* { */ %r2, // ,\n #;",
            "\n/*/ odd /*/\n",
            "//\\\n",
            '\tmov.b32 %r1, /* a\n * b # \n */ %r2; // "quote\n',
        )
    ),
    "comments opened and not closed, and closed and not opened": kernel_of(
        cycle("\tadd.s32 %r1, /* %r2, 1; \n", "*/ */ ret; \n", '"/*" ; \n', '" */ \n', "// /* \n")
    ),
    "quotes that do not close": kernel_of(
        cycle('\t.pragma "a#;\n', '\t.file # "x;\n', "\tmov.b32 %r1, '#;\n", '\\" \n')
    ),
    "directives of the preprocessor": file_of(
        turns("#define A$n B$n\n", '# $n "a.h" 2\n', "#line $n\n", "#if $n\\\n", ".func f$n() { ret; }\n")
    ),
    "vectors of registers, and their parts": kernel_of(
        cycle(
            "\t.reg .v4 .f32 v#; mov.v4.f32 v#, {%f1, %f2, %f3, _};\n",
            "\tmov.f32 %f1, v@.x; add.f32 v@.w, v@.r, v@.a;\n",
            "\tmov.b64 {%r1, %r2}, %d#; mov.b64 %d3, {%r4, %r#};\n",
            "\tst.global.v2.b64 [%d1+#], {%d2, _};\n",
        )
    ),
    "vectors of many registers": kernel_of(
        lambda n: (
            f"\twgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{{FRAGMENT}}}, %d1, %d{n % 9}, 1, 1, 1, 0, 0;\n"
        )
    ),
    "one vector as long as the file": one_statement("\tmov.b64 %d1, {", lambda n: f"%r{n % 99}, {{%r1, ", "%r2};\n"),
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
    "video instructions": kernel_of(
        cycle(
            "\tvadd4.u32.s32.u32.sat.add %r1.b3210, %r2.b7654, %r3, %r#;\n",
            "\tvmad.s32.s32.u32.po.sat.shr7 %r1, %r2.h0, -%r3.h1, %r4;\n",
            "\tvset2.s32.u32.lt.add %r1, %r2.h10, %r3.h32, %r#;\n",
            "\tvshl.u32.u32.u32.wrap %r1.b#, %r2, %r3;\n",
        )
    ),
    "barriers and asynchronous copies": kernel_of(
        cycle(
            "\tcp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d2], #, [%r3];\n",
            "\tmbarrier.arrive.expect_tx.shared::cta.b64 %d1, [shm+#], 16;\n",
            "W#: mbarrier.try_wait.parity.shared::cta.b64 %p1, [shm+8], %r1; @!%p1 bra W#;\n",
            "\tcp.async.commit_group; cp.async.wait_group #; bar.arrive @, 64;\n",
            "\tbarrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire;\n",
        )
    ),
    "barriers in each arm of a chain of branches": kernel_of(
        lambda n: (
            f"\tsetp.eq.s32 %p1, %r1, {n};\n@%p1\tbra E{n};\n"
            f"\tbar.sync {n % 16}, 32;\n\tbra.uni J{n};\nE{n}:\tbarrier.sync {n % 16};\nJ{n}:\n"
        )
    ),
    "predicates, each of the one before it": kernel_of(
        lambda n: (
            f"\tsetp.ne.or.b32 %p{n % 8}|%p{(n + 1) % 8}, %r1, {n}, !%p{(n + 7) % 8};\n"
            f"@!%p{n % 8}\tselp.b32 %r1, %r2, {n}, %p{(n + 3) % 8};\n"
        )
    ),
    "one register that grows by a sum of itself": kernel_of(
        lambda n: (
            f"\tmad.wide.s32 %d{n % 90 + 1}, %r1, {n}, %d{n % 90};\n"
            f"\tadd.s64 %d{n % 90 + 1}, %d{n % 90 + 1}, %d{n % 90 + 1};\n"
            f"\tld.global.b32 %r1, [%d{n % 90 + 1}+{n}];\n"
        )
    ),
    "registers all alive to the end": lambda size: (
        HEAD
        + OPENED
        + f"\t.reg .b32 %v<{size // 50 + 1}>;\n"
        + "".join(f"\tld.shared.b32 %v{n}, [shm+{n}];\nM{n}: @%p1 bra M{n};\n" for n in range(size // 55))
        + "".join(f"\tst.shared.b32 [shm], %v{n};\n" for n in range(size // 55))
        + CLOSED
    ),
    "an instruction with every modifier, each twice": kernel_of(
        lambda n: (
            f"\tld{'.volatile.relaxed.gpu.global.nc.L1::evict_last.L2::128B.v2.b32' * (n % 9 + 1)}"
            f" {{%r1, %r2}}, [%d1+{n}], %d2;\n"
        )
    ),
    "one instruction with modifiers as long as the file": one_statement(
        "\tadd", cycle(".s32", ".sat", ".x#"), " %r1, %r2, %r3;\n"
    ),
    "right statements without one of their marks": mangled(USUAL, without_a_mark),
    "right statements with a word twice": mangled(USUAL, doubled_word),
    "right statements with foreign bytes": mangled(USUAL, with_foreign_bytes),
    "the beginnings of right statements": mangled(USUAL, half_a_line),
    "right statements, the words in another order": mangled(USUAL, swapped_words),
    "kernels that end early": file_of(
        lambda n: (OPENED + USUAL).replace(" k(", f" k{n}(")[: 200 + n * 37 % 800] + "\n"
    ),
    "opening brackets of every kind": file_of(lambda n: "([{<"[n * n % 4] + "\n" * (n % 5 == 0), OPENED),
    "statements between closing brackets": kernel_of(
        cycle("} add.s32 %r1, %r2, #; \n", ") ret ] ;\n", "> { } } .func f#( ;\n")
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
    "statements without white space, all in one line": kernel_of(
        lambda n: f"L{n}:@%p1add.s32%r1,%r2,{n};{{mov.b32%r1,%r2;}};;"
    ),
}
