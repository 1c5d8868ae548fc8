"""An experiment: a claim of a page, a kernel that can show it, and what the kernel must store if the claim is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Outcome = list[int] | str
"""The 32-bit words that the kernel stored; or ``hangs``, or an error of the driver."""


class Experiment(NamedTuple):
    """A claim with its kernel."""

    name: str
    """Named on pages: ``python -m benchmarks.hardware NAME``."""
    page: str
    claim: str
    body: str
    """PTX of a kernel. ``%out`` is the address of this thread's first result, ``%lane`` its index in the CTA."""
    shows: Callable[[Outcome], bool]
    """Whether the outcome is the one that the claim predicts."""
    threads: int = 1
    words: int = 1
    """Results of each thread."""
    declarations: str = ""
    """Variables of the module."""

    def kernel(self) -> str:
        """The module."""
        return f"""\
.version 8.1
.target sm_90a
.address_size 64
.shared .align 8 .b64 bar;
.shared .align 16 .b8 buffer[1024];
{self.declarations}
.entry k(.param .b64 source, .param .b64 result) {{
    .reg .b64 %out, %in, %rd<8>;
    .reg .b32 %lane, %r<32>;
    .reg .b16 %h<8>;
    .reg .f32 %f<16>;
    .reg .pred %p<8>;
    mov.u32 %lane, %tid.x;
    ld.param.b64 %in, [source];
    ld.param.b64 %out, [result];
    mad.wide.u32 %out, %lane, {4 * self.words}, %out;
{self.body}
    ret;
}}
"""
