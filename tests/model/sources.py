"""Random sources with inline assembly, and pieces of them that someone pastes."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from ptx_lsp.hosts.host_tables import host_of
from tests.load.sources import HOSTS

from .texts import garbage, other_line_ends

_CORPUS = Path(__file__).parent.parent.parent / "benchmarks" / "corpus"
_LENGTHS = 300, 300, 1000, 3000
"""Characters of a generated source."""
_WORDS = (
    *('asm("', 'asm volatile("', '"', '\\n"', '" : "=r"(a) : "r"(b));', '" ::: "memory");', "asm goto(", "asm(", ");"),
    *("%0", "%%r1", "$0", "${0}", "%[name]", "{0}", "{{ ", " }}", "R", 'R"(', ')"', '"=r"', '"l"(p)', ":", "::"),
    *(
        "#if __CUDA_ARCH__ >= 900\n",
        "#else\n",
        "#endif\n",
        "#define A ",
        "\\\n",
        "#if 0\n",
        "template <int N> ",
        "f<1>();",
    ),
    *("__device__ void f(int a) {\n", "}\n", "{\n", "//", "/*", "*/", "#", '"""', "'''", "'", 'f"', 'r"', "(", ")"),
    *(
        "tl.inline_asm_elementwise(",
        '"=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)',
        "def f(x):\n",
        "@triton.jit\n",
    ),
    *('asm!("', "options(nostack)", "in(reg32) a", 'llvm.inline_asm "', 'call i32 asm "', 'nvvm.inline_ptx "'),
    *(
        "// ptx-lsp: target sm_70\n",
        "# ptx-lsp: target sm_100a\n",
        "// ptx-lsp: ignore\n",
        "// ptx-lsp: ignore[E201]\n",
    ),
    *(
        "mov.b32 %0, %1;",
        "bogus;",
        "@p bra L;",
        "L:",
        "{ .reg .b32 t; ",
        "wgmma.fence.sync.aligned;",
        "bar.sync 0;",
        ";",
    ),
)


@cache
def _corpus() -> tuple[tuple[str, ...], ...]:
    """The lines of CUDA C++ files."""
    paths = sorted((*_CORPUS.glob("*.cu"), *_CORPUS.parent.parent.glob("examples/*.cu")))
    return tuple(tuple(path.read_text("utf-8").splitlines(keepends=True)) for path in paths)


@cache
def _generators(host: str) -> tuple[str, ...]:
    return tuple(name for name, (one, _) in HOSTS.items() if one == host)


def _host(language: str) -> str:
    host = host_of("", language)
    assert host is not None, language
    return host


def excerpt(draw: random.Random, language: str, most: int) -> str:
    """Consecutive lines of a source."""
    host = _host(language)
    if host == "cuda-cpp" and draw.random() < 0.3:
        lines = draw.choice(_corpus())
    else:
        _, generator = HOSTS[draw.choice(_generators(host))]
        lines = tuple(generator(draw.choice(_LENGTHS)).splitlines(keepends=True))
    start = draw.randrange(max(1, len(lines) - 1))
    return "".join(lines[start : start + draw.randrange(1, most)])


def piece(draw: random.Random, language: str) -> str:
    """What someone pastes into a source."""
    kind = draw.random()
    if kind < 0.4:
        return "".join(draw.choice(_WORDS) for _ in range(draw.choice((1, 1, 1, 2, 4))))
    if kind < 0.85:
        return excerpt(draw, language, 5)
    return garbage(draw, 12)


def document(draw: random.Random, language: str) -> str:
    """The text of a source."""
    kind = draw.random()
    if kind < 0.5:
        _, generator = HOSTS[draw.choice(_generators(_host(language)))]
        text = generator(draw.choice(_LENGTHS))
    elif kind < 0.95:
        text = "".join(excerpt(draw, language, 60) for _ in range(draw.choice((1, 1, 2, 4))))
    else:
        text = garbage(draw, 100)
    return other_line_ends(draw, text) if draw.random() < 0.2 else text
