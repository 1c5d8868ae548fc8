"""Inline assembly in CUDA C++ over the wire: what an editor shows within a template, and nothing outside of it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Severity
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.embedded import host_document
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.settings import Settings

from .conftest import RawClient, insertion

URI = "file:///home/me/kernel.cu"
CUDA = """\
__device__ unsigned scaled(unsigned a, unsigned factor) {
  unsigned result;
  asm volatile("{ .reg .pred %%p0;\\n\\t"
               "setp.ne.b32 %%p0, %1, 0;\\n"
               "@%%p0 mul.lo.u32 %0, %1, %2;\\n"
               "mov.u32 %0, %%tid.x; }"
               : "=r"(result) : "r"(a), "r"(factor));
  return result;
}
"""


def marked(text: str) -> tuple[str, dict[str, int]]:
    """A text without its cursor mark, and the position of the mark."""
    before, _, after = text.partition("<|>")
    return before + after, {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def at(place: str, marked_place: str) -> tuple[str, dict[str, int]]:
    """The kernel with a cursor at a place of it."""
    return marked(CUDA.replace(place, marked_place, 1))


def ask(raw: RawClient, method: str, place: str, marked_place: str, **more: object) -> Any:
    """The answer to a request at a place of the kernel."""
    text, position = at(place, marked_place)
    raw.initialize(capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    raw.open(text, uri=URI, language="cuda-cpp")
    return raw.ask(f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": position, **more})["result"]


def written(place: dict[str, Any]) -> str:
    """The text of the kernel at a range."""
    start, end = place["start"], place["end"]
    assert start["line"] == end["line"]
    return CUDA.splitlines()[start["line"]][start["character"] : end["character"]]


def test_findings_are_published_at_places_of_the_host(raw: RawClient) -> None:
    raw.initialize()
    raw.open(CUDA.replace("mul.lo.u32", "mul.lo.u3"), uri=URI, language="cuda-cpp")
    (found,) = [one for one in raw.published(1) if one["severity"] == 1]
    assert "'.u3'" in found["message"]
    assert found["range"]["start"] == {"line": 4, "character": 28}
    raw.change(2, insertion(4, 31, "2"), uri=URI)
    assert not [one for one in raw.published(2) if one["severity"] == 1]


@pytest.mark.parametrize(
    ("place", "cursor", "wanted"),
    [
        ("setp.ne", "se<|>tp.ne", "setp.ne.b32  p, a, b;"),
        ("setp.ne", "se<|>tp.ne", "The whole statement requires PTX"),
        ("%1, 0", "%<|>1, 0", '`"r"(a)`: input in a `.b32` register'),
        ("mov.u32 %0", "mov.u32 %<|>0", '`"=r"(result)`: output in a `.b32` register'),
        ("%%tid.x", "%%t<|>id.x", "position of the thread in its CTA"),
        ("@%%p0", "@%%p<|>0", f"declared in [line 3]({URI}#L3)"),
    ],
)
def test_hover(raw: RawClient, place: str, cursor: str, wanted: str) -> None:
    assert wanted in ask(raw, "hover", place, cursor)["contents"]["value"]


@pytest.mark.parametrize(
    ("place", "cursor"),
    [("unsigned result", "unsig<|>ned result"), ("asm volatile", "asm vol<|>atile"), ("(a), ", "(<|>a), ")],
)
@pytest.mark.parametrize("method", ["hover", "completion", "signatureHelp", "definition", "documentHighlight"])
def test_nothing_outside_of_templates(raw: RawClient, method: str, place: str, cursor: str) -> None:
    assert ask(raw, method, place, cursor) is None


def test_an_operand_leads_to_its_expression(raw: RawClient) -> None:
    found = ask(raw, "definition", "%2;", "%<|>2;")
    assert written(found["range"]) == "factor"


def test_a_register_leads_to_its_declaration_in_the_template(raw: RawClient) -> None:
    found = ask(raw, "definition", "@%%p0", "@%%p<|>0")
    assert found["range"]["start"]["line"] == 2
    assert written(found["range"]) == "%%p0"


def test_highlights_of_operands_and_registers(raw: RawClient) -> None:
    found = ask(raw, "documentHighlight", "%1, 0", "%<|>1, 0")
    assert [written(one["range"]) for one in found] == ["%1", "%1"]


def test_references_of_an_operand_have_its_expression(raw: RawClient) -> None:
    found = ask(raw, "references", "%1, 0", "%<|>1, 0", context={"includeDeclaration": True})
    assert [written(one["range"]) for one in found] == ["a", "%1", "%1"]


def test_completion_writes_escapes_of_the_template(raw: RawClient) -> None:
    """``%tid`` is ``%%tid`` in a template with operands; the label is what PTX calls it."""
    found = ask(raw, "completion", "%%tid.x", "%%ti<|>d.x")
    (item,) = [one for one in found["items"] if one["label"] == "%tid"]
    assert item["textEdit"]["newText"] == item["filterText"] == "%%tid"
    assert written(item["textEdit"]["range"]).startswith("%%ti")


def test_completion_of_qualifiers(raw: RawClient) -> None:
    found = ask(raw, "completion", "mul.lo.u32", "mul.<|>lo.u32")
    assert {".lo", ".hi", ".wide"} <= {one["label"] for one in found["items"]}


def test_hints_name_the_expressions_of_operands(raw: RawClient) -> None:
    raw.initialize()
    raw.open(CUDA, uri=URI, language="cuda-cpp")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    found = raw.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": whole})["result"]
    assert [one["label"] for one in found] == ["a", "result", "a", "factor", "result"]
    lines = CUDA.splitlines()
    for one in found:
        assert lines[one["position"]["line"]][: one["position"]["character"]][-2:] in ("%0", "%1", "%2")


def test_a_fix_stays_within_its_literal(raw: RawClient) -> None:
    raw.initialize(capabilities={"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}})
    raw.open(CUDA.replace("mul.lo.u32", "mul.lo.u3"), uri=URI, language="cuda-cpp")
    place = {"start": {"line": 4, "character": 28}, "end": {"line": 4, "character": 28}}
    found = raw.ask(
        "textDocument/codeAction", {"textDocument": {"uri": URI}, "range": place, "context": {"diagnostics": []}}
    )["result"]
    (edit,) = found[0]["edit"]["changes"][URI]
    assert edit["newText"] == ".u32"
    assert edit["range"] == {"start": {"line": 4, "character": 28}, "end": {"line": 4, "character": 31}}


@pytest.mark.parametrize("method", ["foldingRange", "documentSymbol", "codeLens", "formatting"])
def test_what_belongs_to_the_server_of_the_host_is_left_to_it(raw: RawClient, method: str) -> None:
    raw.initialize()
    raw.open(CUDA, uri=URI, language="cuda-cpp")
    params = {"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": True}}
    assert not raw.ask(f"textDocument/{method}", params)["result"]


def test_a_file_of_c_without_assembly_has_no_findings(raw: RawClient) -> None:
    raw.initialize()
    raw.open("int main() { return 0; }\n", uri="file:///home/me/main.cpp", language="cpp")
    assert raw.published(1) == []


@pytest.mark.parametrize("seed", range(6))
def test_edited_equals_fresh(seed: int) -> None:
    """Findings after any edits equal those of the same text opened anew."""
    choose = random.Random(seed)
    pieces = [*'"%\n{}():,', "asm", "%%", "/*", "*/", "u32", "#if 0\n", "#endif\n", "mov.u32 %0, %1;", ".reg .b32 q;"]
    text = CUDA + CUDA.replace("%%p0", "%%q").replace("scaled", "other")
    document = _document(text)
    for _ in range(25):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 0, 0, 1, 3, 40]))
        new = choose.choice(pieces) if choose.random() < 0.7 else text[start : start + 30]
        document.change(TextChange(new, document.lines.position(start), document.lines.position(end)))
        while not document.work(1.0):  # on a busy machine the edit is applied in several slices
            pass
        text = text[:start] + new + text[end:]
        assert document.index.text == text
        while not document.follow(1.0):
            pass
        fresh = _document(text)
        assert document.findings == fresh.findings
        assert document.lines.position(len(text)) == fresh.lines.position(len(text))


def test_findings_of_an_edited_statement_stay_until_it_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    text = CUDA.replace("setp.ne", "setp.nee").replace("mul.lo.u32", "mul.lo.u3").replace("%%tid", "%%tidd")
    document = _document(text)
    assert codes_and_texts(document) == [("E302", ".nee"), ("E302", ".u3"), ("E201", "%%tidd")]
    monkeypatch.setattr(host_document, "_PER_EDIT", 0)
    monkeypatch.setattr(HostChecker, "judging", lambda *_args, **_more: iter([None] * 9))
    insert(document, "setp", "exit;\\n")
    assert codes_and_texts(document) == [("E302", ".nee"), ("E302", ".u3"), ("E201", "%%tidd")]
    insert(document, "3 %0", "1")
    assert codes_and_texts(document) == [("E302", ".nee"), ("E201", "%%tidd")]
    monkeypatch.undo()
    fresh = codes_and_texts(_document(document.index.text))
    assert fresh == [("E302", ".nee"), ("E302", ".u13"), ("E201", "%%tidd")]


def insert(document: HostDocument, place: str, text: str) -> None:
    """Insert a text before a place."""
    position = document.lines.position(document.index.text.index(place))
    document.change(TextChange(text, position, position))


def codes_and_texts(document: HostDocument) -> list[tuple[str, str]]:
    """The codes of the errors that are shown, and the text below each."""
    found = [one for one in document.diagnostics if one.severity is Severity.ERROR]
    return [(one.code, document.index.text[one.span.start : one.span.end]) for one in found]


def _document(text: str) -> HostDocument:
    document = HostDocument(URI, 1, Settings(), Encoding.UTF_16, HostText(text, "cuda-cpp"), lambda *_: ())
    while not document.work(1.0) or not document.follow(1.0):
        pass
    return document


@pytest.mark.parametrize(
    "text",
    ['asm("%9999999 %[ %', 'asm("mov %0, %1;" : "=r"(', "asm(", 'asm volatile("{{{{" : : "r"(1));', "asm\n" * 500],
)
def test_broken_statements_raise_nothing(text: str) -> None:
    document = _document("__device__ void f() { " + text)
    assert document.findings.startswith("[")
    document.change(TextChange("x", Position(0, 3), Position(0, 5)))
    assert document.findings.startswith("[")


def test_targets_of_patterns_and_of_the_build(raw: RawClient, tmp_path: Path) -> None:
    """``ptx-lsp.toml`` names targets by pattern, else ``compile_commands.json``; both are read again."""
    text = '__device__ void f() { asm volatile("wgmma.fence.sync.aligned;"); }\n'
    build, source = tmp_path / "compile_commands.json", tmp_path / "sm80.cu"
    build.write_text(json.dumps([{"file": str(source), "directory": str(tmp_path), "command": "nvcc -arch=sm_80"}]))
    raw.initialize(rootUri=tmp_path.as_uri())
    raw.open(text, uri=source.as_uri(), language="cuda-cpp")
    (found,) = raw.published(1)
    assert found["message"].endswith("; this is compiled for sm_80")
    build.write_text(build.read_text().replace("sm_80", "sm_90a"))
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": build.as_uri(), "type": 2}]})
    assert raw.published(1) == []
    settings = tmp_path / "ptx-lsp.toml"
    settings.write_text('[targets]\n"*80.cu" = ["sm_80"]\n')
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": settings.as_uri(), "type": 1}]})
    assert len(raw.published(1)) == 1


def test_every_use_of_an_undeclared_name_is_marked_at_its_place(raw: RawClient) -> None:
    raw.initialize()
    source = '__device__ void f() {\n  asm volatile("mov.b32 %q, 1;\\n"\n               "mov.b32 %q, 2;");\n}\n'
    raw.open("// a comment\n" + source, uri=URI, language="cuda-cpp")
    found = [one["range"]["start"] for one in raw.published(1) if one["code"] == "E201"]
    assert found == [{"line": 2, "character": 24}, {"line": 3, "character": 24}]


@pytest.mark.parametrize(
    ("statement", "targets", "title"),
    [
        ("wgmma.fence.sync.aligned;", "", "requires PTX 8.0, sm_90a"),
        ("wgmma.fence.sync.aligned;", "sm_80, sm_90a", "requires PTX 8.0, sm_90a; compiled for sm_80 too"),
        ("wgmma.fence.sync.aligned;", "sm_90a", None),
        ("cp.async.wait_all;", "", "requires PTX 7.0, sm_80"),
        ("cp.async.wait_all;", "sm_80, sm_90", None),
        ("bar.sync 0;", "", None),
        ("", "", None),
    ],
)
def test_a_lens_says_which_targets_take_a_statement(
    raw: RawClient, statement: str, targets: str, title: str | None
) -> None:
    comment = f"// ptx-lsp: target {targets}\n" if targets else ""
    raw.initialize(initializationOptions={"codeLenses": {"asmTargets": True}})
    raw.open(f'{comment}__global__ void k() {{\n  asm volatile("{statement}");\n}}\n', uri=URI, language="cuda-cpp")
    found = raw.ask("textDocument/codeLens", {"textDocument": {"uri": URI}})["result"]
    assert [one["command"]["title"] for one in found] == ([] if title is None else [title])
    assert all(one["range"]["start"]["line"] == 1 + bool(comment) for one in found)


def test_lenses_of_statements_are_off_by_default(raw: RawClient) -> None:
    raw.initialize()
    raw.open(CUDA, uri=URI, language="cuda-cpp")
    assert raw.ask("textDocument/codeLens", {"textDocument": {"uri": URI}})["result"] is None


def test_the_list_of_findings_is_made_in_slices() -> None:
    text = "__device__ void f(int a) {\n" + '  asm("ad.s32 %0, 1;" : "=r"(a));\n' * 200 + "}\n"
    documents = []
    for seconds in (0.0, 10.0):
        document = HostDocument(
            "file:///a.cu", 1, Settings(), Encoding.UTF_16, HostText(text, "cuda-cpp"), lambda *_: ()
        )
        while not document.work(10.0) or not document.follow(10.0):
            pass
        slices = 1
        while not document.list_findings(seconds):
            slices += 1
        documents.append((document.findings, slices > 1))
    (first, in_slices), (second, at_once) = documents
    assert first == second
    assert in_slices
    assert not at_once
