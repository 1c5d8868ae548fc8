"""What VS Code knows of PTX without a server: words, indentation, comments; and that the extension hands it over."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.snippets import snippets

VSCODE = Path(__file__).parent.parent.parent / "editors" / "vscode"
CONFIGURATION = json.loads((VSCODE / "language-configuration.json").read_text("utf-8"))
MANIFEST = json.loads((VSCODE / "package.json").read_text("utf-8"))
INCREASE = re.compile(CONFIGURATION["indentationRules"]["increaseIndentPattern"])
DECREASE = re.compile(CONFIGURATION["indentationRules"]["decreaseIndentPattern"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ld.global.nc.v4.f32 {%f1, _}, [x+4];", "ld .global .nc .v4 .f32 %f1 x 4"),
        ("cp.async.cg.shared::cta.global [%r1], [%rd2], 16;", "cp.async .cg .shared::cta .global %r1 %rd2 16"),
        ("cp.async.bulk.wait_group 0;", "cp.async.bulk.wait_group 0"),
        ("@!%p1 bra $L__BB0_1;", "%p1 bra $L__BB0_1"),
        ("mov.u32 %r1, %tid.x;", "mov .u32 %r1 %tid .x"),
        ("fma.rn.f32 %f1, 0f3F800000, 1.5, 0x1F;", "fma .rn .f32 %f1 0f3F800000 1.5 0x1F"),
        ("mma.sp::ordered_metadata.sync.sp::2:4", "mma.sp::ordered_metadata .sync .sp::2:4"),
        (".reg .b32 %r<10>;", ".reg .b32 %r 10"),
        ("ld.", "ld"),
        ("cp.asyncs", "cp .asyncs"),
    ],
)
def test_words(line, words):
    assert re.findall(CONFIGURATION["wordPattern"], line) == words.split()


def test_each_name_of_an_instruction_is_a_word():
    for name in catalogue().names:
        assert re.findall(CONFIGURATION["wordPattern"], f"  {name}.u32") == [name, ".u32"]


def test_a_double_click_takes_a_register_whole_and_a_qualifier_alone():
    separators = MANIFEST["contributes"]["configurationDefaults"]["[ptx]"]["editor.wordSeparators"]
    assert not set("%$_") & set(separators)
    assert set("`~!@#^&*()-=+[{]}\\|;:'\",.<>/?") == set(separators)


@pytest.mark.parametrize(
    ("line", "more", "less"),
    [
        (".visible .entry f(", True, False),
        (")", False, True),
        ("{", True, False),
        ("}", False, True),
        ("LOOP:", True, True),
        ("$L__BB0_1: // here", True, True),
        ("LOOP: bra LOOP;", False, False),
        ("mov.b64 {%r1, %r2}, %rd1;", False, False),
        (".global .b32 t[2] = {", True, False),
        ("ret; // {", False, False),
        ("// LOOP:", False, False),
    ],
)
def test_indentation(line, more, less):
    """A label stands a step to the left, and what follows it a step to the right."""
    assert (bool(INCREASE.search(line)), bool(DECREASE.search(line))) == (more, less)


def test_a_comment_that_is_broken_in_two_goes_on():
    rules = CONFIGURATION["onEnterRules"]

    def appended(before: str, after: str) -> list[str]:
        return [
            rule["action"]["appendText"]
            for rule in rules
            if re.search(rule["beforeText"], before) and re.search(rule.get("afterText", ""), after)
        ][:1]

    assert appended("ret; // one", " two") == ["//"]
    assert appended("// one ", "two") == ["// "]
    assert appended("// one", "") == []
    assert appended("ret;", "add;") == []
    assert appended("/** one", "") == [" * "]
    assert appended("/** one */", "") == []


def test_the_extension_contributes_what_is_there():
    contributes = MANIFEST["contributes"]
    (language,) = contributes["languages"]
    paths = [language["configuration"], *(one["path"] for key in ("grammars", "snippets") for one in contributes[key])]
    made = [*VSCODE.glob("syntaxes/*"), *VSCODE.glob("snippets/*"), VSCODE / "language-configuration.json"]
    assert {VSCODE / path for path in paths} == set(made)
    for grammar in contributes["grammars"]:
        assert json.loads((VSCODE / grammar["path"]).read_text("utf-8"))["scopeName"] == grammar["scopeName"]


def test_snippets_are_not_offered_twice():
    """Completion has them from the server, which knows where they are legal; VS Code lists those with a prefix too."""
    found = json.loads((VSCODE / "snippets" / "ptx.json").read_text("utf-8"))
    assert found.keys() == snippets().keys()
    for name, one in found.items():
        assert "prefix" not in one
        assert "\n".join(one["body"]) == snippets()[name].body


@pytest.mark.parametrize("fence", ["```ptx", "~~~ptx", "   ```PTX", "```ptx title=x", "```ptx{1,3}"])
def test_fences_of_markdown(fence):
    raw = json.loads((VSCODE / "syntaxes" / "ptx-in-markdown.tmLanguage.json").read_text("utf-8"))
    (rule,) = raw["patterns"]
    begins = re.compile(rule["begin"].replace(r"(^|\G)", "(^)"))
    assert begins.search(fence)
    assert not begins.search(fence.lower().replace("ptx", "ptxas"))
    assert not begins.search(fence.lower().replace("ptx", "c"))
