"""Hovers of ``.loc`` and ``.file``: where the code came from."""

from __future__ import annotations

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
    inlined = "inlined at: `src/kernel.cu`, line 23, column 5"
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
