"""Findings do not depend on where chunks end: an edit makes chunks end elsewhere."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import annotated
import pytest

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.syntax import chunk

TESTS = Path(__file__).parent.parent
FILES = [*sorted((TESTS / "diagnostics").glob("*.ptx")), *sorted((TESTS / "pairs").rglob("*.ptx"))]
SIZES = 1, 2, 3, 5
KERNEL = """.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 out)
{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
"""


def findings(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> list[Diagnostic]:
    """Those of a text in chunks of about so many statements."""
    monkeypatch.setattr(chunk, "CHUNK_SIZE", size)
    return check_text(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, part in enumerate(path.read_text().split("//- ")[1:]):
        text = annotated.read("//- " + part).text
        size = SIZES[crc32(f"{path.name} {number}".encode()) % len(SIZES)]
        assert findings(text, size, monkeypatch) == findings(text, 256, monkeypatch), (number, size)


def check_all_sizes(body: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail unless a body has findings of a rule, and the same ones in chunks of all sizes."""
    text = KERNEL + body + "ret;\n}\n"
    whole = findings(text, 256, monkeypatch)
    assert code in {one.code for one in whole}
    for size in range(1, 12):
        assert findings(text, size, monkeypatch) == whole, size


def test_unreachable_code_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "bra END;\n" + "add.u32 %r1, %r1, 1;\n" * 9 + "END:\n"
    check_all_sizes(body, "W624", monkeypatch)


def test_unused_results_before_a_guarded_one(monkeypatch: pytest.MonkeyPatch) -> None:
    write = "mov.u32 %r1, %tid.x;\n"
    body = "setp.eq.u32 %p1, %r2, 0;\n" + write + "@%p1 " + write + write + "st.global.u32 [%rd1], %r1;\n"
    check_all_sizes(body, "W622", monkeypatch)


def test_an_unused_result_that_unreachable_code_overwrites(monkeypatch: pytest.MonkeyPatch) -> None:
    overwritten = "mov.u32 %r3, %tid.x;\n"
    body = overwritten + "{ AGAIN: bra AGAIN; }\n" + overwritten + "st.global.u32 [%rd1], %r3;\n"
    check_all_sizes(body, "W622", monkeypatch)


def test_an_unused_result_before_another_guarded_one(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "@%p1 add.u32 %r2, %r1, 1;\n@%p1 mov.b32 %r2, %r1;\n"
    check_all_sizes(body, "W622", monkeypatch)
    messages = {one.message for one in findings(KERNEL + body + "ret;\n}\n", 256, monkeypatch)}
    assert "'%r2' is not read after this" in messages


@pytest.mark.parametrize("end", ["\n", " // why\n", " ret;\n", "/* why */\n", "\r\n"])
def test_a_removal_of_a_repeated_declaration(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_all_sizes(f".reg .b32 twice;\n  .reg .b32 twice;{end}", "E202", monkeypatch)


def test_a_removal_after_a_line_end_that_two_statements_share(monkeypatch: pytest.MonkeyPatch) -> None:
    check_all_sizes("}\n.func(.reg.b l)e(.reg.b e)\r\n.global.u t[]={};\n}.visible .entry e\n", "W623", monkeypatch)


def test_braces_after_one_that_an_open_comment_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    check_all_sizes("{{/*\n}{}{}\n", "E104", monkeypatch)


def test_lines_of_debug_sections_around_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    check_all_sizes("{.b8 1\n{}.b8 1\n}.b8 2\n", "E106", monkeypatch)


def test_a_removal_of_unreachable_code_has_all_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    text = KERNEL + "bra END;\n" + "add.u32 %r1, %r1, 1;\n" * 9 + "END:\nret;\n}\n"
    monkeypatch.setattr(chunk, "CHUNK_SIZE", 2)
    found = next(one for one in check_text(text) if one.code == "W624")
    for edit in sorted(found.fixes[0].edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert text.endswith("bra END;\nEND:\nret;\n}\n")
