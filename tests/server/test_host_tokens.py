"""Semantic tokens of inline assembly: their places in the host; edited documents have those of fresh ones."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ptx_lsp.checks.embedded.host_checker import HostText
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.legend import legend
from ptx_lsp.server.documents.document import TextChange
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.embedded.host_tokens import HostTokens
from ptx_lsp.settings import Settings

from .conftest import RawClient, insertion

URI = "file:///home/me/kernel.cu"
LEGEND = legend({}, {"ownTokenTypes": True})


def opened(text: str, host: str = "cuda-cpp") -> HostDocument:
    document = HostDocument(URI, 1, Settings(), Encoding.UTF_16, HostText(text, host, ()), lambda *_: ())
    while not document.work(1.0) or not document.follow(1.0):
        pass
    return document


def numbers(document: HostDocument) -> list[int]:
    """All numbers of the protocol."""
    document.tokens = document.tokens or HostTokens(document, LEGEND)
    for _ in document.tokens.preparing():
        pass
    return [int(one) for one in document.tokens.full().data.split(",") if one]


def words(data: list[int], text: str) -> list[tuple[str, str]]:
    """The text and the type of each token."""
    found, line, column = [], 0, 0
    for at in range(0, len(data), 5):
        lines, columns, length, kind, _ = data[at : at + 5]
        line, column = (line + lines, columns) if lines else (line, column + columns)
        units = text.split("\n")[line].encode("utf-16-le")
        found.append((units[2 * column : 2 * (column + length)].decode("utf-16-le"), LEGEND.names[kind]))
    return found


def check_tokens(text: str, *expected: str, host: str = "cuda-cpp") -> None:
    """Fail unless these are the tokens: ``word type``."""
    assert [" ".join(one) for one in words(numbers(opened(text, host)), text)] == list(expected)


def test_a_statement_that_no_target_compiles() -> None:
    check_tokens(
        '#if __CUDA_ARCH__ >= 900\n#if __CUDA_ARCH__ < 900\n__device__ void f() { asm("exit;"); }\n#endif\n#endif\n',
        "exit opcode",
    )


def test_a_call_that_ends_within_a_line_end() -> None:
    check_tokens(
        'inline_asm_elementwise("exit;", x = 1\r\nx = """__global__ void f() { asm("ret;"); }"""\r\n',
        *("exit opcode", "ret opcode"),
        host="python",
    )


def test_words_operands_and_escapes() -> None:
    check_tokens(
        '__device__ void f(int a) { asm("mov.u32 %0, %%laneid; // x" : "=r"(a)); }',
        *("mov opcode", ".u32 type", "%0 parameter", "%%laneid specialRegister", "// x comment"),
    )


def test_an_instruction_in_several_literals() -> None:
    """A word that two literals share has a part in each."""
    check_tokens(
        '__device__ void f(int a) {\n  asm("ad" /* add */ "d.s32\\n"\n      " %0, %0, 0x1" "0;" : "+r"(a)); }',
        *("ad opcode", "d opcode", ".s32 type", "%0 parameter", "%0 parameter", "0x1 number", "0 number"),
    )


def test_several_statements_of_a_line_and_of_other_lines() -> None:
    one = 'asm("bar.sync 0;");'
    bar = ("bar opcode", ".sync opcode", "0 number")
    check_tokens(f"__device__ void f() {{ /* 😀 */ {one} {one}\n{one}\n\n  {one} }}", *bar, *bar, *bar, *bar)


def test_text_of_macros_has_none() -> None:
    check_tokens('#define TYPE ".u32"\n__device__ void f(int a) { asm("mov" TYPE " %0, 1;" : "=r"(a)); }',
                 "mov opcode", "%0 parameter", "1 number")  # fmt: skip


def test_registers_of_a_template_in_python() -> None:
    check_tokens(
        'tl.inline_asm_elementwise("""\n{\n .reg .b16 lo;\n cvt.u16.u32 lo, $1;\n}""", "=r,r", [x], tl.int32, True, 1)',
        *(".reg space", ".b16 type", "lo register"),
        *("cvt opcode", ".u16 type", ".u32 type", "lo register", "$1 parameter"),
        host="python",
    )


def test_branches_of_the_preprocessor() -> None:
    """Each branch has tokens; what the branches share has them once."""
    check_tokens(
        '__device__ void f(int a) { asm("add"\n#if X\n".s32"\n#else\n".u32"\n#endif\n" %0, %0, 1;" : "+r"(a)); }',
        *("add opcode", ".s32 type", ".u32 type", "%0 parameter", "%0 parameter", "1 number"),
    )


@pytest.mark.parametrize(
    "text", ["", "int f();", 'void f() { asm("mov', 'void f() { asm("%" : "=r"(', 'asm("movl %eax");']
)
def test_texts_without_ptx_and_broken_ones(text: str) -> None:
    words(numbers(opened(text)), text)


@pytest.mark.parametrize("seed", range(6))
def test_edited_equals_fresh(seed: int) -> None:
    choose = random.Random(seed)
    pieces = [*'"%\n{}():,', "asm", "%%", "/*", "*/", "u32", "#if 0\n", "#endif\n", "mov.u32 %0, %1;", "😀", "TYPE"]
    text = '#define TYPE ".u32"\n__device__ void f(int a) {\n  asm("add" TYPE " %0, %0, 1;\\n"\n'
    text += '"{ .reg .u32 q; }" : "+r"(a));'
    text = f'{text} }}\n{text.replace(".u32", ".s32")} asm("bar.sync 0;"); }}'
    document = opened(text)
    for _ in range(25):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 0, 0, 1, 3, 40]))
        new = choose.choice(pieces) if choose.random() < 0.7 else text[start : start + 30]
        document.change(TextChange(new, document.lines.position(start), document.lines.position(end)))
        while not document.work(1.0):  # on a busy machine the edit is applied in several slices
            pass
        text = text[:start] + new + text[end:]
        assert numbers(document) == numbers(opened(text))


def test_another_target_for_all_statements() -> None:
    text = '// ptx-lsp: target sm_90a\n__device__ void f() { asm("wgmma.fence.sync.aligned;"); }\n'
    document = opened(text)
    before, at = numbers(document), text.index("90a")
    document.change(TextChange("80", document.lines.position(at), document.lines.position(at + 3)))
    while not document.work(1.0):
        pass
    assert numbers(document) == numbers(opened(text.replace("90a", "80"))) != before


# ---------------------------------------------------------------------- over the wire

KERNEL = '__device__ void f(int a) {\n  asm("add.s32 %0, %0, 1;" : "+r"(a));\n  asm("bar.sync 0;");\n}\n'


def ask(raw: RawClient, what: str, **params: object) -> Any:
    return raw.ask(f"textDocument/semanticTokens/{what}", {"textDocument": {"uri": URI}, **params})["result"]


def test_a_range_and_edits(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"ownTokenTypes": True})
    raw.open(KERNEL, uri=URI, language="cuda-cpp")
    before = ask(raw, "full")
    assert ("add", "opcode") in words(before["data"], KERNEL)
    second = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 9}}
    part = words(ask(raw, "range", range=second)["data"], KERNEL)
    assert part == [("bar", "opcode"), (".sync", "opcode"), ("0", "number")]
    raw.change(2, insertion(1, 7 + len("add.s"), "32 %0, %0, 1; sub.s"), uri=URI)
    delta = ask(raw, "full/delta", previousResultId=before["resultId"])
    data = before["data"]
    for edit in reversed(delta["edits"]):
        data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
    assert data == ask(raw, "full")["data"]
