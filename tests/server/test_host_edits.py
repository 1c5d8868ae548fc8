"""Edits outside of inline assembly: the findings move with their lines, and are not made again."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ptx_lsp import checks
from ptx_lsp.checks.embedded import known_verdicts, verdicts
from ptx_lsp.checks.embedded.host_checker import HostText
from ptx_lsp.embedded import declared
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.text_changes import changes_in
from ptx_lsp.server.embedded import host_document
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.document import Document

CUDA = """\
// The first function.
__device__ void first(unsigned a) {
  int before;
  asm volatile("mov.b32 %%q, 1;\\n"
               "mov.b32 %%q, 2;" :: "r"(a)); int beside;
  int after;
}

// The second function.
__device__ void second() { int inside; asm("bogus;"); }
"""


def opened(text: str) -> HostDocument:
    """A document of CUDA C++ whose statements are judged."""
    uri = "file:///home/me/kernel.cu"
    document = HostDocument(uri, 1, Settings(), Encoding.UTF_16, HostText(text, "cuda-cpp"), lambda *_: ())
    while not document.work(1.0) or not document.follow(1.0):
        pass
    return document


def replace(document: HostDocument, start: int, end: int, text: str) -> None:
    """Replace a part of the text, as an editor says it."""
    document.change(TextChange(text, document.lines.position(start), document.lines.position(end)))
    while not document.work(1.0):  # on a busy machine the edit is applied in several slices
        pass


def check_edit(place: str, text: str, monkeypatch: pytest.MonkeyPatch, *, is_made_again: bool) -> None:
    """Insert a text before a place: findings equal those of the text opened anew, and are made again or not."""
    document = opened(CUDA)
    assert "E201" in document.findings
    made: list[object] = []
    make = host_document.making_template
    monkeypatch.setattr(host_document, "making_template", lambda *of: made.append(of) or make(*of))
    at = CUDA.index(place)
    replace(document, at, at, text)
    found = document.findings
    assert bool(made) == is_made_again
    monkeypatch.undo()
    assert found == opened(CUDA[:at] + text + CUDA[at:]).findings


@pytest.mark.parametrize("place", ["before", "after", "first", "second function"])
@pytest.mark.parametrize("text", ["x", "x;\n", "\n\n", "\r", "if (a) { }"])
def test_findings_on_other_lines_are_kept(place: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_edit(place, text, monkeypatch, is_made_again=False)


@pytest.mark.parametrize("place", ["beside", "inside"])
def test_findings_on_the_edited_line_are_made_again(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_edit(place, "x", monkeypatch, is_made_again=True)


@pytest.mark.parametrize("text", ["// ptx-lsp: target sm_90\n", "// ptx-lsp: ignore\n", "/*", "#if 0\n"])
def test_edits_that_decide_about_statements_elsewhere(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_edit("// The second", text, monkeypatch, is_made_again=True)


@pytest.mark.parametrize("seed", range(4))
def test_many_edits_elsewhere(seed: int) -> None:
    """After each edit, without time to judge anything again, the findings equal those of the text opened anew."""
    choose = random.Random(seed)
    text = CUDA * 3
    document = opened(text)
    for _ in range(40):
        before = document.findings
        free = [at for at in range(len(text) + 1) if document.index.site_at(at) is None]
        start = choose.choice(free)
        following = [site.start for site in document.index.sites if site.start > start]
        end = min([start + choose.choice([0, 0, 1, 3]), *following])
        new = choose.choice(["x", "\n", "\r", "\r\n", "é😀", "; ", "// ", "// ptx-lsp: ignore[E201]\n", "int i;\n"])
        replace(document, start, end, new)
        text = text[:start] + new + text[end:]
        if document.is_complete:
            assert document.findings == opened(text).findings, before
        while not document.follow(1.0):
            pass
        assert document.findings == opened(text).findings


def test_checks_of_mistakes_are_imported_before_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []
    monkeypatch.setattr(checks, "_check", imported.append)
    document = opened('__device__ void f() { asm("exit;"); }\n')
    assert document.is_complete
    assert {rule for rule, when in checks.RULES.items() if when is checks.When.FLAGGED} <= set(imported)


def notification(**change: object) -> dict[str, Any]:
    """``textDocument/didChange`` with one change."""
    document = {"uri": "file:///a.cu", "version": 2}
    return {"method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": [change]}}


def test_changes_are_read_from_the_message() -> None:
    places = {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 3}}
    found = changes_in(notification(range=places, rangeLength=1, text="x"))
    assert found == ("file:///a.cu", 2, [TextChange("x", Position(1, 2), Position(1, 3))])
    whole = changes_in(notification(text="x"))
    assert whole is not None
    assert whole.changes == [TextChange("x")]


@pytest.mark.parametrize(
    "change",
    [
        {"text": None},
        {"text": "x", "range": None},
        {"text": "x", "range": {"start": {"line": 1, "character": 2}}},
        {"text": "x", "range": {"start": {"line": -1, "character": 2}, "end": {"line": 1, "character": 3}}},
        {"text": "x", "range": {"start": {"line": True, "character": 2}, "end": {"line": 1, "character": 3}}},
    ],
)
def test_unusual_changes_are_left_to_the_protocol(change: dict[str, Any]) -> None:
    assert changes_in(notification(**change)) is None


def test_changes_wait_while_one_is_applied_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '#define A "mov.b32 %%q, 1;"\n' + 'void f() { asm(A "bogus;"); }\n' * 4000
    document = opened(text)
    monkeypatch.setattr(host_document, "_EDITING_SECONDS", 0.0)
    at = text.index("%%q")
    places = [document.lines.position(at + place) for place in (0, 3)]
    document.change(TextChange("%%r", *places))
    document.change(TextChange("%%rr", *places))
    assert not document.is_ready
    steps = 0
    while not document.work(0.0):
        steps += 1
    assert steps > 2
    while not document.follow(1.0):
        pass
    assert document.index.text == text.replace("%%q", "%%rr")
    assert document.findings == opened(document.index.text).findings


def test_statements_that_depend_on_others_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f'  asm(".reg .b32 t{n}; mov.b32 t{n}, %0; nop{n};" :: "r"(a));\n' for n in range(40))
    text = f"__device__ void f(int a) {{\n{lines}}}\n"
    document = opened(text)
    expected = document.findings
    made: list[str] = []
    make = Document

    def counted(statements: str) -> Document:
        made.append(statements)
        return make(statements)

    for module in (verdicts, declared):
        monkeypatch.setattr(module, "Document", counted)
    known_verdicts.VERDICTS.clear()
    replace(document, len(text) - 3, len(text) - 3, " ")
    while not document.work(1.0) or not document.follow(1.0):
        pass
    assert document.findings == expected
    assert not made


@pytest.mark.parametrize(
    "statements",
    [
        'asm("{ .reg .b32 a; mov.b32 a, 1; redux.sync.add.s32 a, a, -1; }");\n',
        "".join(f'asm("redux.sync.add.s32 %0, %0, {number};" : "+r"(a));\n' for number in range(1, 6)),
    ],
    ids=["a template alone", "alike but for digits"],
)
def test_what_is_right_for_one_target_is_judged_again_for_another(statements: str) -> None:
    text = f"__device__ void f(int a) {{\n{statements}}}\n"
    document = opened(text)
    assert "E502" not in document.findings
    target = "// ptx-lsp: target sm_70\n"
    replace(document, 0, 0, target)
    while not (document.work(1) and document.follow(1)):
        pass
    assert document.findings == opened(target + text).findings
    assert "E502" in document.findings
