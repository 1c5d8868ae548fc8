"""Workspace symbols: what a query finds among functions and variables, and in which order."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.module.interface import Interface, interface
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.workspace_symbols import SymbolIndex, SymbolMatch
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span

SCALE = """
.visible .func scale() { ret; }
.visible .entry scale_rows() { .reg .b32 %scale; L_scale: ret; }
.global .b32 scale_factor;
"""
OTHER = """
.extern .func scale();
.func rescale() { ret; }
.func s_c_a_l_e() { ret; }
.const .b32 SCALE_TABLE[4];
"""


def module(text: str) -> Interface[Span]:
    return interface(Module(Document(text)), lambda span: span)


FILES = {"a": module(SCALE), "b": module(OTHER)}


def workspace_symbols(files: dict[str, Interface[Span]], query: str, most: int = 1000) -> list[SymbolMatch[Span]]:
    index: SymbolIndex[Span] = SymbolIndex()
    index.update(files)
    return index.find(query, most)


def check_found(query: str, *expected: str) -> None:
    assert [f"{one.file} {one.entry.name}" for one in workspace_symbols(FILES, query)] == list(expected)


def test_the_name_itself_comes_first_then_beginnings_then_parts_then_letters() -> None:
    check_found(
        "scale",
        "a scale",
        "b scale",
        "a scale_rows",
        "b SCALE_TABLE",
        "a scale_factor",
        "b rescale",
        "b s_c_a_l_e",
    )


def test_functions_come_before_variables() -> None:
    check_found("scale_", "a scale_rows", "b SCALE_TABLE", "a scale_factor")


@pytest.mark.parametrize("query", ["SCALETABLE", "scltb", "s table", "sTABle", " S c a T A b "])
def test_letters_in_their_order_whatever_the_case(query: str) -> None:
    check_found(query, "b SCALE_TABLE")


@pytest.mark.parametrize("query", ["elacs", "scalex", "scale.*", "%scale", "L_scale", "[", "\\", "é", "\0"])
def test_what_no_name_has(query: str) -> None:
    check_found(query)


def test_an_empty_query_finds_everything_functions_first() -> None:
    check_found(
        "",
        "a scale",
        "b rescale",
        "b s_c_a_l_e",
        "a scale_rows",
        "b scale",
        "b SCALE_TABLE",
        "a scale_factor",
    )


def test_no_more_than_so_many() -> None:
    assert [one.entry.name for one in workspace_symbols(FILES, "scale", 3)] == ["scale", "scale", "scale_rows"]
    assert workspace_symbols({}, "x") == []


def test_a_long_query_takes_no_time() -> None:
    names = module(f".func {'a' * 3000}() {{ ret; }}")
    assert workspace_symbols({"f": names}, "a" * 2000 + "b") == []
    assert len(workspace_symbols({"f": names}, "a" * 3000)) == 1


def test_what_is_kept_of_a_file() -> None:
    text = ".extern .shared .align 16 .b8 s[];\n.weak .func (.reg .b32 r) f(.reg .b32 a)\n{ ret; }\n"
    shared, function = module(text).entries
    assert (shared.name, shared.detail, shared.is_definition) == ("s", ".extern .shared .b8", False)
    assert shared.is_bound_at_launch
    assert (function.name, function.detail, function.linkage) == ("f", ".weak .func", ".weak")
    assert text[slice(*function.place)] == "f"
    assert text[slice(*function.extent)] == text[text.index(".weak") :].rstrip()


def test_an_index_follows_files_that_come_change_and_go() -> None:
    index: SymbolIndex[Span] = SymbolIndex()
    states = [{"a": module(SCALE)}, FILES, {"b": module(OTHER)}, {"a": module(OTHER), "b": module(SCALE)}, {}, FILES]
    for files in states:
        index.update(files)
        for query in ("", "scale", "sc", "zz"):
            assert index.find(query) == workspace_symbols(files, query), (list(files), query)


def test_files_that_change_during_an_update_are_taken_over_by_the_next_one() -> None:
    index: SymbolIndex[Span] = SymbolIndex()
    files = dict(FILES)
    updating = index.updating(files)
    next(updating)
    del files["a"], files["b"]
    list(updating)
    index.update(files)
    assert index.find("") == []


def test_a_file_that_goes_during_an_update_is_not_found() -> None:
    files = {"a": module(SCALE), "b": module(OTHER)}
    index: SymbolIndex[Span] = SymbolIndex()
    updating = index.updating(files)
    next(updating)
    del files["a"]
    list(updating)
    assert {one.file for one in index.find("")} == {"b"}


def test_mangled_names_are_found_by_what_they_mean() -> None:
    files = {"a": module(".visible .entry _ZN4flat12softmax_rowsIfLi4EEEvPKT_() { ret; }")}

    def names(query: str, *, demangles: bool = True) -> list[str]:
        index: SymbolIndex[Span] = SymbolIndex()
        index.update(files)
        return [one.name for one in index.find(query, demangles=demangles)]

    assert names("softmax_rows<float") == ["flat::softmax_rows<float, 4>"]
    assert names("flat::") == ["flat::softmax_rows<float, 4>"]
    assert names("_ZN4flat") == ["_ZN4flat12softmax_rowsIfLi4EEEvPKT_"], "the mangled name is found too"
    assert names("sftmxrws") == ["flat::softmax_rows<float, 4>"]
    assert names("zsftmx") == [], "scattered letters of a mangled name mean nothing"
    assert names("zsftmx", demangles=False) == ["_ZN4flat12softmax_rowsIfLi4EEEvPKT_"]
    assert names("softmax_rows", demangles=False) == ["_ZN4flat12softmax_rowsIfLi4EEEvPKT_"]
    assert names("softmax_rows<", demangles=False) == []


def test_kernels_of_one_template_differ() -> None:
    kernels = [f"_Z4tileIN4cute5tupleIJNS0_1CILi{size}EEES3_iiiiEEENS1_IJS3_S3_EEEEvT_T0_" for size in (64, 128)]
    files = {"a": module("\n".join(f".visible .entry {name}() {{ ret; }}" for name in kernels))}
    names = [one.name for one in workspace_symbols(files, "tile<")]
    assert ["C<64>" in name for name in names] == ["C<128>" not in name for name in names]
    assert len(set(names)) == 2


def test_what_the_short_name_leaves_out_is_shown_where_the_query_is_in_it() -> None:
    kernel = "_Z13device_kernelIN7cutlass9UniversalINS0_21SparseMainloopStagesAILi7EEENS0_5tupleIJiiiiiiEEEEEEvT_"
    variable = "_ZN55_INTERNAL_74487dc6_24_62_hopper_sparse_gemm_cu_4538d0734cute7productE"
    files = {"a": module(f".visible .entry {kernel}() {{ ret; }}\n.global .b8 {variable};")}
    (found,) = workspace_symbols(files, "sparse")
    brief = found.entry.brief
    assert "sparse" not in brief.lower(), "else the test tests nothing"
    assert found.name == f"{brief} [SparseMainloopStagesA]"
    assert [one.name for one in workspace_symbols(files, "_ZN55")] == [variable]
