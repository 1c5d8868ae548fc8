"""Hovers of ``.loc`` and ``.file``: where the code came from."""

from __future__ import annotations

from ptx_lsp.features.hover import hover
from ptx_lsp.features.hover.parts.render import markdown

from .cursor import opened
from .hovering import check_hover, check_not_said

SOURCE = """//- sm_90 ptx 8.0 module
.file 1 "src/kernel.cu"
.file 2 "helpers.cuh"
.entry k() {
.loc 1 23 5
add.s32 %r1, %r1, 1;
.loc 2 7 3, function_name name, inlined_at 1 23 5
ret;
}
"""


def text_of(path: str, line: int) -> str | None:
    """What stands in the files of these tests."""
    return {("src/kernel.cu", 23): "\t\tsum += x[i];  // ```", ("helpers.cuh", 7): "  return a | b;"}.get((path, line))


def test_the_file_line_and_column() -> None:
    for word in (".l<|>oc 1 23", ".loc <|>1 23", ".loc 1 2<|>3"):
        check_hover(SOURCE.replace(".loc 1 23", word), "`src/kernel.cu`, line 23, column 5")


def test_the_source_line_if_it_can_be_read() -> None:
    check_hover(SOURCE.replace(".loc 1", ".loc <|>1"), "```cpp\nsum += x[i];  // '''\n```", read_line=text_of)
    check_hover(SOURCE.replace(".loc 1 23", ".loc <|>1 24"), "line 24", read_line=text_of)


def test_inlined_code_tells_both_places() -> None:
    source = SOURCE.replace(".loc 2", ".loc <|>2")
    inlined = "inlined at: `kernel.cu`, line 23"
    check_hover(source, "`helpers.cuh`, line 7, column 3", inlined, "return a | b;", read_line=text_of)


def test_a_file_that_nothing_declares() -> None:
    check_hover(SOURCE.replace(".loc 1", ".loc <|>9"), "file 9, which no `.file` defines, line 23")


def test_code_without_a_line() -> None:
    check_hover(SOURCE.replace(".loc 1 23", ".loc <|>1 0"), "no line: compiler-generated code")


def test_a_file_line() -> None:
    check_hover(SOURCE.replace("src/", "s<|>rc/"), "`src/kernel.cu`", "file 1 of the `.loc` lines")


def test_an_instruction_tells_where_it_comes_from() -> None:
    check_hover(SOURCE.replace("add", "a<|>dd"), "from `kernel.cu`, line 23")
    check_hover(SOURCE.replace("ret", "r<|>et"), "from `helpers.cuh`, line 7")
    check_not_said(SOURCE.replace("add", "a<|>dd").replace(".loc 1 23 5", ""), "from `")
    check_not_said(SOURCE.replace("add", "a<|>dd").replace(".loc 1 23 5", ".loc 1 0 0"), "from `")


def test_a_long_path_loses_its_beginning() -> None:
    source = SOURCE.replace("src/", "/usr" + "/folder" * 20 + "/").replace(".loc 1", ".loc <|>1")
    check_hover(source, "`…/folder/folder/", "/kernel.cu`, line 23")


def test_other_languages() -> None:
    source = SOURCE.replace("kernel.cu", "kernel.py").replace(".loc 1", ".loc <|>1")
    check_hover(source, "```python\nx = 1\n```", read_line=lambda path, line: "    x = 1")


CHAIN = """//- sm_90 ptx 8.0 module
.file 1 "gemm.cu"
.file 2 "tile.cuh"
.file 3 "copy.cuh"
.entry _Z4gemmIfEvPT_() {
.loc 1 10 3
add.s32 %r1, %r1, 1;
.loc 2 20 5, function_name $L__info_string0, inlined_at 1 10 3
add.s32 %r1, %r1, 1;
.loc 3 30 7, function_name $L__info_string1, inlined_at 2 20 5
add.s32 %r1, %r1, 2;
ret;
}
.section .debug_str
{
$L__info_string0:
.b8 95, 90, 52, 116, 105, 108, 101, 118, 0 // _Z4tilev
$L__info_string1:
.b8 99
.b8 112
.b8 0
}
"""


def test_all_calls_around_inlined_code() -> None:
    source = CHAIN.replace(".loc 3", ".loc <|>3")
    check_hover(
        source,
        "`copy.cuh`, line 30, column 7",
        "`cp` inlined at: `tile.cuh`, line 20",
        "`tile` inlined at: `gemm.cu`, line 10",
    )
    checker, offset, _ = opened(source)
    info = hover(checker.semantics, offset, None, lambda path, line: f"file:///{path}#L{line}")
    assert info is not None
    assert "(file:///gemm.cu#L10)" in markdown(info, "file:///kernel.ptx"), "each is a link"


def test_a_comment_is_no_part_of_a_name() -> None:
    source = CHAIN.replace(".b8 99", ".b8 99                                  // string offset=0 ; cp 7")
    check_hover(source.replace(".loc 3", ".loc <|>3"), "`cp` inlined at: `tile.cuh`, line 20")


def test_a_long_name_that_is_written_letter_by_letter() -> None:
    long = "".join(f".b8 {ord(letter)}\n" for letter in "a_function_with_a_long_name" * 40)
    source = CHAIN.replace(".b8 99\n.b8 112\n", long).replace(".loc 3", ".loc <|>3")
    checker, offset, _ = opened(source)
    info = hover(checker.semantics, offset)
    assert info is not None
    assert "a_function_with_a_long_name" in markdown(info)


def test_calls_that_lead_in_a_circle() -> None:
    source = CHAIN.replace("inlined_at 1 10 3", "inlined_at 3 30 7").replace(".loc 3", ".loc <|>3")
    check_hover(source, "`copy.cuh`, line 30")
