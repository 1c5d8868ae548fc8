"""Formatting of what was just typed, right before the cursor ``<|>``."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.features.formatting import Options, format_on_type
from ptx_lsp.preferences import Format
from ptx_lsp.syntax.document import Document

KERNEL = ".entry k()\n{\n"


def check_typed(character: str, before: str, after: str, **options: object) -> None:
    offset = before.index("<|>")
    text = found = before.replace("<|>", "")
    table = Format(**options)  # type: ignore[arg-type]
    for edit in reversed(format_on_type(Document(text), offset, character, Options.of(table))):
        found = found[: edit.span.start] + edit.text + found[edit.span.end :]
    assert found == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add.s32   a,b;<|>", "add.s32 a, b;"),
        (KERNEL + "add.s32   a,b;<|>\n}", KERNEL + "    add.s32 a, b;\n}"),
        (KERNEL + "  ret ;\nadd.s32   a,b;<|>\nret ;\n}", KERNEL + "  ret ;\n    add.s32 a, b;\nret ;\n}"),
        ("ld.global.u32 a, b;\nadd.s32 a,b;<|>", "ld.global.u32 a, b;\nadd.s32       a, b;"),
        ("ret;  add.s32   a,b;<|>", "ret;  add.s32 a, b;"),
        ("add.s32   a,b;<|>  ret ;", "add.s32 a, b;  ret ;"),
        ("add.s32   a, ??b;<|>", "add.s32   a, ??b;"),
        ("// add.s32   a,b;<|>", "// add.s32   a,b;"),
        ("/* a,b;<|> */ ret  ;", "/* a,b; */ ret  ;"),
        ('.pragma  "a;<|>";', '.pragma  "a;";'),
        (".reg.b32   %r< 4 >;<|>", ".reg .b32 %r<4>;"),
        ("add.s32 a,\n      b;<|>", "add.s32 a,\n    b;"),
        ("@ %p1   bra   L;<|>", "@%p1 bra L;"),
        (".global .b8 x[2]={1,2};<|>", ".global .b8 x[2] = {1, 2};"),
        ("mov.b64 {a,b},c;<|> // words", "mov.b64 {a, b}, c; // words"),
        ("   ret;<|>", "ret;"),
        (";<|>", ";"),
    ],
)
def test_a_semicolon(before: str, after: str) -> None:
    check_typed(";", before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (KERNEL + "    ret ;\n    }<|>", KERNEL + "    ret ;\n}"),
        (KERNEL + "    {\n        ret;\n        }<|>\n}", KERNEL + "    {\n        ret;\n    }\n}"),
        (KERNEL + "    ret; }<|>", KERNEL + "    ret; }"),
        ("mov.b64 {a,b}<|>", "mov.b64 {a,b}"),
        ("   }<|>", "}"),
        ("// }<|>", "// }"),
    ],
)
def test_a_brace(before: str, after: str) -> None:
    check_typed("}", before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (KERNEL + "<|>", KERNEL + "    "),
        (KERNEL + "<|>\n}", KERNEL + "    \n}"),
        (KERNEL + "    ret;\n<|>\n}", KERNEL + "    ret;\n    \n}"),
        (KERNEL + "    {\n    <|>\n    }\n}", KERNEL + "    {\n        \n    }\n}"),
        (KERNEL + "    ret;\n}\n    <|>", KERNEL + "    ret;\n}\n"),
        (KERNEL + "add.s32 a,\n<|>", KERNEL + "add.s32 a,\n        "),
        (KERNEL + "    add.s32 a,\n    <|>b;\n}", KERNEL + "    add.s32 a,\n        b;\n}"),
        (KERNEL + "    ret;\n<|>ret;\n}", KERNEL + "    ret;\n    ret;\n}"),
        (KERNEL + "L:\n<|>\n}", KERNEL + "L:\n    \n}"),
        (KERNEL + "    ret;\n    <|>}\n", KERNEL + "    ret;\n}\n"),
        (".entry k(\n<|>", ".entry k(\n    "),
        (".entry k(\n    .param .u64 a,\n<|>\n)\n{\n}", ".entry k(\n    .param .u64 a,\n    \n)\n{\n}"),
        ("ret;\n  <|>", "ret;\n"),
        ("<|>", ""),
        (KERNEL + "    // words\n<|>\n    ret;\n}", KERNEL + "    // words\n    \n    ret;\n}"),
        ("/* a\n<|>   b */ ret;", "/* a\n   b */ ret;"),
    ],
)
def test_a_new_line(before: str, after: str) -> None:
    check_typed("\n", before, after)


def test_in_the_layout_of_nvcc() -> None:
    check_typed(";", KERNEL + "add.s32 a,b;<|>\n}", KERNEL + "\tadd.s32 \ta, b;\n}", style="nvcc")
    check_typed("\n", KERNEL + "<|>\n}", KERNEL + "\t\n}", style="nvcc")


@pytest.mark.parametrize("character", [";", "}", "\n"])
def test_no_text_is_too_broken(character: str) -> None:
    for path in sorted((Path(__file__).parents[2] / "diagnostics").glob("*.ptx"))[::4]:
        document = Document(path.read_text("utf-8"))
        for offset in range(0, document.length, 7 * 13):
            for edit in format_on_type(document, offset, character, Options.of()):
                assert not document.slice(edit.span).strip()


def test_other_characters_do_nothing() -> None:
    assert format_on_type(Document("ret ,"), 5, ",", Options.of()) == []
