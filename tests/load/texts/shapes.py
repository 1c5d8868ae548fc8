"""Shapes that the texts share: headers, kernels and modules of numbered pieces, and lists that know their length."""

from __future__ import annotations

import random
from collections.abc import Callable

Piece = Callable[[int], str]
"""A part of a text from its number."""
Generator = Callable[[int], str]
"""A text from its length in characters."""
Step = Callable[[int, int], str]
"""A statement from its number and the number of all."""

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
SM_90A = HEADER.replace("sm_90", "sm_90a")
SM_100 = HEADER.replace("8.0", "8.6").replace("sm_90", "sm_100")
SM_100A = SM_100.replace("sm_100", "sm_100a")
REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .reg .f32 %f<9>;\n"
HEADER_8_6 = ".version 8.6\n.target sm_90a\n.address_size 64\n\n"
DECLARED = (
    "\t.reg .pred %p<9>;\n\t.reg .b16 %h<9>;\n\t.reg .b32 %r<99>;\n\t.reg .f32 %f<99>;\n"
    "\t.reg .b64 %d<99>;\n\t.reg .f64 %g<9>;\n\t.reg .b128 %q<4>;\n\t.shared .align 128 .b8 shm[8192];\n"
)
OPENED = ".visible .entry k(.param .u64 pa, .param .u32 pb)\n{\n" + DECLARED
CLOSED = "\tret;\n}\n"


def repeated(size: int, piece: Piece) -> str:
    """Pieces, numbered from 0, until they have ``size`` characters; one at least."""
    pieces: list[str] = []
    length = 0
    while length < size or not pieces:
        pieces.append(piece(len(pieces)))
        length += len(pieces[-1])
    return "".join(pieces)


def number_of(size: int, *pieces: Piece) -> int:
    """How many times all of these pieces have ``size`` characters together, one at least."""
    return max(1, size // sum(len(piece(10_000)) for piece in pieces))


def word(number: int) -> str:
    """A word of seven letters that looks random."""
    return "".join(random.Random(number).choices("abcdefghijklmnopqrstuvwxyz", k=7))


def listed(name: str, count: int) -> str:
    """Numbered names with commas between them."""
    return ", ".join(f"{name}{n}" for n in range(count))


def commas_between(size: int, name: Piece) -> str:
    """Names with commas between them, of about so many characters."""
    return repeated(size, lambda n: (", " if n else "") + name(n))


def turns(*texts: str) -> Piece:
    """Pieces from some texts in turn; ``$n`` is the number of the piece, ``$m`` that of the round."""
    return lambda n: texts[n % len(texts)].replace("$n", str(n)).replace("$m", str(n // len(texts)))


def cycle(*texts: str) -> Piece:
    """:func:`turns` of texts without ``#`` and ``@``, which stand for the number of the piece and of the round."""
    return turns(*(text.replace("#", "$n").replace("@", "$m") for text in texts))


def body(piece: Piece, size: int, before: str = "") -> str:
    """A kernel with these statements."""
    return f"{HEADER}.visible .entry k(.param .u64 p)\n{{\n{REGISTERS}{before}{repeated(size, piece)}ret;\n}}\n"


def module(piece: Piece, size: int) -> str:
    """These pieces outside of functions."""
    return HEADER + repeated(size, piece)


def alone(text: str) -> str:
    """A module of one piece."""
    return f"{HEADER}{text}\n"


def half(first: Piece, second: Piece, size: int) -> str:
    """A kernel with statements of one kind and then of another."""
    return body(second, size // 2, before=repeated(size // 2, first))


def file_of(piece: Piece, before: str = "", after: str = "") -> Generator:
    """Modules of PTX 8.6: a header, some text, the pieces, some text."""
    return lambda size: HEADER_8_6 + before + repeated(size, piece) + after


def kernel_of(piece: Piece, before: str = "", after: str = "") -> Generator:
    """Kernels of PTX 8.6, with registers of all types, whose body has the pieces."""
    return file_of(piece, OPENED + before, after + CLOSED)


def both(first: Piece, middle: str, second: Piece) -> Generator:
    """Kernels of two lists of pieces: as many of the second kind as of the first."""

    def generate(size: int) -> str:
        ahead = repeated(size // 2, first)
        return HEADER_8_6 + OPENED + ahead + middle + repeated(size - len(ahead), second) + CLOSED

    return generate


def between(first: str, piece: Piece, last: str = "") -> Generator:
    """Pieces between two texts that do not grow."""
    return lambda size: first + repeated(size, piece) + last


def one_statement(first: str, piece: Piece, last: str) -> Generator:
    """A kernel whose body is one statement of ``size`` characters."""
    return lambda size: body(lambda n: last + ";\n", 1, before=first + repeated(size, piece))


def nested(before: str, opening: Piece, middle: str, closing: Piece, after: str) -> Generator:
    """Openings, a middle, and the closings in the reverse order."""

    def generate(size: int) -> str:
        count = max(1, size // len(opening(1000) + closing(1000)))
        opened, closed = "".join(map(opening, range(count))), "".join(map(closing, reversed(range(count))))
        return before + opened + middle + closed + after

    return generate


def nested_statements(outer: Piece, inner: str, back: Piece, size: int) -> str:
    """A kernel with openings, a middle, and the closings in the reverse order."""
    count = number_of(size, outer, back)
    opened = "".join(map(outer, range(count)))
    return body(lambda n: back(count - 1 - n), sum(len(back(n)) for n in range(count)), before=opened + inner)


def flow(piece: Step, size: int, before: Callable[[int], str] = lambda count: "") -> str:
    """A kernel with statements that know how many there are, ``count``; the label ``END`` is last."""
    count = number_of(size, lambda n: piece(n, n))
    statements = "".join(piece(n, count) for n in range(count))
    return body(lambda n: "END: st.global.u32 [%rd1], %r1;\n", 1, before=before(count) + statements)


def staged(*lists: Step, before: Callable[[int], str] = lambda count: "", after: str = "") -> Generator:
    """Kernels with lists of statements, one after another, all of the same number; the label ``END`` is last."""

    def text(size: int) -> str:
        count = number_of(size, *(lambda n, step=step: step(n, n) for step in lists))
        statements = "".join(step(n, count) for step in lists for n in range(count))
        last = f"{after}\nEND: st.global.u32 [%rd1], %r1;\n"
        return body(lambda n: last, 1, before=f"ld.param.u64 %rd1, [p];\n{before(count)}" + statements)

    return text


AGAIN = "add.u32 %r8, %r8, 1; setp.lt.u32 %p8, %r8, 99; @%p8 bra AGAIN; "
"""The end of a loop of 99 rounds, of which ``%r8`` is the counter."""


def in_a_loop(*lists: Step, before: str, step: Step) -> Generator:
    """Kernels with lists of statements, and then a loop of others; ``#`` in what is before is their number."""
    return staged(
        *lists,
        lambda n, count: f"{'mov.u32 %r8, 0;' * (n == 0)}\n{'AGAIN: ' * (n == 0)}{step(n, count)}",
        before=lambda count: before.replace("#", str(count + 1)),
        after=AGAIN,
    )


def under(header: str, generator: Generator) -> Generator:
    """The texts of a generator under another header."""
    return lambda size: generator(size).replace(HEADER, header, 1)


def of_threads(text: str, count: int = 512) -> str:
    """A kernel that is launched with so many threads that single ones are followed."""
    return text.replace(")\n{", f") .reqntid {count}\n{{", 1)


def launched(count: int, generator: Generator) -> Generator:
    """The texts of a generator, launched with so many threads."""
    return lambda size: of_threads(generator(size), count)


LONGEST = 30_000
"""Longer statements are not read."""


def long_statements(size: int, piece: Step) -> str:
    """A kernel of statements that are as long as a statement that is read may be, each with its number and length."""
    length = min(size, LONGEST)
    return body(lambda n: piece(n, length) + "\n", size)


SHARED = ".shared .align 16 .b8 s[32768]; mov.u32 %r6, s; mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];\n"
"""An array in shared memory, the number of the thread, and a pointer."""
CHOSEN = "setp.eq.u32 %p1, %r1, {n}; @%p1 mov.u32 %r3, {name}{n};\n"
"""The address of a variable for one thread; ``n`` is the number of both."""
BUFFERS = ".shared .align 8 .b8 b[65536]; .shared .align 8 .b64 c;\n"
SETUP = f"{BUFFERS}mov.u32 %r8, b; ld.param.u64 %rd1, [p]; mov.u32 %r7, %tid.x; setp.ne.u32 %p8, %r7, 0;\n"
"""Room for mbarriers and for data, a pointer, and a predicate that the first thread does not meet."""


def in_turn(*pieces: Piece, before: str = "", after: str = "") -> Generator:
    """Kernels with many statements of one kind, then as many of the next."""

    def text(size: int) -> str:
        count = number_of(size, *pieces)
        statements = "".join(piece(n) for piece in pieces for n in range(count))
        return body(lambda n: f"END: {after}st.global.u32 [%rd1], %r1;\n", 1, before=SETUP + before + statements)

    return text


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
"""Statements of :func:`kernel_of`, all of which are right."""
