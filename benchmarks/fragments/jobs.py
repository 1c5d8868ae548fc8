"""Kernels that show where a GPU keeps matrix elements: one for each spelling on the pages that an sm_90a runs."""

import random
import zlib
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from ptx_lsp.isa.build.samples import sample_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import match
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.form import PlaceKind
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.language_level import language_level
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.layouts.encode import encode
from ptx_lsp.layouts.fragments import METADATA, SELECTORS
from ptx_lsp.layouts.load import layouts

NAMES = "mma mma.sp ldmatrix stmatrix movmatrix wgmma.mma_async wgmma.mma_async.sp".split()
VERSION, TARGET = Version(9, 0), Target.parse("sm_90a")
TYPES = "f16 bf16 tf32 f32 f64 e4m3 e5m2 s8 u8 s4 u4 b1 s32".split()
CODES = {
    "f16": [0, 0x3C00, 0x4000, 0xBC00, 0xC000],
    "bf16": [0, 0x3F80, 0x4000, 0xBF80, 0xC000],
    "f32": [0, 0x3F800000, 0x40000000, 0xBF800000, 0xC0000000],
    "e4m3": [0, 0x38, 0x40, 0xB8, 0xC0],
    "e5m2": [0, 0x3C, 0x40, 0xBC, 0xC0],
    "s8": [0, 1, 2, 255, 254],
    "s4": [0, 1, 2, 15, 14],
    "b1": [0, 1],
    "u8": [0, 1, 2, 3, 4],
    "u4": [0, 1, 2, 3, 4],
    "s32": [0, 1, 2, 0xFFFFFFFF, 0xFFFFFFFE],
    "f64": [0, 0x3FF << 52, 1 << 62, 0xBFF << 52, 3 << 62],
    "2 of 4": [4, 8, 9, 12, 13, 14],
    "1 of 2": [4, 14],
}
CODES["tf32"] = CODES["f32"]
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s32": 32, "b1": 1, "s4": 4, "u4": 4}
SHARED = 28672
B_AT = 12288
WARPGROUP = 128
CORE = 128
"""Bytes of a core matrix, 8 rows of 16."""


class Job(NamedTuple):
    """One kernel."""

    page: str
    slots: tuple[tuple[str, str | None], ...]
    """The places of the form, and what stands in them."""
    opcode: str
    operands: tuple[tuple[str, int, str], ...]
    """Name, number of registers and type, in the order in which they are written."""
    selector: int = 0
    layout: tuple[int, int, int] = (0, 0, 0)
    """Of wgmma: the code of the swizzle, whether A and whether B are transposed."""
    base: int = 0
    """The base offset of A, which then begins as many rows of 128 bytes behind the swizzle's boundary."""

    @property
    def name(self) -> str:
        """What tells it from the others."""
        return f"{self.opcode} {[n for n, *_ in self.operands][1]} {self.selector} {self.layout} {self.base}"

    @property
    def types(self) -> list[str]:
        """The types of the opcode, in order."""
        return [word[1:] for _, word in self.slots if word and word[1:] in TYPES]

    @property
    def threads(self) -> int:
        """A warp, or a warpgroup."""
        return 128 if self.page.startswith("wgmma") else 32

    def kind(self, name: str) -> str:
        """What elements the registers of an operand hold."""
        if name in METADATA:
            return "1 of 2" if "tf32" in self.types else "2 of 4"
        at = {"d": 0, "a": 1, "b": 2, "c": 3}.get(name, 9)
        return self.types[at] if self.page[0] in "mw" and self.page != "movmatrix" else "b32"

    @property
    def loaded(self) -> dict[str, int]:
        """The operands whose registers are given, with their number."""
        usual = {"a", "b", *METADATA} | ({"d"} if self.threads == WARPGROUP else {"c"})
        given = {"stmatrix": {"r"}, "movmatrix": {"a"}, "ldmatrix": set()}.get(self.page, usual)
        return {name: count for name, count, _ in self.operands if name in given}

    @property
    def sparse(self) -> bool:
        """Whether half of A is left away."""
        return self.page.endswith(".sp")

    def words(self) -> tuple[dict[str, list[list[int]]], tuple[int, ...]]:
        """What the registers hold at first: for each operand [register][thread]; and shared memory."""
        chance = random.Random(zlib.crc32(self.name.encode()))
        registers = {
            name: [[word(chance, self.kind(name)) for _ in range(self.threads)] for _ in range(count)]
            for name, count in self.loaded.items()
        }
        a, b = self.types[1:3] if self.threads == 128 else ("b32", "b32")
        return registers, shared(a, b) if self.page[0] in "wls" else ()

    def descriptors(self) -> list[int]:
        """The matrix descriptors of A and B."""
        swizzle, *transposed = self.layout
        wide = (16, 128, 64, 32)[swizzle]
        found = []
        for start, mn in zip((0, B_AT), transposed, strict=True):
            # Along K lie 32 bytes, or 16 rows if it is not transposed; twice that of a B whose A is sparse.
            depth = 2 if self.sparse and start else 1
            lead, stride = (CORE, 2 * CORE * depth) if not swizzle else (wide * 16 * depth if mn else 16, wide * 8)
            base = 0 if start else self.base
            found.append(
                encode(
                    layouts()["smem-desc-wgmma"],
                    {
                        "start": start + base * CORE,
                        "leading": lead,
                        "stride": stride,
                        "base-offset": base,
                        "swizzle": ("none", "128B", "64B", "32B")[swizzle],
                    },
                )
            )
        return found


@cache
def shared(a: str, b: str) -> tuple[int, ...]:
    """Shared memory with elements of two types, in words."""
    chance = random.Random(7)
    return tuple(word(chance, a if at < B_AT else b) for at in range(0, SHARED, 4))


def word(chance: random.Random, kind: str) -> int:
    """A register, or a word of memory, with random elements of a kind."""
    codes = CODES.get(kind)
    if codes is None:
        return chance.getrandbits(32)
    bits = 4 if " of " in kind else BITS.get(kind, 8)
    return sum(chance.choice(codes) << at for at in range(0, max(32, bits), bits))


def jobs() -> Iterator[Job]:
    """All kernels: each spelling of the pages, each selector, and the layouts of shared memory at one N."""
    module = language_level(VERSION, TARGET, AcceptancePolicy.LATEST)
    chance, seen = random.Random(1), set()
    for page in catalogue().instructions:
        if page.path[11:-3] not in NAMES or "matrix" not in page.path:
            continue
        for form in (one for forms in page.prepared.values() for one in forms if module.allows_all(one.form.gates)):
            for values in solutions(form, module):
                if ".rnd" in form.form.slot_numbers and values[form.form.slot_numbers[".rnd"]] is not None:
                    # Sums of the small numbers are exact: they show no rounding.
                    continue
                places = zip(values, form.slots, strict=True)
                opcode = tuple(word for word, slot in places if word and slot.kind <= PlaceKind.QUALIFIER)
                sample = sample_of(form, values, module, chance)
                names = [one.name for one in form.form.operands]
                if sample is None or (opcode, names[1]) in seen:
                    continue
                if ".shared::cta" in opcode or ".aligned" not in opcode:
                    continue
                if page.path[11] in "ls" and ".shared" not in opcode:
                    continue
                seen.add((opcode, names[1]))
                registers = tuple(
                    (
                        name,
                        len(one.parts) if one.kind == "vector" else int(one.kind == "register"),
                        (one.parts or (one,))[0].type,
                    )
                    for name, one in zip(names, sample.operands, strict=False)
                )
                slots = tuple((slot.name, value) for slot, value in zip(form.slots, values, strict=True))
                job = Job(page.path[11:-3], slots, "".join(opcode), registers)
                for f in range(4 if SELECTORS & {*names} else 1):
                    named = zip(names, sample.operands, strict=False)
                    written = tuple(one._replace(value=f) if name in SELECTORS else one for name, one in named)
                    found = match(opcode, written, VERSION, TARGET)
                    # ptxas takes 2 and 3 of two pairs, the GPU refuses the instruction.
                    if found is not None and found.fits and not (f > 1 and "m16n8k32" in job.opcode):
                        yield job._replace(selector=f)
                if "a-desc" in names and "n64k" in job.opcode:
                    turned = (0, 1) if "imm-trans-a" in names else (0,)
                    layouts_of = [one for one in product(range(4), turned, turned) if any(one)]
                    yield from (job._replace(layout=one) for one in layouts_of)
                    if ".f32.f16.f16" in job.opcode:
                        k_major = [one for one in layouts_of if not any(one[1:])]
                        yield from (job._replace(layout=one, base=n) for one in k_major for n in range(1, 8))


def kernel(job: Job, name: str) -> str:
    """The PTX of a kernel: registers and shared memory from ``in``, the instruction, its results to ``out``."""
    body, text, at, t = [], [], 0, job.threads
    body.append(".reg .b64 %i, %o, %da, %db; .reg .b32 %t, %m, %x, %n; .reg .pred %p;")
    if job.page[0] in "wls":
        body.append(f".shared .align 1024 .b8 tile_{name}[{SHARED}];")
    body += ["ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %m, 0;"]
    if job.page[0] in "wls":
        words = sum(job.loaded.values()) * t
        body += [
            f"mov.u32 %m, tile_{name}; shl.b32 %n, %t, 2; ld.param.u64 %da, [a]; ld.param.u64 %db, [b];",
            ".reg .b64 %s, %q; cvt.u64.u32 %s, %m; shr.u64 %s, %s, 4; add.s64 %da, %da, %s; add.s64 %db, %db, %s;",
            f"FILL: cvt.u64.u32 %q, %n; add.s64 %q, %q, %i; ld.global.u32 %x, [%q+{words * 8}];",
            f"add.u32 %n, %n, %m; st.shared.u32 [%n], %x; sub.u32 %n, %n, %m; add.u32 %n, %n, {4 * t};",
            f"setp.lt.u32 %p, %n, {SHARED}; @%p bra FILL; fence.proxy.async; bar.sync 0;",
        ]
    body.append("mad.wide.u32 %i, %t, 8, %i; mad.wide.u32 %o, %t, 8, %o; mad.lo.u32 %n, %t, 16, %m;")
    for operand, count, kind in job.operands:
        kind = kind if kind in (".f32", ".f64") else ".b32"
        names = [f"%{operand.replace('-', '_')}{n}" for n in range(count)]
        if count and (operand[0] not in "pst" or operand in METADATA) and not operand.endswith("desc"):
            body.append(f".reg {kind} {', '.join(names)};")
        for register in names if operand in job.loaded else ():
            body.append(f"ld.global{kind} {register}, [%i+{at * t * 8}];")
            at += 1
        one = {
            "a-desc": "%da",
            "b-desc": "%db",
            "p": "[%n]",
            "f": str(job.selector),
            "e": "%e0",
            "sp-sel": str(job.selector),
            "sp-meta": "%sp_meta0",
            "scale-d": "1",
            "imm-trans-a": str(job.layout[1]),
            "imm-trans-b": str(job.layout[2]),
        }.get(operand)
        one = one or ("1" if operand.startswith("imm") else "{" + ", ".join(names) + "}")
        text.append(names[0] if job.page == "movmatrix" else one)
    line = f"{job.opcode} {', '.join(text)};"
    if t == 128:
        line = f"wgmma.fence.sync.aligned; {line} wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
    body.append(line)
    if job.page == "stmatrix":
        body.append("bar.sync 0;")
        body += [f"ld.shared.u32 %x, [%n+{4 * n}]; st.global.u32 [%o+{n * t * 8}], %x;" for n in range(4)]
    else:
        _, count, kind = job.operands[0]
        kind = kind if kind in (".f32", ".f64") else ".b32"
        body += [f"st.global{kind} [%o+{n * t * 8}], %{job.operands[0][0]}{n};" for n in range(count)]
    params = ".param .u64 in, .param .u64 out, .param .u64 a, .param .u64 b"
    return f".visible .entry {name}({params}) {{\n" + "\n".join(body) + "\nret;\n}\n"
