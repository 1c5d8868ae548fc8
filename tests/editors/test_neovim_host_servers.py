"""Neovim with two servers on one file: ours within strings, clangd or pyright everywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.neovim import Neovim, neovim
from tests.editors.programs import clangd, pyright

FLAGS = "-xcuda\n-nocudainc\n-nocudalib\n--cuda-gpu-arch=sm_80\n"
CUDA = """\
#define __device__ __attribute__((device))

__device__ int twice(int &value) {
  asm("{ .reg .u32 %%t;\\n\\t"
      "add.s3 %0, %0, 1;\\n\\t"
      "}" : "+r"(value));
  int other = missing;
  return other;
}
"""
TRITON = """\
import triton.language as tl


def kernel(values):
    packed = tl.inline_asm_elementwise(
        "cvt.rn.bf16x2.f23 $0, $2, $1;", "=r,r,r", [values, values], tl.int32, True, 2
    )
    return packed + undefined_name
"""


def init(name: str, command: list[str], filetype: str) -> str:
    """A user's configuration: a server of the language, and ours."""
    words = ", ".join(f"[[{word}]]" for word in command)
    return f"""
    vim.o.completeopt = 'menuone,noinsert'
    vim.lsp.config('{name}', {{ cmd = {{ {words} }}, filetypes = {{ '{filetype}' }} }})
    vim.lsp.enable('{name}')
    """


@pytest.fixture
def cuda(tmp_path: Path) -> Iterator[Neovim]:
    """A file of CUDA C++ with clangd and our plugin as it is."""
    (tmp_path / "compile_flags.txt").write_text(FLAGS)
    source = tmp_path / "kernel.cu"
    source.write_text(CUDA)
    with neovim(tmp_path / "home", init=init("clangd", clangd(), "cuda"), files=[source], size=(100, 40)) as editor:
        editor.wait(lambda: len(findings(editor)) > 1, "the findings of both")
        yield editor


def findings(editor: Neovim) -> set[int]:
    """The lines with errors."""
    return {one["lnum"] + 1 for one in editor.lua("return vim.diagnostic.get(0)") if one["severity"] == 1}


def attached(editor: Neovim) -> set[str]:
    return set(editor.lua("return vim.tbl_map(function(one) return one.name end, vim.lsp.get_clients({ bufnr = 0 }))"))


def groups(editor: Neovim, words: str) -> set[str]:
    """The groups of semantic tokens at the first place of these words."""
    editor.at(words)
    row, column = editor.cursor()
    return {
        mark["hl_group"]
        for mark in editor.marks("semantic_tokens")
        if mark["row"] == row and mark["column"] == column and "hl_group" in mark
    }


def test_both_are_attached_and_report(cuda: Neovim) -> None:
    assert attached(cuda) == {"clangd", "ptx_lsp"}
    assert findings(cuda) == {5, 7}


def test_hovers_within_a_string_and_outside(cuda: Neovim) -> None:
    cuda.at("add.s3")
    cuda.keys("K")
    assert "add.u32" in "\n".join(cuda.float())
    cuda.close_floats()
    cuda.at("other = ")
    cuda.keys("K")
    text = "\n".join(cuda.float())
    assert "int other" in text
    assert "ptx" not in text.lower()


def test_completion_within_a_string(cuda: Neovim) -> None:
    cuda.at('"}"')
    cuda.keys('O"sub.<C-x><C-o>')
    words = cuda.menu()
    assert any(word.lstrip(".") == "s32" for word in words), words
    assert not any("twice" in word for word in words)


def test_the_definition_of_an_operand_is_its_expression(cuda: Neovim) -> None:
    cuda.at("%0, 1")
    cuda.keys("<C-]>")
    cuda.wait(lambda: cuda.cursor() == (6, CUDA.splitlines()[5].index("value")), "the expression")


def test_a_fix_within_a_string(cuda: Neovim) -> None:
    cuda.at("s3 %0")
    cuda.lua(
        """
        vim.lsp.buf.code_action({ apply = true, filter = function(action)
          return action.title:find('.s32', 1, true) ~= nil
        end })
        """
    )
    cuda.wait(lambda: '      "add.s32 %0, %0, 1;\\n\\t"' in cuda.lines(), "the fix")
    cuda.wait(lambda: findings(cuda) == {7}, "the finding to go")


def test_words_of_ptx_are_coloured(cuda: Neovim) -> None:
    cuda.wait(lambda: "@lsp.type.opcode.cuda" in groups(cuda, "add.s3"), "the tokens of PTX")
    cuda.wait(lambda: "@lsp.type.function.cuda" in groups(cuda, "twice"), "the tokens of C++")
    assert "@lsp.type.register.cuda" in groups(cuda, "%%t;")
    assert cuda.link("@lsp.type.opcode.cuda") == "@lsp.type.keyword"


def test_the_page_of_a_word_in_a_template(cuda: Neovim) -> None:
    cuda.at('"}"')
    cuda.keys('O"mov.u32 %0, %%laneid;"<Esc>')
    cuda.at("laneid")
    cuda.command("PtxLsp page")
    cuda.wait(lambda: cuda.page() == "ptx-lsp:/words/%25laneid.md", "the page")


def test_a_restart(cuda: Neovim) -> None:
    """Ours serves the file again; clangd continues."""
    (before,) = cuda.clients()
    cuda.command("PtxLsp restart")
    cuda.wait(lambda: cuda.clients() not in ([], [before]), "a new client")
    cuda.wait(lambda: findings(cuda) == {5, 7}, "the findings of both")


def test_the_plugin_leaves_other_languages_alone(tmp_path: Path) -> None:
    """Only CUDA is served without a setting."""
    source = tmp_path / "kernel.py"
    source.write_text(TRITON)
    with neovim(tmp_path / "home", init=init("pyright", pyright(), "python"), files=[source]) as editor:
        editor.wait(lambda: 8 in findings(editor), "the finding of pyright")
        assert 6 not in findings(editor)
        assert attached(editor) == {"pyright"}


def test_triton_with_pyright(tmp_path: Path) -> None:
    source = tmp_path / "kernel.py"
    source.write_text(TRITON)
    chosen = "\nrequire('ptx-lsp').setup({ inline_assembly = { 'python' } })"
    with neovim(tmp_path / "home", init=init("pyright", pyright(), "python") + chosen, files=[source]) as editor:
        editor.wait(lambda: findings(editor) >= {6, 8}, "the findings of both")
        editor.at("cvt.rn")
        editor.keys("K")
        assert "cvt.rn.bf16x2" in "\n".join(editor.float())


def test_the_ptx_of_a_source_line(tmp_path: Path) -> None:
    """``:PtxLsp source`` lists the places in the open PTX file."""
    source, generated = tmp_path / "kernel.cu", tmp_path / "kernel.ptx"
    source.write_text("__global__ void kernel(int *x) {\n  *x = 1;\n}\n")
    generated.write_text(
        f'.version 8.0\n.target sm_80\n.address_size 64\n.file 1 "{source}"\n.entry kernel(.param .u64 x)\n{{\n'
        ".reg .b64 %rd<2>;\n.loc 1 2 3\nld.param.u64 %rd1, [x];\nst.global.u32 [%rd1], 1;\n.loc 1 3 1\nret;\n}\n"
    )
    with neovim(tmp_path / "home") as editor:
        editor.edit(generated)
        editor.nvim.command(f"split {source}")
        editor.at("*x = 1")
        editor.command("PtxLsp source")
        found = editor.wait(editor.nvim.funcs.getqflist, "the list")
        assert [one["lnum"] for one in found] == [8], "the line of .loc"
        editor.nvim.command(f"cclose | drop {source}")
        editor.at("__global__")
        editor.command("PtxLsp source")
        editor.said("ptx-lsp: no open PTX file has code of this line")
