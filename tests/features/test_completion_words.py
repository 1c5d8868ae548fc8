"""What is documented of an item when it is looked at."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.features.completion import completion
from ptx_lsp.features.completion.documentation import Documentation, documentation
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

from .cursor import opened


def shown(*key: str, target: str = "sm_90a", version: str = "8.6") -> Documentation:
    found = documentation(key, Version.parse(version), Target.parse(target))
    assert found is not None
    return found


def test_an_instruction_with_its_forms_what_it_does_and_where_it_exists():
    found = shown("instruction", "mbarrier.try_wait")
    assert found.code[0].startswith("mbarrier.try_wait{")
    assert found.words[1] == "✓ PTX 7.8, sm_90 or newer"


def test_an_instruction_that_the_module_lacks():
    found = shown("instruction", "tcgen05.mma")
    assert found.words[-1] == "✗ requires sm_100a; this module: PTX 8.6, sm_90a"
    assert found.code[-1].startswith("// and ")


def test_the_beginning_of_names():
    assert shown("instruction", "wgmma").words[0].startswith("beginning of `wgmma.commit_group`")


def test_a_qualifier_by_its_page():
    found = shown("qualifier", ".relaxed", "ld")
    assert found.words[0] == "`.relaxed`, sem of `ld`"
    assert "flags" in found.words[1]
    assert shown("qualifier", ".nc", "ld.global").words[1].startswith("can use a read-only cache, not coherent")


def test_a_qualifier_that_is_a_part_of_a_name():
    assert shown("qualifier", ".async", "cp").code[0].startswith("cp.async")


def test_a_qualifier_that_the_module_lacks():
    assert shown("qualifier", ".f32x2", "add").words[-1] == "✗ requires sm_100 or newer; this module: PTX 8.6, sm_90a"


def test_directives_types_registers():
    assert shown("directive", ".reg").code == (".reg {vector} type name{<n>}{, ...};",)
    assert shown("word", ".f16x2").words[0] == "Two `.f16`"
    assert "`.v4 .u32`" in shown("word", "%tid").words


def test_targets_and_versions_with_what_they_bring():
    assert "`wgmma.commit_group`" in shown("word", "sm_90a").words[-1]
    assert "`cp.async.bulk`" in shown("word", "8.0").words[-1]


def test_pragmas_languages_snippets():
    assert shown("pragma", "frequency").code == ('.pragma "frequency n";',)
    assert shown("language", "ptx").words
    assert shown("snippet", "loop").code[0] == "{"


def test_nothing_of_what_is_no_key():
    for key in ((), ("x",), ("instruction", "nothing"), ("qualifier", ".a", "b"), ("snippet", "none"), ("word", "")):
        assert documentation(key, Version(8, 0), Target(90)) is None


CURSORS = [
    "<|>",
    ".reg .<|>",
    ".pragma <|>",
    "//- module\n.version 8.0\n.target <|>",
    "//- module\n.version <|>",
    "//- module sm_80 ptx 7.0\n<|>",
    "//- module sm_90 ptx 9.4\n.entry k() .<|>",
    *(f"//- sm_90 ptx 8.0\n{name}.<|>" for name in ("ld", "cp.async.bulk", "mma.sync", "tcgen05.mma", "cvt", "fence")),
]


@pytest.mark.parametrize("source", CURSORS)
def test_every_item_reads_well_as_it_is(source: str) -> None:
    checker, offset, _ = opened(source)
    module = checker.module
    for item in completion(checker.semantics, offset):
        if item.key:
            found = documentation(item.key, module.version, module.target)
            if found is None:
                assert item.key[0] == "word" or not catalogue().candidates((item.label,)), item
                continue
            check_readable(found)


@pytest.mark.parametrize("name", catalogue().names)
def test_every_instruction_reads_well(name: str) -> None:
    check_readable(shown("instruction", name))


def check_readable(found: Documentation) -> None:
    assert found.words
    assert len(found.code) <= 40
    for line in found.code:
        assert len(line) <= 80, line
    markdown, plain = found.markdown, found.plain
    assert "http" not in markdown
    assert not re.search(r"^\|", markdown, re.MULTILINE), "no tables"
    assert not re.search(r"^#", markdown, re.MULTILINE), "no headings"
    assert markdown.count("`") % 2 == 0
    assert "`" not in plain
    assert "<" not in re.sub(r"```.*?```|`[^`]*`", "", markdown, flags=re.DOTALL)
