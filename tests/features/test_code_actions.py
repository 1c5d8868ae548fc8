"""Quick fixes: what is offered for the findings at the cursor, and what the text is afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.code_actions import KINDS, ActionRequest, code_actions
from ptx_lsp.server.capabilities import CODE_ACTIONS
from ptx_lsp.settings import Settings
from ptx_lsp.text import Span

from .actions import actions_at, applied, errors_of, offered, whole_after

QUICK = ["quickfix"]
FIX_ALL = ["source.fixAll"]
BROKEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))


def check_fix(source: str, title: str, after: str) -> None:
    """The action ``title`` makes ``after`` of the snippet."""
    found = actions_at(source, QUICK)
    assert title in found, list(found)
    assert found[title] == after


def header_of(text: str) -> tuple[str, str]:
    """The version and the target that a text is for."""
    module = Checker(text).module
    return str(module.version), str(module.target)


def check_nothing(source: str) -> None:
    """No action but silencing is offered."""
    assert [title for title in actions_at(source, QUICK) if not title.startswith("silence")] == []


# ---------------------------------------------------------------- the fixes that findings carry


def test_a_fix_of_the_finding_under_the_cursor() -> None:
    check_fix("add.s3<|>3 %r1, %r2, %r3;", "replace with '.s32'", "add.s32 %r1, %r2, %r3;")


def test_nothing_is_offered_where_nothing_is_wrong() -> None:
    assert actions_at("add.s32 %r1, %r2, %r3;<|>\nret;") == {}


def test_a_fix_of_the_header() -> None:
    source = "//- sm_80 ptx 7.0\nadd.f32x<|>2 %rd1, %rd2, %rd3;"
    text = whole_after(source, "write '.version 8.6' and '.target sm_100'")
    assert header_of(text) == ("8.6", "sm_100")
    assert errors_of(text) == []


def test_a_newer_target_alone_where_the_version_knows_it() -> None:
    source = "//- sm_80 ptx 8.6\nadd.f32x<|>2 %rd1, %rd2, %rd3;"
    assert header_of(whole_after(source, "write '.target sm_100'")) == ("8.6", "sm_100")


NARROW = (
    "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e3m2<|>.e3m2.f32 "
    "{%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f4,%f5,%f6,%f7};"
)
"""Of the sm_120 family alone."""


def test_no_target_that_others_of_the_module_do_not_have() -> None:
    check_nothing(f"//- sm_100a ptx 8.7\ntcgen05.wait::ld.sync.aligned;\n{NARROW}")
    found = actions_at(f"//- sm_100 ptx 8.7\nadd.f32x2 %rd1, %rd2, %rd3;\n{NARROW}", QUICK)
    assert "write '.target sm_120a'" in found


def test_a_target_that_all_of_the_module_has() -> None:
    """The nearest for the one would be sm_100, which the other is not in."""
    source = "//- sm_90 ptx 8.6\nadd.f32x<|>2 %rd1, %rd2, %rd3;\ntcgen05.wait::ld.sync.aligned;"
    assert "write '.target sm_100'" not in actions_at(source, QUICK)
    assert errors_of(whole_after(source, "write '.target sm_100a'")) == []


def test_no_version_that_others_of_the_module_are_gone_from() -> None:
    source = "//- sm_70 ptx 6.0\nshfl.idx.b32 %r1, %r2, 0, 31;\nfence.proxy.al<|>ias;"
    assert not any(title.startswith("write '.v") for title in actions_at(source, QUICK))


def test_fix_all_combines_no_two_changes_of_the_header() -> None:
    """Without ``.sync`` there is ``shfl`` in old versions, and on old targets; not where both are new."""
    source = "//- sm_50 ptx 6.0\nshfl.idx.b32 %r1, %r2, 0, 31;\n<|>fence.proxy.alias;"
    checker, _, found = offered(source, FIX_ALL)
    titles = [fix.title for one in checker.diagnostics() for fix in one.fixes]
    assert {"write '.version 7.5'", "write '.target sm_70'"} <= set(titles)
    after = applied(checker.document.text, found[0].resolved_edits())
    assert len(errors_of(after)) < len(errors_of(checker.document.text))


def test_no_header_fix_where_settings_override_the_header() -> None:
    checker = Checker(".version 7.0\n.target sm_80\n.entry k() { wgmma.fence.sync.aligned; }", Settings(target="sm_80"))
    (finding,) = (one for one in checker.diagnostics() if one.code == "E502")
    assert not finding.fixes


def test_all_missing_qualifiers_at_their_places() -> None:
    check_fix("setmaxnreg<|>.inc.u32 24;", "insert '.sync' and '.aligned'", "setmaxnreg.inc.sync.aligned.u32 24;")


@pytest.mark.parametrize(
    ("written", "title", "after"),
    [
        (".f32.f16.f16", "append '.f32' ('.ctype')", ".f32.f16.f16.f32"),
        (".f32.bf16.bf16", "append '.f32'", ".f32.bf16.bf16.f32"),
        (".f32.f16", "insert '.f16' and '.f32'", ".f32.f16.f16.f32"),
    ],
)
def test_a_type_that_stands_twice(written: str, title: str, after: str) -> None:
    """That a word stands in the opcode already does not mean that the missing one is there."""
    head = "mma<|>.sync.aligned.m16n8k16.row.col"
    operands = "{%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f4,%f5,%f6,%f7};"
    check_fix(f"{head}{written} {operands}", title, f"{head.replace('<|>', '')}{after} {operands}")


def test_where_several_words_would_do_none_is_chosen() -> None:
    operands = "{%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f4,%f5,%f6,%f7};"
    check_nothing(f"mma<|>.sync.aligned.m16n8k16.row.col.f32 {operands}")  # .f16 or .bf16
    for word in (".ca", ".cg"):
        written = "cp.async<|>.shared.global [%r1], [%rd1], 16;"
        after = f"cp.async{word}.shared.global [%r1], [%rd1], 16;"
        check_fix(written, f"write 'cp.async{word}.shared.global'", after)


def test_where_no_single_word_helps_nothing_is_inserted() -> None:
    check_nothing(
        "mma<|>.sync.aligned.m16n8k16.row.col.f16.f16.f32 "
        "{%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f4,%f5,%f6,%f7};"
    )


def test_a_component_of_a_special_register() -> None:
    check_fix("mov.u32 %r1, %tid<|>x;", "replace with '%tid.x'", "mov.u32 %r1, %tid.x;")


def test_a_wait_before_the_first_read() -> None:
    source = """//- sm_80 ptx 7.0
.shared .align 16 .b8 tile[256];
cp.async.cg.shared.global [tile], [%rd1], 16;
cp.async.commit_group;
ld.sha<|>red.b32 %r1, [tile];
cp.async.wait_all;
ret;"""
    found = actions_at(source, QUICK)
    assert "cp.async.wait_all;\nld.shared.b32" in found["insert 'cp.async.wait_all;' before this"]


def test_a_wait_behind_the_last_copy() -> None:
    source = """//- sm_80 ptx 7.0
.shared .align 16 .b8 tile[256];
cp.as<|>ync.cg.shared.global [tile], [%rd1], 16;
cp.async.cg.shared.global [tile+16], [%rd1], 16;
ret;"""
    found = actions_at(source, QUICK)
    assert "[tile+16], [%rd1], 16;\ncp.async.wait_all;\nret;" in found["insert 'cp.async.wait_all;'"]


def test_a_fence_behind_the_last_store() -> None:
    source = """//- sm_90 ptx 8.0
.shared .align 16 .b8 tile[4096];
    st.shared.b32 [tile], %r1;
    bar.sync 0;
    cp.async.b<|>ulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;"""
    found = actions_at(source, QUICK)
    after = found["insert 'fence.proxy.async.shared::cta;'"]
    assert "[tile], %r1;\n    fence.proxy.async.shared::cta;\n    bar.sync 0;" in after


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("ld.b3<|>2 %r1, [%rd1];", "write 'ld.shared.b32'"),
        ("st.glo<|>bal.b32 [%rd1], %r2;", "write 'st.shared.b32'"),
    ],
)
def test_an_address_of_another_kind(written: str, title: str) -> None:
    written = written.replace("<|>", "").replace("[%rd1", "[%r<|>d1")
    found = actions_at(f"//- sm_80 ptx 7.0 flow\n.shared .b32 tile[32];\nmov.u64 %rd1, tile;\n{written}\nret;", QUICK)
    assert title in found


def test_an_unused_result_goes_with_its_line_and_its_comment() -> None:
    source = """//- sm_80 ptx 7.0 flow
    // the thread
    mov.u32 %r1, %tid.x;
    // its byte
    mul.lo<|>.u32 %r2, %r1, 12; // never read
    st.shared.u32 [%r1], %r1;
    ret;"""
    found = actions_at(source, QUICK)
    assert "%tid.x;\n    // its byte\n    st.shared" in found["remove the instruction"]


def test_an_unused_declaration_and_an_unused_name() -> None:
    source = "//- sm_80 ptx 7.0 flow\n.reg .b32 a, %s, c;\nmov.u32 a, 1;\nst.shared.u32 [a], c;\nret;"
    names = actions_at(source.replace("%s", "<|>spare"), QUICK)
    assert ".reg .b32 a, c;" in names["remove 'spare' from the declaration"]
    names = actions_at("//- sm_80 ptx 7.0 flow\n.reg .b32 a, la<|>st;\nst.shared.u32 [a], a;\nret;", QUICK)
    assert ".reg .b32 a;" in names["remove 'last' from the declaration"]
    names = actions_at("//- sm_80 ptx 7.0 flow\nret;\n.reg .pred al<|>one;\nret;", QUICK)
    assert names["remove the declaration of 'alone'"].endswith("ret;\nret;")


def test_an_unused_label() -> None:
    found = actions_at("//- sm_80 ptx 7.0 flow\nNOB<|>ODY: ret;", QUICK)
    assert found["remove the label 'NOBODY'"].endswith(" ret;")


def test_unreachable_instructions() -> None:
    source = "//- sm_80 ptx 7.0 flow\nbra END;\nadd.s<|>32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 2;\nEND:\nret;"
    assert actions_at(source, QUICK)["remove the unreachable instructions"].endswith("bra END;\nEND:\nret;")


def test_a_removed_spelling() -> None:
    check_fix("shfl.idx<|>.b32 %r1, %r2, 0, 31;", "write 'shfl.sync'", "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;")


def test_a_repeated_declaration() -> None:
    found = actions_at(".reg .b32 t;\n.reg .b32 <|>t;\nmov.u32 t, 1;", QUICK)
    assert found["remove this repeated declaration"] == ".reg .b32 t;\nmov.u32 t, 1;"
    check_nothing(".reg .b32 t;\n.reg .b64 <|>t;\nmov.u32 t, 1;")


def test_a_second_version_line() -> None:
    source = "//- module\n.version 8.0\n.target sm_80\n.address_size 64\n.addr<|>ess_size 64\n.entry k() { ret; }"
    assert errors_of(whole_after(source, "remove this '.address_size'")) == []


def test_a_comment_in_ascii() -> None:
    check_fix("ret; // na<|>ïve", "write 'i'", "ret; // naive")


# ---------------------------------------------------------------- remedies that are looked for


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("add.f32 new<|>, %f1, %f2;", ".reg .f32 new;"),
        ("mov.u32 new<|>, 7;", ".reg .b32 new;"),
        ("setp.eq.s32 new<|>, %r1, %r2;", ".reg .pred new;"),
        ("@ne<|>w bra END;\nEND:", ".reg .pred new;"),
        ("ld.global.u32 %r1, [ne<|>w];", ".reg .b64 new;"),
        ("cvt.u64.u32 new<|>, %r1;", ".reg .b64 new;"),
        ("cvt.rn.f32.s32 %f1, new<|>;", ".reg .b32 new;"),
        ("mad.wide.u32 %rd1, %r1, %r2, new<|>;", ".reg .b64 new;"),
        ("ld.global.v2.f64 {%fd1, new<|>}, [%rd1];", ".reg .f64 new;"),
        ("fma.rn.f16x2 new<|>, %r1, %r2, %r3;", ".reg .b32 new;"),
        ("cvt.u16.u32 new<|>, %r1;", ".reg .b16 new;"),
        ("mbarrier.try_wait.b64 new<|>, [%rd1], %rd2;", ".reg .pred new;"),
    ],
)
def test_the_declaration_that_a_use_asks_for(statement: str, wanted: str) -> None:
    source = f"//- sm_90 ptx 8.0 module\n.entry k()\n{{\n{_REGISTERS}{statement}\nret;\n}}"
    text = whole_after(source, f"declare '{wanted}'")
    assert f"\n    {wanted}\n" in text
    assert errors_of(text) == []


_REGISTERS = "".join(f"    .reg {one}<4>;\n" for one in (".pred %p", ".b32 %r", ".b64 %rd", ".f32 %f", ".f64 %fd"))


def test_all_registers_of_a_kind_are_declared_at_once() -> None:
    source = "add.f32 %x<|>1, %x2, %f1;\nadd.f32 %x3, %x1, %x2;"
    text = whole_after(source, "declare '.reg .f32 %x<4>;'")
    assert errors_of(text) == []


def test_all_uses_of_a_register_have_a_say() -> None:
    text = whole_after(
        "mov.b32 what<|>, 0;\nadd.f32 %f1, what, what;\nsetp.eq.f32 %p1, what, %f1;", "declare '.reg .b32 what;'"
    )
    assert errors_of(text) == []


def test_no_register_is_declared_for_what_is_a_label_or_function() -> None:
    check_nothing("bra nowhere<|>;")
    check_nothing("call helper<|>, (%undeclared);")


def test_a_register_beyond_its_group_gets_a_larger_group() -> None:
    found = actions_at("//- sm_80 ptx 7.0\nadd.s32 %r7<|>7, %r1, %r2;", QUICK)
    assert "write '%r<78>'" in found
    assert not any(title.startswith("declare") for title in found)


def test_a_function_that_is_called() -> None:
    source = "call (%r1), hel<|>per, (%rd1, %f1);"
    text = whole_after(source, "declare '.extern .func helper'")
    assert ".extern .func (.param .b32 result0) helper(.param .b64 parameter0, .param .f32 parameter1);\n.entry" in text
    assert errors_of(text) == []


def test_a_function_that_is_called_with_param_variables() -> None:
    source = "{ .param .align 8 .b8 a[16]; .param .b32 r; call (r), hel<|>per, (a); }"
    text = whole_after(source, "declare '.extern .func helper'")
    assert "helper(.param .align 8 .b8 parameter0[16]);" in text
    assert errors_of(text) == []


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("mul<|>24.s32 %r1, %r2, %r3;", ["mul24.lo.s32", "mul24.hi.s32"]),
        ("cvt<|>.f32.s32 %f1, %r1;", ["cvt.rn.f32.s32", "cvt.rz.f32.s32", "cvt.rm.f32.s32", "cvt.rp.f32.s32"]),
        ("ld.global.u32 %f<|>1, [%rd1];", ["ld.global.b32", "ld.global.f32"]),
        ("mad.lo.s32 %rd<|>1, %r2, %r3, %rd2;", ["mad.wide.s32"]),
        ("ld.global.v2.f32 {%f1, %f2, %f3<|>, %f4}, [%rd1];", ["ld.global.v4.f32"]),
        ("ld.global.f32.cg<|>.L1::evict_first %f1, [%rd1];", ["ld.global.f32.cg", "ld.global.f32.L1::evict_first"]),
        ("cp.async.ca.glo<|>bal.shared [%r1], [%rd1], 4;", ["cp.async.ca.shared.global"]),
    ],
)
def test_spellings_that_would_be_right(statement: str, wanted: list[str]) -> None:
    found = [title for title in actions_at(statement, QUICK) if title.startswith("write")]
    assert found == [f"write '{one}'" for one in wanted]
    for title in found:
        assert errors_of(whole_after(statement, title)) == []


# ---------------------------------------------------------------- all of a kind, silence, preferred


def test_all_findings_of_one_kind() -> None:
    found = actions_at("add.s3<|>3 %r1, %r2, %r3;\nadd.s33 %r4, %r5, %r6;")
    title = next(title for title in found if title.startswith("fix all 2 of"))
    assert found[title] == "add.s32 %r1, %r2, %r3;\nadd.s32 %r4, %r5, %r6;"


def test_all_that_is_newer_than_the_module_at_once() -> None:
    source = "//- sm_70 ptx 6.0\nredux.sync<|>.add.s32 %r1, %r2, -1;\nadd.f32x2 %rd1, %rd2, %rd3;"
    text = whole_after(source, "raise '.version' and '.target' to what the module needs")
    assert header_of(text) == ("8.6", "sm_100")
    assert errors_of(text) == []


def test_an_error_cannot_be_silenced_but_a_warning_can() -> None:
    found = actions_at("add.s3<|>3 %r1, %r2, %r3;")
    assert not any("silence" in title for title in found)
    found = actions_at("add.acc::f3<|>2.s32 %r1, %r2, %r3; // why")
    title = next(title for title in found if title.startswith("silence W601"))
    assert found[title] == "add.acc::f32.s32 %r1, %r2, %r3; // why // ptx-lsp: ignore[W601]"


def test_a_second_code_goes_into_the_same_comment() -> None:
    found = actions_at("add.acc::f3<|>2.s32 %r1, %r2, %r3; // ptx-lsp: ignore[H901]")
    title = next(title for title in found if title.startswith("silence W601"))
    assert found[title].endswith("// ptx-lsp: ignore[H901, W601]")


def test_only_the_chosen_findings() -> None:
    checker, _, _ = offered("add.s33<|> %r1, %r2, %r3;")
    diagnostics = checker.diagnostics()
    asked = ActionRequest(checker.semantics, diagnostics, diagnostics[0].span)
    assert code_actions(asked, QUICK, diagnostics[:1])
    assert code_actions(asked, QUICK, []) == []


def test_one_remedy_of_an_error_is_preferred_and_a_choice_is_not() -> None:
    _, _, found = offered("add.s3<|>3 %r1, %r2, %r3;")
    assert [one.title for one in found if one.is_preferred] == ["replace with '.s32'"]
    _, _, found = offered("cvt<|>.f32.s32 %f1, %r1;")
    assert found
    assert not any(one.is_preferred for one in found)


def test_fix_all_mends_what_has_one_remedy() -> None:
    checker, start, found = offered("<|>add.s33 %r1, %r2, %r3;\nmul.lo.s23 %r4, %r5, %r6;\nbogus;", FIX_ALL)
    (whole,) = found
    text = applied(checker.document.text, whole.resolved_edits())[start:]
    assert text.startswith("add.s32 %r1, %r2, %r3;\nmul.lo.s32 %r4")
    assert offered("<|>ret;", FIX_ALL)[2] == []


def test_fix_all_removes_nothing_and_inserts_no_waits() -> None:
    source = """//- sm_80 ptx 7.0 flow
<|>.shared .align 16 .b8 tile[256];
mov.u32 %r1, %tid.x;
cp.async.cg.shared.global [tile], [%rd1], 16;
ret;"""
    assert offered(source, FIX_ALL)[2] == []


def test_a_guess_is_neither_preferred_nor_part_of_fix_all() -> None:
    """Which lanes take part in a ``shfl`` nobody but the author knows."""
    source = "//- sm_70 ptx 6.4\nshfl.idx<|>.b32 %r1, %r2, 0, 31;"
    _, _, found = offered(source)
    assert "write 'shfl.sync'" in [one.title for one in found if not one.is_preferred]
    assert offered(source, FIX_ALL)[2] == []


def test_a_directive_that_makes_no_statement_is_not_preferred() -> None:
    source = ".sect<|>.reg .b32 %q;"  # the nearest word is '.section'
    _, _, found = offered(source)
    assert [one.is_preferred for one in found if one.title == "replace with '.section'"] == [False]
    assert offered(source, FIX_ALL)[2] == []
    _, _, found = offered(".ref<|> .b32 %q;")
    assert [one.is_preferred for one in found if one.title == "replace with '.reg'"] == [True]


def test_the_fix_of_one_of_two_mistakes_in_a_head_is_not_preferred() -> None:
    head = ".version 8.0\n.target sm_80\n.address_size 64\n.entry kernel(.param .u64 out)\n"
    _, _, found = offered(head + "0<|>8\nret;\n}\n")
    assert [one.is_preferred for one in found if one.title == "write '8'"] == [False]


@pytest.mark.parametrize("before", ["", ".entry open() {\n"])
@pytest.mark.parametrize("rest", ["value", "%"])
def test_a_semicolon_after_a_head_is_not_preferred_before_what_cannot_follow(before: str, rest: str) -> None:
    text = f".version 8.0\n{before}.target .visible .entry kernel(.param .u64 out)"
    checker = Checker(f"{text}\n// more\n{rest}\n")
    found = code_actions(ActionRequest(checker.semantics, checker.diagnostics(), Span(len(text), len(text))), QUICK)
    assert [one.is_preferred for one in found if one.title == "insert ';'"] == [False]


def test_the_fix_of_the_first_of_two_mistakes_is_preferred() -> None:
    _, _, found = offered("add.u32 %r1<|> %r2 %r3;")
    assert [one.title for one in found if one.is_preferred] == ["insert ','"]


@pytest.mark.parametrize("wrong", [".version 8.0\n.target sm_80\n", "/* not closed", "2 %tid;\n"])
def test_a_version_is_not_preferred_beside_another_one_or_an_open_comment_or_a_mistake(wrong: str) -> None:
    checker = Checker(f".global .b32 a;\n{wrong}", Settings(ptx_version="8.0"))
    found = code_actions(ActionRequest(checker.semantics, checker.diagnostics(), Span(0, 0)), QUICK)
    assert [one.is_preferred for one in found if one.title == "insert '.version 8.0'"] == [False]


def test_a_removal_that_joins_a_head_with_what_follows_is_not_preferred() -> None:
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    _, _, found = offered(head + ".entry kernel() <|>.extern .reg .b32 a;\nret;\n}\n")
    assert [one.is_preferred for one in found if one.title == "remove '.extern'"] == [False]
    _, _, found = offered(head + ".entry kernel() {<|>.extern .reg .b32 a;\nret;\n}\n")
    assert [one.is_preferred for one in found if one.title == "remove '.extern'"] == [True]


# ---------------------------------------------------------------- the whole


def test_what_is_announced_is_what_there_is() -> None:
    assert sorted(CODE_ACTIONS) == sorted(KINDS)


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_nothing_raises_on_broken_text(path: Path) -> None:
    checker = Checker(path.read_text())
    diagnostics = checker.diagnostics()
    length = checker.document.length
    for offset in range(0, length + 1, 13 * max(1, length // 4000)):
        asked = ActionRequest(checker.semantics, diagnostics, Span(offset, min(offset + offset % 3 * 40, length)))
        for action in code_actions(asked, None if offset % 2 else ["quickfix", "refactor"]):
            for edit in action.resolved_edits() if action.compute_edits is None else ():
                assert 0 <= edit.span.start <= edit.span.end <= length


def test_a_wrong_letter_in_a_numbered_register() -> None:
    """Of the groups that differ in one letter only one has the type; all uses are corrected together."""
    source = "mov.u32 %r1, %s<|>5;\nadd.u32 %r1, %s5, 1;"
    assert actions_at(source)["replace with '%r5' in all 2 places"] == "mov.u32 %r1, %r5;\nadd.u32 %r1, %r5, 1;"
    assert "replace with '%r5' in all 2 places" in actions_at(
        source.replace("<|>", "").replace("r1, %s5, 1", "r1, %s<|>5, 1")
    )


def test_another_name_is_written_everywhere_only_where_it_fits() -> None:
    source = ".reg .b64 %out; .reg .f32 %f9;\nmov.u64 %ou<|>x, 1;\nadd.f32 %f9, %oux, %f9;"
    titles = actions_at(source)
    assert "replace with '%out'" in titles
    assert not any("in all" in title for title in titles)


def test_a_misspelt_target_is_corrected_not_inserted() -> None:
    kernel = ".visible .entry k() { wgmma.fence.sync.aligned; ret; }\n"
    source = f"//- module\n.version 8.0\n.targget<|> sm_90a\n.address_size 64\n{kernel}"
    assert not any(title.startswith("insert '.target") for title in actions_at(source))


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("wgmma.fence.sync.aligned;", "sm_90a"),
        ("tcgen05.wait::ld.sync.aligned;", "sm_100f"),
        ("bar.warp.sync -1;", "sm_30"),
        ("shfl.down.b32 %r1, %r1, 1, 31;", "sm_30"),
        ("ret;", "sm_10"),
    ],
)
def test_a_missing_target_is_the_least_that_all_statements_accept(statement: str, target: str) -> None:
    source = f"//- module\n.version 8.8\n<|>.entry k() {{ .reg .b32 %r<2>; {statement} ret; }}\n"
    text = whole_after(source, f"insert '.target {target}'", QUICK)
    assert header_of(text) == ("8.8", target)
    assert errors_of(text) == []


def test_a_missing_target_at_the_end_of_the_file() -> None:
    assert "\n.version 8.8\n.target sm_10" in whole_after(
        "//- module\n.ver<|>sion 8.8\n", "insert '.target sm_10'", QUICK
    )
