"""Requests about names in templates that no statement declares: text of the host, and operands that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import RawClient

TRITON = """\
import triton.language as tl

def doubled(y, name):
    return tl.inline_asm_elementwise(f"mov.b32 $0, {name}; add.s32 $0, $0, {name};", "=r,r", [y], dtype=tl.int32)
"""
CUDA = """\
__device__ void f(int a, int x, int y, int z) {
  asm("add.s32 %0, %4, %4;" : "=r"(a));
  asm("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" :: "l"(a), "r"(x), "r"(y), "r"(z));
}
"""
FILES = {TRITON: ("file:///home/me/kernels.py", "python"), CUDA: ("file:///home/me/kernel.cu", "cuda-cpp")}


def ask(raw: RawClient, method: str, text: str, marked: str) -> Any:
    """The answer to a request at the mark in a part of a text."""
    uri, language = FILES[text]
    offset = text.index(marked.replace("<|>", "")) + marked.index("<|>")
    position = {"line": text.count("\n", 0, offset), "character": offset - text.rfind("\n", 0, offset) - 1}
    raw.initialize()
    raw.open(text, uri=uri, language=language)
    params = {"textDocument": {"uri": uri}, "position": position, "context": {"includeDeclaration": True}}
    return raw.ask(f"textDocument/{method}", params)["result"]


def written(text: str, places: list[Any]) -> Iterator[str]:
    """The texts at the ranges of an answer."""
    lines = text.split("\n")
    for place in places:
        start, end = place["range"]["start"], place["range"]["end"]
        yield lines[start["line"]][start["character"] : end["character"]]


@pytest.mark.parametrize(
    ("text", "marked", "says"),
    [
        (TRITON, "$0, {na<|>me};", "computed by the code around the template; not known here"),
        (CUDA, "%<|>4, %4", "the statement has no such operand"),
        (CUDA, "[%0, {%1,<|> %2}]", "generic address"),
    ],
)
def test_hover(raw: RawClient, text: str, marked: str, says: str) -> None:
    assert says in ask(raw, "hover", text, marked)["contents"]["value"]


@pytest.mark.parametrize(("text", "marked"), [(TRITON, "$0, {na<|>me};"), (CUDA, "%<|>4, %4")])
@pytest.mark.parametrize("method", ["definition", "declaration", "typeDefinition", "implementation"])
def test_nothing_to_go_to(raw: RawClient, method: str, text: str, marked: str) -> None:
    assert ask(raw, method, text, marked) is None


@pytest.mark.parametrize(
    ("text", "marked", "expected"),
    [(TRITON, "$0, {na<|>me};", ["{name}", "{name}"]), (CUDA, "%<|>4, %4", ["%4", "%4"])],
)
@pytest.mark.parametrize("method", ["references", "documentHighlight"])
def test_all_places_of_the_name(raw: RawClient, method: str, text: str, marked: str, expected: list[str]) -> None:
    assert list(written(text, ask(raw, method, text, marked))) == expected
