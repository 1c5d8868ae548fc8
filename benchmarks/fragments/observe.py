"""Runs the kernels on the GPU of this machine: ``python -m benchmarks.fragments.observe FILE`` writes their results."""

import struct
import sys
import zlib
from collections.abc import Iterator

from benchmarks.fragments.jobs import Job, jobs, kernel
from benchmarks.gpu import Gpu

BATCH = 24


def observe(gpu: Gpu, chosen: list[Job]) -> Iterator[tuple[Job, bytes]]:
    """For each job the words that the kernel stores."""
    for first in range(0, len(chosen), BATCH):
        batch = chosen[first : first + BATCH]
        texts = [kernel(job, f"k{n}") for n, job in enumerate(batch)]
        module = gpu.load(".version 9.0\n.target sm_90a\n.address_size 64\n" + "".join(texts))
        for n, job in enumerate(batch):
            registers, shared = job.words()
            words = [one for many in registers.values() for lanes in many for one in lanes]
            source = struct.pack(f"<{len(words)}Q{len(shared)}I", *words, *shared)
            stored = 4 if job.page == "stmatrix" else job.operands[0][1]
            found = gpu.run(module, f"k{n}", source, stored * job.threads * 8, job.threads, job.descriptors())
            yield job, found if ".f64" in job.opcode else memoryview(found).cast("I")[::2].tobytes()
        gpu.do("cuModuleUnload", module)


def main(path: str) -> None:
    """Write what all kernels store."""
    gpu, packer = Gpu(), zlib.compressobj(9)
    print(gpu.name())
    with open(path, "wb") as stream:
        heading = gpu.name().encode()
        stream.write(packer.compress(struct.pack("<I", len(heading)) + heading))
        for job, found in observe(gpu, list(jobs())):
            name = job.name.encode()
            stream.write(packer.compress(struct.pack("<II", len(name), len(found)) + name + found))
        stream.write(packer.flush())


if __name__ == "__main__":
    main(sys.argv[1])
