"""The beginning of an instruction."""

from __future__ import annotations

from ptx_lsp.preferences import Completion

from .completions import accepted, check_has, check_lacks, check_order, items, lacking, offered


def test_names_of_one_word_and_of_several():
    check_has("<|>", "add", "mov", "ld", "cp.async", "cp.async.bulk.tensor", "mbarrier.try_wait", "wgmma.mma_async")


def test_the_first_word_of_longer_names_stands_for_itself():
    check_has("w<|>", "wgmma", "wgmma.fence")
    check_has("c<|>", "cp", "cp.async")


def test_what_is_usual_comes_first_and_longer_names_follow_their_first_word():
    check_order("<|>", "ld", "mov", "add", "cp", "cp.async", "szext")
    check_order("xor.b32 %r1, %r1, 1;\nxor.b32 %r1, %r1, 2;\n<|>", "xor", "ld")


def test_what_a_version_lacks_comes_last_and_says_what_it_needs():
    found = lacking("//- sm_80 ptx 7.0\n<|>")
    assert found["mbarrier.try_wait"] == "PTX 7.8 sm_90"
    assert found["tcgen05.mma"] == "PTX 8.6 sm_100a"
    assert found["szext"] == "PTX 7.6"
    whole = items("//- sm_80 ptx 7.0\n<|>")
    assert [bool(item.needs) for item in whole] == sorted(bool(item.needs) for item in whole)


def test_a_target_alone_may_be_lacking():
    assert lacking("//- sm_90a ptx 8.6\n<|>")["tcgen05.alloc"] == "sm_100a"


def test_nothing_of_newer_targets_for_who_does_not_want_it():
    found = items("//- sm_80 ptx 7.0\n<|>", Completion(unavailable=False))
    assert found
    assert not [item for item in found if item.needs]


def test_the_target_decides():
    check_has("//- sm_100a ptx 8.6\n<|>", "tcgen05.mma")
    assert "wgmma.fence" not in offered("//- sm_100a ptx 8.6\n<|>")
    assert lacking("//- sm_100a ptx 8.6\n<|>")["wgmma.fence"] == "sm_90a"


def test_in_the_middle_of_a_word_all_of_it_is_replaced():
    assert accepted("mo<|>ve.u32 %r1, 0;", "mov") == "mov.u32 %r1, 0;"


def test_an_empty_line():
    assert accepted("ret;\n    <|>\nret;", "bar.sync") == "ret;\n    bar.sync\nret;"


def test_behind_a_guard_only_instructions():
    check_has("@%p1 <|>", "bra", "add")
    check_has("@!%p1 b<|>", "bra")
    check_lacks("@%p1 <|>", ".reg", "loop")


def test_behind_a_label():
    check_has("next: <|>", "add", "bra")
    check_has("next:\n<|>", "add")


def test_behind_a_statement_on_the_same_line():
    check_has("mov.u32 %r1, 1; a<|>", "add")


def test_a_missing_semicolon_does_not_spoil_the_next_line():
    check_has("add.u32 %r1, %r2, %r3\n<|>", "add", ".reg")
    check_has("add.u32 %r1, %r2, %r3\nsu<|>", "sub")


def test_a_broken_statement_before_and_behind():
    check_has("add.u32 %r1, , ;\nsu<|>\nmul 3;", "sub")


def test_at_the_end_of_a_file_whose_body_is_open():
    check_has("//- module sm_80 ptx 7.0\n.entry kernel() {\nret;\n<|>", "ret", "ld")
    check_has("//- module sm_80 ptx 7.0\n.entry kernel() {<|>", "ret")


def test_before_a_closing_brace():
    check_has("//- module sm_80 ptx 7.0\n.entry kernel()\n{\n<|>\n}", "ret", ".reg")
    check_has("{ <|> }", "ret")


def test_not_outside_of_functions():
    check_lacks("//- module sm_80 ptx 7.0\n<|>", "add", "ret", ".reg")
    check_lacks("//- module sm_80 ptx 7.0\n.entry kernel() { ret; }\n<|>", "add", ".reg")
    check_has("//- module sm_80 ptx 7.0\n.entry kernel() { ret; }\n<|>", ".entry", ".global")


def test_nothing_in_comments():
    assert items("ret; // <|>") == []
    assert items("/* <|> */ ret;") == []
    assert items("/* <|>") == []


def test_unasked_lists_do_not_come_where_a_line_begins():
    assert items("ret;\n <|>", trigger=" ") == []
    assert items("next:<|>", trigger=":") == []
    assert items(".reg <|>", trigger=" ")


def test_no_label_is_wider_than_lists_are():
    assert max(len(item.label) for item in items("<|>")) <= 30
    assert max(len(item.detail) for item in items("<|>")) <= 20
