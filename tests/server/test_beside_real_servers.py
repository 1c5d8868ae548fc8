"""``ptx-lsp beside`` with the real clangd and the real pyright."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editors.programs import clangd, needed, pyright

from .conftest import RawClient, child, insertion

CUDA_FLAGS = "-xcuda\n-nocudainc\n-nocudalib\n--cuda-gpu-arch=sm_80\n"
"""``compile_flags.txt`` of clangd: CUDA without a toolkit."""
SOURCE = """\
#define __device__ __attribute__((device))

__device__ int twice(int &a) {
  asm("{ .reg .u32 t;\\n\\t"
      "add.s3 %0, %0, 1;\\n\\t"
      "}" : "+r"(a));
  int b = missing;
  return b;
}
"""
TRITON = """\
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    value = tl.load(x + index)
    packed = tl.inline_asm_elementwise(
        asm="cvt.rn.bf16x2.f23 $0, $2, $1;", constraints="=r,r,r", args=[value, value],
        dtype=tl.int32, is_pure=True, pack=2,
    )
    tl.store(y + index, undefined_name)
"""


class Session:
    """An editor with one document, and the server that it started."""

    def __init__(self, client: RawClient, source: Path, text: str, language: str) -> None:
        self.client = client
        self.uri = source.as_uri()
        self._lines = text.split("\n")
        tokens = {"formats": ["relative"], "requests": {"full": {"delta": True}}, "tokenModifiers": []}
        tokens["tokenTypes"] = ["function", "keyword", "parameter", "type", "variable"]
        capabilities = {"textDocument": {"semanticTokens": tokens}}
        root = source.parent.as_uri()
        folders = [{"uri": root, "name": "tests"}]
        found = client.initialize(rootUri=root, workspaceFolders=folders, capabilities=capabilities)
        self.capabilities: dict[str, Any] = found["capabilities"]
        client.open(text, uri=self.uri, language=language)

    def wait_for(self, *messages: str) -> None:
        """Wait until findings with these words are there."""
        found = ""
        while not all(one in found for one in messages):
            message = self.client.wait(lambda one: one.get("method") == "textDocument/publishDiagnostics")
            found = str([one["message"] for one in message["params"]["diagnostics"]])

    def ask(self, name: str, words: str, skip: int = 0) -> Any:
        """The result of a request about the first place of ``words``."""
        line, text = next((number, line) for number, line in enumerate(self._lines) if words in line)
        position = {"line": line, "character": text.index(words) + skip}
        return self.client.ask(name, {"textDocument": {"uri": self.uri}, "position": position})["result"]

    def tokens(self, data: list[int]) -> list[tuple[str, str]]:
        """The text and the type of each token."""
        names = self.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
        found, line, column = [], 0, 0
        for at in range(0, len(data), 5):
            line, column = line + data[at], data[at + 1] + (0 if data[at] else column)
            found.append((self._lines[line][column : column + data[at + 2]], names[data[at + 3]]))
        return found

    def hover(self, words: str, skip: int = 0) -> str:
        return str((self.ask("textDocument/hover", words, skip) or {}).get("contents"))

    def labels(self, words: str, skip: int) -> list[str]:
        """The labels of completion."""
        found = self.ask("textDocument/completion", words, skip)
        return [one["label"].strip() for one in (found["items"] if isinstance(found, dict) else found or [])]


def started(command: list[str]) -> RawClient:
    return RawClient([sys.executable, "-m", "ptx_lsp", "beside", "--", *command])


@pytest.fixture
def cuda(tmp_path: Path) -> Iterator[Session]:
    """A document of CUDA C++, served by clangd and this server."""
    (tmp_path / "compile_flags.txt").write_text(CUDA_FLAGS)
    client = started(clangd())
    yield Session(client, tmp_path / "kernel.cu", SOURCE, "cuda-cpp")
    client.end()


def test_findings_and_hovers_of_clangd_and_ours(cuda: Session) -> None:
    cuda.wait_for("'missing'", "'add' has no type '.s3'")
    assert "int b" in cuda.hover("b = missing")
    assert "PTX ISA: add" in cuda.hover("add.s3")
    assert "a" in cuda.hover("%0, 1")
    assert cuda.hover("return b", 7) != "None"
    assert cuda.client.leave() == 0


def test_completion_of_clangd_and_ours(cuda: Session) -> None:
    cuda.wait_for("'missing'")
    cuda.client.change(2, insertion(4, 7 + len("add."), "s32 %0, %0, 1;\\n\\tsub."), uri=cuda.uri)
    assert cuda.labels("b = missing", 4)
    inside = cuda.labels('"add.s3', 5)
    assert {"s32", "f32"} <= {one.lstrip(".") for one in inside}
    assert not {"int", "return"} & set(inside)


def test_what_only_clangd_has_is_passed_on(cuda: Session) -> None:
    cuda.wait_for("'missing'")
    assert cuda.capabilities["documentFormattingProvider"]
    symbols = cuda.client.ask("textDocument/documentSymbol", {"textDocument": {"uri": cuda.uri}})["result"]
    assert "twice" in str(symbols)


def test_tokens_of_clangd_and_ours(cuda: Session) -> None:
    """One legend; words of PTX stand within strings, which have no tokens of clangd."""
    cuda.wait_for("'missing'")
    document = {"textDocument": {"uri": cuda.uri}}
    before = cuda.client.ask("textDocument/semanticTokens/full", document)["result"]
    found = cuda.tokens(before["data"])
    assert ("twice", "function") in found
    assert (".u32", "type") in found
    assert ("%0", "parameter") in found
    cuda.client.change(2, insertion(0, 0, "\n\n"), uri=cuda.uri)
    ask = {**document, "previousResultId": before["resultId"]}
    (edit,) = cuda.client.ask("textDocument/semanticTokens/full/delta", ask)["result"]["edits"]
    assert edit["data"][0] == before["data"][0] + 2


@pytest.mark.skipif(sys.platform != "linux", reason="child processes are found in /proc")
def test_clangd_is_killed(cuda: Session) -> None:
    """It is started again with the edited text; the findings of this server stay."""
    cuda.wait_for("'missing'", ".s3")
    cuda.client.change(2, insertion(6, 10, "still_"), uri=cuda.uri)
    cuda.wait_for("'still_missing'", ".s3")
    os.kill(child(cuda.client.process.pid, needed("clangd").name), signal.SIGKILL)
    cuda.wait_for(".s3")
    cuda.wait_for("'still_missing'", ".s3")
    assert "int b" in cuda.hover("b = missing")
    assert "PTX ISA: add" in cuda.hover("add.s3")
    assert cuda.client.leave() == 0


def test_pyright(tmp_path: Path) -> None:
    """A kernel of Triton: its PTX is ours, its Python pyright's."""
    client = started(pyright())
    try:
        triton = Session(client, tmp_path / "kernel.py", TRITON, "python")
        triton.wait_for("undefined_name", "'.f23'")
        assert "def kernel" in triton.hover("kernel(x")
        assert "PTX ISA: cvt" in triton.hover("cvt.rn")
        assert "value" in triton.hover("$1;")
        assert client.leave() == 0
    finally:
        client.end()
