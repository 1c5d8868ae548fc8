"""``python -m benchmarks.evidence [NAME …]`` runs the kernels on this machine's GPU, with the mistake and without it.

Each kernel runs in a process of its own, because a fault ends the context. ``--write FILE`` writes what was seen as
rows of a table.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.evidence.kernels import FIRST, Kernel, kernels
from benchmarks.gpu import Gpu

_RUNS = 20
"""So many times a kernel runs, because not every run shows a race."""
_LONGEST = 2.0
"""Seconds after which a kernel hangs; a right one needs less than a millisecond."""
_STARTED = 30.0
"""Seconds after which a process is ended in any case."""
_NOT_READY = 600
_RESULTS = 4096
"""Bytes of the results, with room for the flags of kernels."""


def main() -> int:
    """Run the chosen kernels; 1 if a right one fails or no mistake shows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=__doc__)
    parser.add_argument("names", nargs="*", help="kernels; default: all")
    parser.add_argument("--write", type=Path, help="write the rows of the table to a file")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, which = options.one
        print(json.dumps(_observed(next(one for one in kernels() if one.name == name), which)), flush=True)
        os._exit(0)  # the end of the process ends a kernel that hangs
    device = Gpu().name()
    rows, shown, failed = [], 0, 0
    print(device)
    for one in kernels():
        if not options.names or one.name in options.names:
            wrong, right = _in_a_process(one, "wrong"), _in_a_process(one, "right")
            shown += wrong != "right"
            failed += right != "right"
            print(f"{one.code} {one.name}: with the mistake {wrong}; without it {right}", flush=True)
            rows.append(f"| {one.code} | {one.mistake} | `{one.name}` | {wrong} | {right} |")
    print(f"{shown} of {len(rows)} mistakes show, {failed} right kernels fail")
    if options.write:
        options.write.write_text("\n".join([device, *rows, ""]), "utf-8")
    return int(failed > 0 or not shown)


def _in_a_process(one: Kernel, which: str) -> str:
    command = [sys.executable, "-m", "benchmarks.evidence", "--one", one.name, which]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_STARTED, check=False)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode:
        return f"no result: {(done.stderr.strip().splitlines() or ['?'])[-1]}"
    return str(json.loads(done.stdout))


def _observed(one: Kernel, which: str) -> str:
    """``right``, ``hangs``, an error of the driver, or the number of runs with wrong results."""
    gpu, words = Gpu(), one.threads * one.ctas
    module = gpu.load(one.wrong if which == "wrong" else one.right)
    kernel = ctypes.c_void_p()
    gpu.do("cuModuleGetFunction", ctypes.byref(kernel), module, b"k")
    expected = [FIRST + word for word in range(words)]
    wrong, example = 0, ""
    for _ in range(_RUNS):
        try:
            found = _run(gpu, kernel, one)
        except OSError as error:
            return f"fails: `{error}`"
        if found is None:
            return "hangs"
        if found != expected:
            several = sum(map(int.__ne__, found, expected))
            example = example or f"{several} of {words} words"
            wrong += 1
    return f"wrong in {wrong} of {_RUNS} runs: {example}" if wrong else "right"


def _run(gpu: Gpu, kernel: ctypes.c_void_p, one: Kernel) -> list[int] | None:
    """What a kernel stores; None if it does not end."""
    words = one.threads * one.ctas
    source, result = ctypes.c_uint64(gpu.source), ctypes.c_uint64(gpu.result)
    content = struct.pack(f"<{words}I", *range(FIRST, FIRST + words))
    gpu.do("cuMemcpyHtoD_v2", source, content, len(content))
    gpu.do("cuMemsetD8_v2", result, 0xEE, _RESULTS)
    gpu.do("cuCtxSynchronize")
    addresses = (ctypes.c_uint64 * 2)(source.value, result.value)
    size = ctypes.sizeof(ctypes.c_uint64)
    pointers = (ctypes.c_void_p * 2)(*(ctypes.addressof(addresses) + size * number for number in range(2)))
    gpu.do("cuLaunchKernel", kernel, one.ctas, 1, 1, one.threads, 1, 1, 0, None, pointers, None)
    end = time.monotonic() + _LONGEST
    while (code := gpu.cuda.cuStreamQuery(None)) == _NOT_READY:
        if time.monotonic() > end:
            return None
    if code:
        name = ctypes.c_char_p()
        gpu.do("cuGetErrorName", code, ctypes.byref(name))
        raise OSError((name.value or b"").decode())
    found = ctypes.create_string_buffer(4 * words)
    gpu.do("cuMemcpyDtoH_v2", found, result, 4 * words)
    return list(struct.unpack(f"<{words}I", found.raw))


if __name__ == "__main__":
    sys.exit(main())
