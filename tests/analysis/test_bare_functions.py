"""Functions without marks in their bodies: their records are those of a scan, and take few steps."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.analysis.module import scanner
from ptx_lsp.analysis.module.bare_functions import bare_function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.syntax.document import Document

from .test_same_marks import as_scanned, contents

HEADS = (
    ".entry k{}()",
    ".entry k{}(.param .u64 a, .param .b32 a)",
    ".func (.reg .b32 r) f{}(.reg .b32 x)",
    ".extern .func e{}()",
    ".entry same()",
    ".func broken{}(",
    ".func d{}(.param .b8 x[4], .reg .f32 x);",
    ".extern .func x{}();",
)
BODIES = (
    "ret;",
    "",
    "add.s32 x, x, 1; ret;",
    ".loc 1 1 1\nbra e;",
    ".reg .b32 y;",
    "{ ret; }",
    "L: bra L;",
    "add.s32 x x",
)
ENDS = ("}", "}", "}\n.global .u32 v;", "", "}}", '.file 1 "a"\n}')


def random_text(rng: random.Random) -> str:
    functions = []
    for number in range(rng.randrange(1, 6)):
        head = rng.choice(HEADS).format(number)
        functions.append(head if head.endswith(";") else f"{head} {{ {rng.choice(BODIES)} {rng.choice(ENDS)}")
    return ".version 8.0\n.target sm_90\n" * rng.randrange(2) + "\n".join(functions) + "\n"


@pytest.mark.parametrize("seed", range(100))
def test_the_record_of_a_bare_function_is_that_of_a_scan(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = random_text(random.Random(seed))
    module = Module(Document(text))
    monkeypatch.setattr(scanner, "bare_function", _none)
    for function in module.functions:
        assert contents(function) == contents(as_scanned(module, function)), text


def _none(*_: Any) -> None:
    """No function is bare."""


def test_some_functions_are_bare() -> None:
    module = Module(Document(".entry k() { ret; }\n.func f();\n.entry l() { .reg .b32 x; }\n"))
    bare = [bare_function(one.first, module.summaries[one.first], module.globals) for one in module.functions]
    assert [one is not None for one in bare] == [True, True, False]


def test_a_bare_function_is_read_in_few_steps() -> None:
    def reading(count: int) -> int:
        text = "".join(f".func bare{count}_{number}() {{ bra bare{number}; }}\n" for number in range(count))
        return steps(lambda: Module(Document(text)))

    reading(10)
    assert reading(300) - reading(100) < 200 * 420
