"""What follows a dot in an opcode."""

from __future__ import annotations

from ptx_lsp.features.completion.item import ItemKind

from .completions import accepted, check_exactly, check_has, check_lacks, check_order, items, lacking, offered


def test_the_parts_of_a_name_and_the_longer_names():
    check_exactly("wgmma.<|>", ".commit_group", ".fence", ".mma_async", ".wait_group", ".mma_async.sp")
    check_has("cp.<|>", ".async", ".async.bulk", ".async.bulk.tensor", ".reduce")
    check_order("cp.<|>", ".async", ".async.bulk", ".async.bulk.tensor", ".reduce")


def test_what_is_seldom_comes_last():
    check_order("ld.<|>", ".global", ".shared", ".f32", ".weak", ".L2::cache_hint")
    check_order("add.<|>", ".s32", ".rn", ".sat", ".ftz")


def test_what_is_required_comes_first():
    assert offered("mma.<|>")[0] == ".sync"
    assert offered("mma.sync.<|>")[0] == ".aligned"
    check_order("mma.sync.aligned.<|>", ".m16n8k16", ".row", ".f32")


def test_only_what_goes_with_what_is_written():
    check_exactly("bra.<|>", ".uni")
    check_lacks("add.s32.<|>", ".rn", ".ftz", ".u32")
    check_has("add.s32.<|>", ".sat")
    check_exactly("setp.lt.and.ftz.<|>", ".f16", ".f16x2", ".f32")


def test_nothing_is_offered_behind_an_illegal_beginning():
    assert offered("add.rn.s32.<|>") == []
    assert offered("cvt.rni.u32.u32.<|>") == []


def test_what_only_newer_modules_have():
    found = lacking("//- sm_90 ptx 8.6\nadd.<|>")
    assert found[".f32x2"] == "sm_100"
    assert lacking("//- sm_80 ptx 7.0\nld.<|>")[".shared::cluster"] == "PTX 7.8 sm_90"
    assert lacking("//- sm_80 ptx 7.0\ntcgen05.<|>")[".mma"] == "PTX 8.6 sm_100a"
    assert offered("//- sm_80 ptx 7.0\ntcgen05.<|>") == []


def test_the_target_decides():
    check_has("//- sm_100 ptx 8.6\nadd.<|>", ".f32x2")
    check_lacks("//- sm_90 ptx 7.8\nld.<|>", ".v8.b32")


def test_in_the_middle_of_an_opcode_what_keeps_the_rest_legal_comes_first():
    check_order("add.<|>.f32 %f1, %f2, %f3;", ".rn", ".sat", ".s32")
    first = offered("ld.<|>.u32 %r1, [%rd1];")
    assert first.index(".global") < first.index(".u64")
    assert first.index(".v2") < first.index(".b8")


def test_in_the_middle_of_a_word_the_word_is_replaced():
    assert accepted("ld.glo<|>bal.u32 %r1, [%rd1];", ".shared") == "ld.shared.u32 %r1, [%rd1];"
    assert accepted("ld.<|>.u32 %r1, [%rd1];", ".const") == "ld.const.u32 %r1, [%rd1];"
    assert accepted("ld.<|>", ".const") == "ld.const"


def test_words_with_colons_are_one():
    source = "ld.global.L2::<|>"
    assert accepted(source, ".L2::128B") == "ld.global.L2::128B"
    assert accepted("ld.global.L2::64<|>B.u32 %r1, [%rd1];", ".L2::256B") == "ld.global.L2::256B.u32 %r1, [%rd1];"
    assert items(source, trigger=":")


def test_words_that_begin_with_digits():
    assert accepted("tex.2<|>", ".2d") == "tex.2d"
    check_has("//- sm_100a ptx 8.6\ntcgen05.ld.sync.aligned.16x<|>", ".16x64b", ".32x32b")
    check_has("cp.async.bulk.tensor.<|>", ".2d", ".5d")


def test_a_slip_does_not_end_the_help():
    check_has("ld.gobal.<|>", ".u32")
    check_has("cp.async.blk.<|>", ".ca")


def test_a_guard_and_a_label_before():
    check_has("@%p1 ld.<|>", ".global")
    check_has("again: ld.<|>", ".global")


def test_without_a_semicolon_before_the_next_line():
    check_has("ld.<|>\nadd.u32 %r1, %r2, %r3;", ".global")
    check_has("add.u32 %r1, %r2, %r3\nld.<|>", ".global")


def test_at_the_end_of_the_file():
    check_has("//- module sm_80 ptx 7.0\n.entry kernel() { ld.<|>", ".global")


def test_ordered_words_only_behind_those_written():
    check_has("wmma.mma.sync.aligned.row.<|>", ".col")
    check_lacks("wmma.mma.sync.aligned.row.col.<|>", ".row")


def test_types_in_their_order():
    check_has("cvt.rn.<|>", ".f32", ".f16")
    check_has("cvt.rn.f32.<|>", ".s32", ".f64")
    check_lacks("cvt.rn.f32.<|>", ".f32")


def test_what_a_word_is_for_stands_beside_it():
    details = {item.label: item.detail for item in items("atom.<|>")}
    assert details[".cta"] == "scope"
    assert details[".relaxed"] == "sem"
    kinds = {item.label: item.kind for item in items("ld.<|>")}
    assert kinds[".global"] is ItemKind.SPACE
    assert kinds[".u32"] is ItemKind.TYPE
    assert kinds[".volatile"] is ItemKind.QUALIFIER


def test_nothing_behind_what_is_no_instruction():
    assert items("nothing.<|>") == []
    assert items(".foo.<|>") == []


def test_labels_are_cut_and_what_is_inserted_is_not():
    long = [item for item in items("//- sm_100a ptx 9.4\ncp.async.bulk.tensor.<|>") if item.label != item.insert]
    assert all(len(item.label) <= 30 for item in long)
    assert any(item.insert.startswith(".mbarrier::report::validity") for item in long)


def test_what_is_usual_comes_first() -> None:
    first = offered("//- sm_90a ptx 8.4\nld.global.<|>")[:8]
    assert {".nc", ".v4", ".u32", ".f32"} <= set(first), first
    check_order("//- sm_90a ptx 8.4\nmma.sync.aligned.<|>", ".m16n8k16", ".m8n8k4", ".row")
    check_order("//- sm_90a ptx 8.4\nld.global.<|>", ".f32", ".ca", ".weak")


def test_what_the_file_uses_comes_first() -> None:
    head = "//- sm_90a ptx 8.4\n"
    check_order(head + "atom.global.<|>", ".add", ".xor")
    check_order(head + "atom.global.xor.b32 %r1, [%rd1], %r2;\n" * 3 + "atom.global.<|>", ".xor", ".add")
