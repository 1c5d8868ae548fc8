"""Holds what a GPU did against the fragment tables of the pages and the layout of matrix descriptors.

``python -m benchmarks.fragments.compare FILE``, with the results that ``observe`` wrote, writes docs/fragments.md.
"""

import datetime as dt
import re
import struct
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from benchmarks.fragments.jobs import BITS, CODES, SHARED, Job, jobs
from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.fragments import METADATA, Fragment, context_of, element, fragment_of, holds
from ptx_lsp.layouts.load import layouts

Words = Sequence[Sequence[int]] | np.ndarray
Rows = dict[tuple[str, str, str, str], list[Any]]

_VALUES = {"b1": (0, 1), "u8": (0, 1, 2, 3, 4), "u4": (0, 1, 2, 3, 4)}
_SMALL = (0, 1, 2, -1, -2)
_HOW = """\
Each kernel uses random small numbers for every operand. The whole result is compared with the product of the matrices
that the tables assign to the registers. `ldmatrix`, `stmatrix` and `movmatrix` are compared bit by bit; matrices in
shared memory are read according to the fields of `smem-desc-wgmma`. An `mma` determines positions only relative to
each other (rows of A to those of C and D, columns of B to theirs, K of A to K of B); a `wgmma` with matrices in shared
memory determines them absolutely. Sparse products ran with each selector, except 2 and 3 with
`mma.sp.m16n8k32.row.col.f32.f16.f16.f32`: ptxas accepts selector 2, but the GPU stops with an illegal instruction. B of
a sparse `wgmma` spans 64 bytes of K: with the 32B swizzle, the leading dimension offset locates the second half. The
swizzle permutes 16-byte chunks by the number of the 128-byte row minus the base offset: `(address >> 7) - base offset`.

Not run: `tcgen05`, the kinds of `mma` that need sm_100a or sm_120a, `ldmatrix` and `stmatrix` with 8-bit elements,
layouts of shared memory that are not listed below."""


def read(path: str) -> tuple[str, dict[str, bytes]]:
    """What the GPU is, and for each job by name the words it stored."""
    with open(path, "rb") as stream:
        data = zlib.decompress(stream.read())
    (length,) = struct.unpack_from("<I", data)
    gpu, at, found = data[4 : 4 + length].decode(), 4 + length, {}
    while at < len(data):
        named, size = struct.unpack_from("<II", data, at)
        at += 8
        found[data[at : at + named].decode()] = data[at + named : at + named + size]
        at += named + size
    return gpu, found


@cache
def places(fragment: Fragment) -> tuple[np.ndarray, np.ndarray]:
    """Rows, columns and tiles by lane and element; lanes that hold nothing are left out."""
    lanes = [lane for lane in range(fragment.lanes) if holds(fragment, lane)]
    found = [[element(fragment, lane, i) for i in range(fragment.elements)] for lane in lanes]
    return np.array(lanes), np.array(found)


def codes_in(words: Words, bits: int, packed: int) -> np.ndarray:
    """The codes of the elements by lane and element; ``words`` by register and lane."""
    words = np.array(words, dtype=np.uint64)
    parts = [(words >> np.uint64(bits * part)) & np.uint64((1 << bits) - 1) for part in range(packed)]
    return np.stack(parts, axis=1).reshape(-1, words.shape[1]).T


def values(codes: np.ndarray, kind: str) -> np.ndarray:
    """What given codes mean."""
    table, given = np.zeros(codes.shape, dtype=np.int64), CODES[kind]
    for code, value in zip(given, _VALUES.get(kind, _SMALL), strict=False):
        table[codes == code] = value
    return table


def numbers(codes: np.ndarray, kind: str) -> np.ndarray:
    """What any codes mean, of results."""
    if kind == "f16":
        return codes.astype(np.uint16).view(np.float16).astype(np.float64)
    if kind == "f64":
        return codes.view(np.float64)
    return codes.astype(np.uint32).view(np.float32 if kind == "f32" else np.int32).astype(np.float64)


class Fragments:
    """The operands of a job as matrices."""

    def __init__(self, job: Job) -> None:
        self.job, self.registers = job, job.words()[0]
        self.context = context_of(job.slots, job.selector)

    def of(self, name: str) -> Fragment:
        """The fragment that an operand is."""
        found = fragment_of(f"isa/matrix/{self.job.page}.md", name, self.context)
        assert found is not None, (self.job.name, name)
        return found

    def matrix(self, name: str, words: Words, meaning: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The matrix that registers hold: [tile, row, column]."""
        fragment = self.of(name)
        lanes, where = places(fragment)
        codes = codes_in(words, fragment.bits, fragment.packed)[lanes][:, : fragment.elements]
        matrix = np.zeros((fragment.tiles, fragment.rows, fragment.columns))
        matrix[where[..., 2], where[..., 0], where[..., 1]] = meaning(codes)
        return matrix

    def given(self, name: str) -> np.ndarray:
        """The matrix that an operand holds at first."""
        kind = self.job.kind(name)
        return self.matrix(name, self.registers[name], lambda codes: values(codes, kind))


def in_shared(job: Job, which: int, rows: int, depth: int) -> np.ndarray:
    """The matrix that a descriptor names, ``rows`` by K, by the fields that our layout reads from its bits."""
    decoded = decode(layouts()["smem-desc-wgmma"], job.descriptors()[which], frozenset())
    fields = {one.field.key: one.meaning for one in decoded.fields}
    wide = {"none": 16, "128B": 128, "64B": 64, "32B": 32}[fields["swizzle"]]
    lead, stride, kind = fields["leading"], fields["stride"], job.types[1 + which]
    bits = BITS.get(kind, 8)
    row, k = np.meshgrid(np.arange(rows), np.arange(depth), indexing="ij")
    if job.layout[1 + which]:
        at = row * 2
        across, along = (stride, lead) if wide == 16 else (lead, stride)
        address = at % wide + at // wide * across + k % 8 * wide + k // 8 * along
        shift = 0
    else:
        at = k * bits // 8
        address = row % 8 * wide + row // 8 * stride + at % wide + at // wide * lead
        shift = k * bits % 8
    address += fields["start"]
    if wide > 16:
        address ^= ((address >> 7) - fields["base-offset"] & (wide // 16 - 1)) << 4
    memory = np.frombuffer(struct.pack(f"<{SHARED // 4}I", *job.words()[1]), dtype=np.uint8).astype(np.uint64)
    codes = sum(memory[address + n] << np.uint64(8 * n) for n in range(max(1, bits // 8)))
    if bits < 8:
        codes = codes >> np.uint64(shift) if isinstance(shift, int) else codes >> shift.astype(np.uint64)
        codes &= np.uint64((1 << bits) - 1)
    return values(codes, kind)[None].astype(float)


def unpacked(job: Job, fragments: Fragments, stored: np.ndarray) -> np.ndarray:
    """The whole A of a sparse product."""
    metadata = next(iter(METADATA & {*fragments.registers}))
    groups = fragments.matrix(metadata, fragments.registers[metadata], lambda codes: codes)[0].astype(int)
    rows, columns = stored.shape[1:]
    whole = np.zeros((1, rows, 2 * columns))
    kind = job.types[1]
    for (row, group), code in np.ndenumerate(groups):
        if kind == "tf32":
            whole[0, row, 2 * group + (code == 14)] = stored[0, row, group]
        elif kind in ("u4", "s4"):
            for part in range(4):
                pair = code >> 2 * (part // 2) & 3
                whole[0, row, 8 * group + 2 * pair + part % 2] = stored[0, row, 4 * group + part]
        else:
            for part in range(2):
                whole[0, row, 4 * group + (code >> 2 * part & 3)] = stored[0, row, 2 * group + part]
    return whole


def product(job: Job, fragments: Fragments) -> np.ndarray:
    """What D must be."""
    depth = fragments.context.numbers["K"]
    a = fragments.given("a") if "a" in job.loaded else in_shared(job, 0, 64, depth // 2 if job.sparse else depth)
    if job.sparse:
        a = unpacked(job, fragments, a)
    if job.threads == 128:
        b = in_shared(job, 1, fragments.context.numbers["N"], depth).swapaxes(1, 2)
        c = fragments.given("d")
    else:
        b, c = fragments.given("b"), fragments.given("c")
    d = a @ b
    if ".xor" in job.opcode:
        d = a.sum(2, keepdims=True) + b.sum(1, keepdims=True) - 2 * d
    return d + c


def check(job: Job, stored: bytes) -> tuple[int, int, int]:
    """How many elements were compared, and how many are not where the tables say."""
    fragments = Fragments(job)
    words = np.frombuffer(stored, dtype=np.uint64 if ".f64" in job.opcode else np.uint32).reshape(-1, job.threads)
    memory = np.array(job.words()[1], dtype=np.uint32)
    if job.page == "ldmatrix":
        found = fragments.matrix("r", words, lambda codes: codes)
        wanted = memory.view(np.uint16).reshape(-1, 8, 8)[: found.shape[0]]
    elif job.page == "stmatrix":
        wanted = fragments.matrix("r", fragments.registers["r"], lambda codes: codes)
        found = np.ascontiguousarray(words.T).view(np.uint16).reshape(-1, 8, 8)[: wanted.shape[0]]
    elif job.page == "movmatrix":
        found = fragments.matrix("d", words, lambda codes: codes)
        wanted = fragments.matrix("a", fragments.registers["a"], lambda codes: codes).swapaxes(1, 2)
    else:
        found = fragments.matrix("d", words, lambda codes: numbers(codes, job.types[0]))
        wanted = product(job, fragments)
    return found.size, int((found != wanted).sum()), int(np.count_nonzero(wanted))


def compared(gpu: str, found: Mapping[str, bytes]) -> tuple[str, Rows]:
    """For each line of the report the N, and how many kernels, elements and wrong ones there are."""
    rows: Rows = defaultdict(lambda: [set(), 0, 0, 0])
    for job in jobs():
        count, wrong, telling = check(job, found[job.name])
        assert telling > count // 4, job.name
        row = rows[key(job)]
        row[0].add(width(job))
        row[1] += 1
        row[2] += count
        row[3] += wrong
        if wrong:
            print(job.name, wrong, "of", count)
    return gpu, rows


def key(job: Job) -> tuple[str, str, str, str]:
    """What is told in one line: the instruction, its shape with any N, its types, and what A is."""
    shape = next(word for _, word in job.slots if word and re.match(r"\.m\d", word))
    shape = re.sub(r"(?<=m64)n\d+", "nN", shape)
    types = " ".join(f".{one}" for one in job.types) or ".b16"
    swizzle, *turned = job.layout
    how = ""
    if job.threads == 128:
        mode = ("none", "128B", "64B", "32B")[swizzle]
        how = "A in registers" if "a" in job.loaded else f"A by descriptor, swizzle {mode}"
        how += ", base offsets of A" if job.base else ""
        how += "".join(f", {major}-major" for major, one in zip(("A M", "B N"), turned, strict=True) if one)
    elif job.sparse:
        how = "all selectors"
    return job.page, shape, types, how


def width(job: Job) -> int:
    """The N of a wgmma."""
    found = re.search(r"\.m64n(\d+)k", job.opcode)
    return int(found[1]) if found else 0


def report(gpu: str, rows: Rows) -> str:
    """The page of the result."""
    total = [sum(row[at] for row in rows.values()) for at in (1, 2, 3)]
    lines = [
        "# Fragments, measured on a GPU",
        "",
        f"Written by `benchmarks/fragments` on {dt.date.today()} on an {gpu}:",
        f"{total[0]} kernels, {total[1]} result elements compared, {total[2]} of them at other positions than in",
        "the tables of `grammar/isa/matrix`.",
        "",
        _HOW,
        "",
        "| instruction | shape | types | variant | N | kernels | elements | wrong |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (page, shape, types, how), (widths, count, elements, wrong) in sorted(rows.items()):
        n = " ".join(str(one) for one in sorted(widths) if one)
        lines.append(f"| `{page}` | `{shape}` | `{types}` | {how} | {n} | {count} | {elements} | {wrong} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    result = compared(*read(sys.argv[1]))
    with open("docs/fragments.md", "w", encoding="utf-8") as page:
        page.write(report(*result))
