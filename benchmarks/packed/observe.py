"""``python -m benchmarks.packed.observe``: what a GPU keeps in cache policies and mbarriers, which are opaque."""

import struct
from collections.abc import Iterator

from benchmarks.gpu import Gpu

PRIORITIES = ("unchanged", "first", "last", "normal")
READ = "ld.volatile.shared.b64 %x, [m];"
"""Stands behind ``mbarrier.inval``: before it the eight bytes are not what they were a moment ago."""
EXPECT = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m],"
ARRIVE = "mbarrier.arrive.shared.b64 %x, [m];"
RANGES = ((0x0, 0x10000, 0x40000), (0x1230000, 0x8000, 0x80000), (0x0, 0x4000000, 0x8000000))


def jobs() -> Iterator[tuple[str, str]]:
    """What is done, and the PTX that leaves the word in ``%x``."""
    for first in PRIORITIES:
        for second in ("", ".L2::evict_first", ".L2::evict_unchanged"):
            words = f"L2::evict_{first}{second}.b64 %x"
            for share in ("", ", 0.5", ", 0.1"):
                yield f"{words}{share}", f"createpolicy.fractional.{words}{share};"
            for at, size, total in RANGES:
                made = f"add.u64 %y, %r, {at}; createpolicy.range.global.{words}, [%y], {size}, {total};"
                yield f"{words} {at:#x} {size:#x} {total:#x}", made
    for sixteenths in range(1, 17):
        made = f"createpolicy.fractional.L2::evict_first.b64 %x, 0f{struct.pack('>f', sixteenths / 16).hex()};"
        yield f"{sixteenths}/16", made
    for count in (1, 2, 3, 256, 0xFFFFF):
        yield f"init {count}", _mbarrier(count, "", READ)
    for arrivals in (1, 4, 5, 6, 10):
        yield f"init 5, {arrivals} arrivals", _mbarrier(5, ARRIVE * arrivals, READ)
        yield f"init 5, state of arrival {arrivals}", _mbarrier(5, ARRIVE * arrivals)
    yield "init 5, drop 1", _mbarrier(5, "mbarrier.arrive_drop.shared.b64 %x, [m];", READ)
    for size in (1, 16, 0xFFFFF):
        yield f"init 5, expect {size}", _mbarrier(5, f"{EXPECT} {size};", READ)
    yield "init 5, complete 16", _mbarrier(5, "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [m], 16;", READ)


def _mbarrier(count: int, then: str, read: str = "") -> str:
    return f"mbarrier.init.shared.b64 [m], {count}; {then} mbarrier.inval.shared.b64 [m]; {read}"


def module() -> str:
    """All jobs in one kernel: each stores its word."""
    stores = (f"{{ {code}\nst.global.b64 [%r+{8 * at}], %x; }}" for at, (_, code) in enumerate(jobs()))
    return (
        ".version 8.0\n.target sm_90a\n.address_size 64\n.shared .align 8 .b64 m;\n"
        ".entry k(.param .b64 source, .param .b64 result) { .reg .b64 %r, %x, %y;\nld.param.b64 %r, [result];\n"
        + "\n".join(stores)
        + "\nret; }\n"
    )


if __name__ == "__main__":
    gpu = Gpu()
    names = [name for name, _ in jobs()]
    found = gpu.run(gpu.load(module()), "k", b"", 8 * len(names), 1, [])
    print(f"{gpu.name()}; results at {gpu.result:#x}")
    for name, word in zip(names, struct.unpack(f"<{len(names)}Q", found), strict=True):
        print(f"{word:016x}  {name}")
