"""Directives by place: where statements begin, in declarations, heads, the header, strings."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Severity
from ptx_lsp.features.completion import completion
from ptx_lsp.isa.catalogue import catalogue

from .completions import accepted, check_exactly, check_has, check_lacks, check_order, items, lacking
from .cursor import opened

M = "//- module sm_90 ptx 8.0\n"


def test_in_a_body():
    check_has("<|>", ".reg", ".shared", ".loc", ".pragma")
    check_lacks("<|>", ".entry", ".target", ".visible", ".file", ".align", ".maxntid")


def test_in_a_module():
    check_has(f"{M}<|>", ".entry", ".func", ".visible", ".global", ".section", ".file", ".alias")
    check_lacks(f"{M}<|>", ".reg", ".local", ".loc", ".branchtargets", ".maxntid", ".version")


def test_only_what_begins_with_a_dot_behind_a_dot():
    assert all(item.label.startswith(".") for item in items(".<|>"))
    assert accepted("ret;\n.re<|>", ".reg") == "ret;\n.reg"
    assert accepted(f"{M}.vis<|>ble .entry k() {{ ret; }}", ".visible") == ".visible .entry k() { ret; }"


def test_the_header_comes_first_and_once():
    check_order("//- module\n<|>", ".version", ".target", ".entry")
    check_lacks("//- module\n.version 8.0\n<|>", ".version")
    check_has("//- module\n.version 8.0\n<|>", ".target")
    check_lacks(f"{M}.global .u32 x;\n<|>", ".address_size")


def test_versions_with_their_toolkits():
    assert accepted("//- module\n.version <|>", "8.6") == ".version 8.6"
    assert accepted("//- module\n.version 8.<|>", "8.6") == ".version 8.6"
    assert accepted("//- module\n.version 8<|>.1\n.target sm_90", "8.6") == ".version 8.6\n.target sm_90"
    details = {item.label: item.detail for item in items("//- module\n.version <|>")}
    assert details["8.0"] == "CUDA 12.0"


def test_targets_with_what_they_are():
    found = {item.label: item for item in items("//- module\n.version 8.0\n.target <|>")}
    assert found["sm_90"].detail == "Hopper"
    assert found["sm_100"].needs == "PTX 8.6"
    assert not found["sm_90a"].needs
    assert accepted("//- module\n.version 8.0\n.target sm_<|>", "sm_80") == ".version 8.0\n.target sm_80"


def test_options_of_targets():
    check_exactly("//- module\n.version 8.0\n.target sm_90, <|>", "debug", "texmode_independent", "texmode_unified")
    check_has("//- module\n.version 3.0\n.target sm_12, <|>", "map_f64_to_f32")


def test_sizes_of_addresses():
    check_exactly("//- module\n.version 8.0\n.target sm_90\n.address_size <|>", "32", "64")


def test_types_of_registers():
    check_order(".reg .<|>", ".b32", ".f32", ".pred", ".u8")
    check_lacks(".reg .<|>", ".texref", ".bf16", ".e4m3", ".align")
    check_has(".reg <|>", ".b32", ".v2")
    check_lacks(".reg .v2 .<|>", ".pred", ".b128", ".v2")
    check_lacks(".reg .v4 .<|>", ".b64")


def test_types_of_variables():
    check_has(f"{M}.global .<|>", ".align", ".v4", ".attribute", ".texref", ".b8")
    check_lacks(f"{M}.global .<|>", ".pred", ".samplerref")
    check_lacks(f"{M}.shared .<|>", ".texref", ".attribute")
    check_lacks(f"{M}.global .v4 .<|>", ".texref", ".b64", ".align")
    assert lacking(f"{M}.global .<|>")[".b128"] == "PTX 8.3"


def test_alignment_and_attributes():
    check_has(f"{M}.global .align <|>", "4", "16", "128")
    check_has(f"{M}.global .align 16 .<|>", ".b8", ".v4")
    check_exactly(f"{M}.global .attribute(.<|>", ".managed", ".unified")


def test_linkage_goes_before_functions_and_variables():
    check_has(f"{M}.visible .<|>", ".entry", ".func", ".global", ".shared", ".const")
    check_lacks(f"{M}.visible .<|>", ".reg", ".local", ".visible", ".b32")
    check_exactly(f"{M}.common .<|>", ".global", ".align", ".attribute")


def test_parameters():
    check_exactly(f"{M}.visible .entry k(<|>)", ".param", ".align")
    check_has(f"{M}.func f(<|>)", ".param", ".reg")
    check_has(f"{M}.visible .entry k(\n    .param .<|>u64 p\n)", ".u64", ".align", ".texref")
    check_lacks(f"{M}.visible .entry k(\n    .param .<|>\n)", ".v2", ".pred", ".ptr")
    check_exactly(f"{M}.visible .entry k(.param .u64 .<|> p)", ".ptr", ".align")
    check_exactly(f"{M}.visible .entry k(.param .u64 .ptr .<|> p)", ".global", ".shared", ".const", ".local", ".align")
    check_has(f"{M}.visible .entry k(.param .u64 a,\n<|>\n)", ".param")


def test_between_a_head_and_its_body():
    check_has(f"{M}.entry k()\n<|>\n{{ ret; }}", ".maxntid", ".reqntid", ".maxnreg", ".pragma")
    check_has(f"{M}.entry k()\n.max<|>\n{{ ret; }}", ".maxntid")
    check_has(f"{M}.entry k()\n.maxntid 128\n.<|>\n{{ ret; }}", ".minnctapersm", ".maxnreg")
    check_lacks(f"{M}.entry k()\n.maxntid 128\n.<|>\n{{ ret; }}", ".reqntid", ".maxntid", ".noreturn")
    check_exactly(f"{M}.func f() .<|>", ".noreturn")
    assert lacking(f"{M}.func f() .<|>")[".abi_preserve"] == "PTX 9.0"
    check_lacks(f"{M}.func (.reg .b32 r) f() .<|>", ".noreturn")


def test_limits_that_do_nothing_alone_come_behind_the_others():
    check_order(f"{M}.entry k() .<|>", ".maxntid", ".minnctapersm")
    check_order(f"{M}.entry k() .maxntid 3 .<|>", ".maxnreg", ".minnctapersm", ".explicitcluster")


def test_strings_of_pragmas():
    assert accepted('.pragma "no<|>', "nounroll") == '.pragma "nounroll"'
    assert accepted('.pragma "no<|>";', "nounroll") == '.pragma "nounroll";'
    assert accepted('.pragma "<|>used";', "nounroll") == '.pragma "nounroll";'
    assert accepted(".pragma <|>", "nounroll") == '.pragma "nounroll"'
    found = {item.label: item for item in items('//- sm_90 ptx 9.3\n.pragma "<|>"')}
    assert found["frequency n"].snippet == "frequency ${1:n}"
    assert "mma_throughput" in found


def test_pragmas_by_place():
    check_exactly(f'{M}.pragma "<|>"', "nounroll")
    check_lacks('//- module sm_90 ptx 9.3\n.func f() {\n.pragma "<|>";\n}', "mma_throughput")


def test_languages():
    check_has("//- module sm_90 ptx 9.3\n.entry k() .language <|>", "cuda c++")
    assert accepted('//- module sm_90 ptx 9.3\n.entry k() .language "<|>"', "ptx").endswith('.language "ptx"')


def test_debug_sections():
    check_exactly(f"{M}.section .debug_str\n{{\n.b8 1\n<|>\n}}", ".b8", ".b16", ".b32", ".b64")
    check_exactly(f"{M}.section .debug_str\n{{\n<|>\n}}", ".b8", ".b16", ".b32", ".b64")


def test_source_locations():
    check_exactly(".loc 1 2 3, <|>", "function_name")
    check_exactly(".loc 1 2 3, function_name f, <|>", "inlined_at")
    assert accepted(".loc 1 2 3, func<|>", "function_name") == ".loc 1 2 3, function_name"


def test_names_in_lists():
    check_exactly(f"{M}.func f() {{ ret; }}\n.alias g, <|>", "f")
    check_has("here: ret;\ntable: .branchtargets <|>", "here")
    check_has("table: .<|>", ".branchtargets", ".callprototype")


def test_new_names_are_left_to_the_writer():
    assert items(".reg .b32 <|>") == []
    assert items(f"{M}.entry na<|>") == []
    assert items(f"{M}.global .u32 x<|>") == []


TYPES = [
    ".reg .<|> one;",
    ".reg .v2 .<|> one;",
    ".reg .v4 .<|> one;",
    ".shared .<|> one;",
    ".local .v2 .<|> one;",
    ".param .<|> one;",
    ".const .<|> one;",
    ".global .v4 .<|> one;",
    "//- module sm_90a ptx 8.6\n.global .<|> one;",
    "//- module sm_90a ptx 8.6\n.shared .v2 .<|> one;",
    "//- module sm_90a ptx 8.6\n.const .<|> one;",
    "//- module sm_90a ptx 8.6\n.entry other(.param .<|> one) { ret; }",
    "//- module sm_90a ptx 8.6\n.func other(.param .<|> one) { ret; }",
    "//- module sm_90a ptx 8.6\n.func other(.reg .<|> one) { ret; }",
]


@pytest.mark.parametrize("source", TYPES)
def test_the_types_that_are_offered_are_those_that_the_checks_let_pass(source: str) -> None:
    tolerated = {word.name for word in catalogue().vocabulary.types.values() if word.declared is None}
    right = {word for word in catalogue().vocabulary.types if is_right(source.replace(".<|>", f"{word}<|>"))}
    checker, offset, _ = opened(source)
    found = {
        item.label
        for item in completion(checker.semantics, offset)
        if not item.needs and item.label in catalogue().vocabulary.types
    }
    assert found == right - tolerated


SPACES = [
    "<|> .b32 one;",
    "//- module sm_90a ptx 8.6\n<|> .b32 one;",
    "//- module sm_90a ptx 8.6\n.visible <|> .b32 one;",
    "//- module sm_90a ptx 8.6\n.common <|> .b32 one;",
    "//- module sm_90a ptx 8.6\n.entry k(<|> .b32 one) { ret; }",
    "//- module sm_90a ptx 8.6\n.func k(<|> .b32 one) { ret; }",
    "//- module sm_90a ptx 8.6\n.entry k(.param .u64 .ptr <|> .align 4 one) { ret; }",
]


@pytest.mark.parametrize("source", SPACES)
def test_the_spaces_that_are_offered_are_those_that_the_checks_let_pass(source: str) -> None:
    spaces = [word for word in catalogue().vocabulary.spaces if "::" not in word]
    right = {word for word in spaces if is_right(source.replace("<|>", f"{word}<|>"))}
    checker, offset, _ = opened(source)
    assert {item.label for item in completion(checker.semantics, offset) if item.label in spaces} == right


HEADS = ["entry other()", "entry other() .maxntid 64", "entry other() .reqntid 64 .reqnctapercluster 2", "func other()"]


@pytest.mark.parametrize("head", HEADS)
def test_the_directives_of_heads_that_are_offered_are_those_that_the_checks_let_pass(head: str) -> None:
    tuning = catalogue().vocabulary.tuning
    right = set()
    for name, word in tuning.items():
        values = ' "nounroll";' if name == ".pragma" else ' "ptx"' if name == ".language" else " 2" * bool(word.values)
        fine = is_right(f"//- module sm_90a ptx 9.4\n.{head} {name}{values} <|>{{ ret; }}")
        if fine and (name == ".pragma" or name not in head):
            right.add(name)
    source = f"//- module sm_90a ptx 9.4\n.{head} .<|> {{ ret; }}"
    checker, offset, _ = opened(source)
    found = {item.label for item in completion(checker.semantics, offset) if not item.needs}
    missing = {name for name in found - right if set(tuning[name].requires)}
    assert found - missing == right


def is_right(source: str) -> bool:
    """Whether the checks find no error in the text without its cursor."""
    checker, _, _ = opened(source)
    return not errors(checker)


def errors(checker: Checker) -> list[str]:
    return [one.message for one in checker.diagnostics() if one.severity is Severity.ERROR]
