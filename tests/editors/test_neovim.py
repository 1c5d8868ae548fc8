"""The daily work of somebody who writes PTX in Neovim: keys are typed, and the screen is read."""

from __future__ import annotations

import pytest

from ptx_lsp.features.semantic_tokens.legend import TokenType
from tests.editors.neovim import KERNEL, MISTAKE, Neovim, neovim


@pytest.fixture
def editor(tmp_path):
    with neovim(tmp_path / "home", init="vim.o.completeopt = 'menuone,noinsert'") as started:
        yield started


def opened(editor: Neovim, tmp_path, text: str = KERNEL) -> Neovim:
    editor.edit(tmp_path / "kernel.ptx", text)
    return editor


def test_findings_appear_and_go_away(editor, tmp_path):
    opened(editor, tmp_path, MISTAKE)
    editor.wait(lambda: editor.diagnostics() == [(21, "E302")], "the finding")
    assert any(line.startswith("E ") and "add.s46" in line for line in editor.screen()), "a sign stands at the line"
    editor.at("s46")
    editor.keys("cws64<Esc>")
    editor.wait(lambda: editor.diagnostics() == [], "the finding to go")


def test_the_message_of_a_finding_in_its_window(editor, tmp_path):
    opened(editor, tmp_path, MISTAKE)
    editor.wait(editor.diagnostics)
    editor.at("s46")
    editor.keys("<C-w>d")
    assert "'add' has no type '.s46' here" in "\n".join(editor.float())


def test_hover_by_k(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("mul.wide")
    editor.keys("K")
    text = "\n".join(editor.float())
    assert "mul.wide.u32  d, a, b;" in text
    assert any("mul.wide.u32  d, a, b;" in line for line in editor.screen())


def test_completion_by_keyboard(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("    ret;")
    editor.keys("Omul.wi<C-x><C-o>")
    words = editor.menu()
    assert words
    assert all("wide" in word for word in words), words
    editor.keys("<C-y>")
    editor.wait(lambda: editor.line().strip() == "mul.wide", "the word to be taken")


def test_completion_of_a_register(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("    ret;")
    editor.keys("Oadd.s32 %r<C-x><C-o>")
    assert "%r1" in editor.menu()
    editor.keys("1<C-y>")
    editor.wait(lambda: editor.line().strip() == "add.s32 %r1", "the register to be taken")


def test_a_quick_fix_by_gra(editor, tmp_path):
    opened(editor, tmp_path, MISTAKE)
    editor.wait(editor.diagnostics)
    editor.at("s46")
    editor.keys("gra")
    editor.answer("1<CR>")
    editor.wait(lambda: any("add.s64" in line for line in editor.lines()), "the fix")
    editor.wait(lambda: editor.diagnostics() == [], "the finding to go")


def test_rename_by_grn(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("DONE:")
    editor.keys("grn")
    editor.answer("<C-u>out<CR>")
    editor.wait(lambda: "out:" in editor.lines(), "the new name")
    assert "    @%p1 bra out;" in editor.lines()


def test_format_by_gq(editor, tmp_path):
    opened(editor, tmp_path, KERNEL.replace("    ret;", "  ret ;"))
    editor.keys("gggqG")
    editor.wait(lambda: "\tret;" in editor.lines(), "the formatted line")


def test_format_the_file(editor, tmp_path):
    opened(editor, tmp_path, KERNEL.replace("    ret;", "  ret ;"))
    editor.command("set expandtab shiftwidth=4 tabstop=4")
    editor.command("lua vim.lsp.buf.format()")
    editor.wait(lambda: "    ret;" in editor.lines(), "the formatted line")


@pytest.mark.parametrize("keys", ["<C-]>", ":lua vim.lsp.buf.definition()<CR>"], ids=["CTRL-]", "by command"])
def test_definition(editor, tmp_path, keys):
    opened(editor, tmp_path)
    editor.at("bra DONE", offset=4)
    editor.keys(keys)
    editor.wait(lambda: editor.cursor() == (25, 0), "the cursor at the label")
    editor.keys("<C-t>")
    editor.wait(lambda: editor.cursor() == (19, 13), "the cursor back at the branch")


def test_references_by_grr(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("%rd3")
    editor.keys("grr")
    found = editor.wait(editor.nvim.funcs.getqflist, "the list of places")
    assert [one["lnum"] for one in found][-3:] == [21, 22, 24]
    assert "add.s64" in "\n".join(editor.screen()), "the quickfix window shows the lines"


def test_outline_by_go(editor, tmp_path):
    opened(editor, tmp_path)
    editor.keys("gO")
    found = editor.wait(lambda: editor.nvim.funcs.getloclist(0), "the outline")
    text = "\n".join(one["text"] for one in found)
    assert "scale" in text
    assert "DONE" in text


def test_inlay_hints(editor, tmp_path):
    opened(editor, tmp_path)
    assert not editor.marks("inlayhint"), "nobody is shown hints unasked"
    editor.command("PtxLsp hints")
    editor.wait(lambda: any("bra DONE ↓ 6 lines" in line for line in editor.screen()), "the hint at the branch")
    editor.command("PtxLsp hints")
    editor.wait(lambda: not any("↓" in line for line in editor.screen()), "the hint to go")


def groups_at(editor: Neovim, text: str) -> set[str]:
    """The groups of semantic tokens at a text, and what each is linked to."""
    editor.at(text)
    tokens = editor.lua("return vim.inspect_pos().semantic_tokens")
    groups = {one["opts"]["hl_group"] for one in tokens}
    return groups | {link for group in groups if (link := editor.link(group))}


def test_colours_of_the_server(editor, tmp_path):
    opened(editor, tmp_path)
    editor.wait(lambda: groups_at(editor, "bra DONE"), "colours")
    assert {"@lsp.type.opcode.ptx", "@lsp.type.keyword"} <= groups_at(editor, "bra DONE")
    assert {"@lsp.type.predicate.ptx", "@lsp.type.variable"} <= groups_at(editor, "%p1, %r1")
    assert {"@lsp.type.label.ptx", "@label"} <= groups_at(editor, "DONE:")
    assert {"@lsp.type.space.ptx", "@keyword.modifier"} <= groups_at(editor, ".global.f32 %f2")
    assert {"@lsp.type.specialRegister.ptx", "@variable.builtin"} <= groups_at(editor, "%tid.x")


def test_every_type_of_the_server_has_a_colour(editor, tmp_path):
    opened(editor, tmp_path)
    types = editor.lua("return vim.lsp.get_clients()[1].server_capabilities.semanticTokensProvider.legend.tokenTypes")
    assert {kind.label for kind in TokenType} == set(types)
    for name in types:
        group = f"@lsp.type.{name}.ptx"
        assert editor.link(group) or editor.lua("return vim.fn.hlexists(...)", f"@lsp.type.{name}"), name


def test_colours_before_the_server_is_there(tmp_path):
    with neovim(tmp_path / "home", init="vim.g.ptx_lsp_enabled = false") as editor:
        path = tmp_path / "kernel.ptx"
        path.write_text(KERNEL, "utf-8")
        editor.nvim.command(f"edit {path}")
        groups = {}
        for text in ("mul.wide", "%tid", "// ", ".visible", "99"):
            if text in KERNEL:
                editor.at(text)
                found = editor.lua("return vim.inspect_pos().syntax")
                groups[text] = found[-1]["hl_group"] if found else ""
        assert groups == {
            "mul.wide": "ptxOpcode",
            "%tid": "ptxSpecialRegister",
            ".visible": "ptxDirective",
            "99": "ptxNumber",
        }


def test_colours_after_another_colour_scheme(editor, tmp_path):
    opened(editor, tmp_path)
    editor.wait(lambda: groups_at(editor, "bra DONE"), "colours")
    editor.command("colorscheme habamax")
    editor.wait(lambda: editor.nvim.funcs.execute("colorscheme").strip() == "habamax", "the colours to change")
    assert "@label" in groups_at(editor, "DONE:")


def test_words_are_as_ptx_has_them(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("%rd3, %rd1", offset=2)
    editor.keys("*")
    editor.wait(lambda: editor.nvim.funcs.getreg("/") == r"\<%rd3\>", "the whole name as the pattern")
    editor.at("add.s64", offset=4)
    editor.keys("cws32<Esc>")
    editor.wait(lambda: "    add.s32 %rd3, %rd1, %rd2;" in editor.lines(), "one part of the opcode to change")


def test_a_comment_by_gcc(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("ret;")
    editor.keys("gcc")
    editor.wait(lambda: "    // ret;" in editor.lines(), "the comment")


def test_code_lenses(editor, tmp_path):
    opened(
        editor,
        tmp_path,
        KERNEL.replace(".visible .entry", ".global .u32 counter;\n.visible .entry").replace(
            "    ret;", "    st.global.u32 [counter], %r1;\n    ret;"
        ),
    )
    editor.command("PtxLsp lenses")
    editor.wait(lambda: any("1 reference" in line for line in editor.screen()), "the lens")
    editor.at(".global .u32 counter")
    editor.command("lua vim.lsp.codelens.run()")
    found = editor.wait(editor.nvim.funcs.getqflist, "the list of places")
    assert [one["text"].strip() for one in found] == ["st.global.u32 [counter], %r1;"]
    editor.keys("<CR>")
    editor.wait(lambda: editor.line().strip() == "st.global.u32 [counter], %r1;", "the place to be jumped to")


def test_no_prompt_interrupts_the_work(tmp_path):
    with neovim(tmp_path / "home", prompts=True) as editor:
        opened(editor, tmp_path, MISTAKE)
        editor.wait(editor.diagnostics)
        assert editor.prompts == []
        assert editor.messages() == ""
