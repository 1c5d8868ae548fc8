"""What the plugin for Neovim adds to the client: pages, descriptors, targets, commands, health check, help."""

from __future__ import annotations

import re
import shutil

import pytest

from ptx_lsp import __version__
from tests.editors.neovim import KERNEL, PLUGIN, WIDTH, Neovim, neovim, run_headless

TENSOR = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry k()
{
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<3>;
    .reg .pred %p<2>;
    mov.b32 %r1, 0x08200490;
    tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
        {%f0, %f1, %f2, %f3}, {%r3, %r4, %r5, %r6}, {%r7, %r8}, {%f0, %f1, %f2, %f3};
    ret;
}
"""


@pytest.fixture
def editor(tmp_path):
    with neovim(tmp_path / "home") as started:
        yield started


def opened(editor: Neovim, tmp_path, text: str = TENSOR) -> Neovim:
    editor.edit(tmp_path / "kernel.ptx", text)
    return editor


# ---------------------------------------------------------------------- pages


def test_the_page_of_the_word_under_the_cursor(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("mma.sync")
    editor.command("PtxLsp page")
    editor.wait(lambda: editor.page() == "ptx-lsp:/isa/mma.md", "the page")
    assert editor.lines()[0].startswith("# mma: ")
    assert editor.nvim.current.buffer.options["filetype"] == "markdown"
    assert not editor.nvim.current.buffer.options["modifiable"]
    assert len(editor.nvim.windows) == 2


def test_links_of_a_page_are_tags(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp page mma")
    editor.wait(lambda: editor.page().endswith("mma.md"), "the page")
    editor.at("](ptx-lsp:/words/", offset=-3)
    editor.keys("<C-]>")
    editor.wait(lambda: editor.page().startswith("ptx-lsp:/words/"), "the page behind the link")
    editor.keys("<C-t>")
    editor.wait(lambda: editor.page() == "ptx-lsp:/isa/mma.md", "the way back")
    assert len(editor.nvim.windows) == 2, "pages take one window"


BARRIERS = """\
.version 8.0
.target sm_90
.address_size 64
.shared .b64 full;
.visible .entry k()
{
    .reg .pred %p<2>;
    mbarrier.init.shared.b64 [full], 1;
    mbarrier.try_wait.shared.b64 %p1, [full], 0;
    ret;
}
"""


@pytest.mark.parametrize("keys", ["gf", "<CR>"])
def test_a_row_leads_to_its_line_beside_the_page(editor, tmp_path, keys):
    opened(editor, tmp_path, BARRIERS)
    editor.at("try_wait")
    editor.command("PtxLsp barriers")
    editor.wait(editor.page, "the page")
    editor.at("`mbarrier.init")
    editor.keys(keys)
    editor.wait(lambda: editor.name().endswith("kernel.ptx"), "the file")
    assert "mbarrier.init" in editor.line()
    assert len(editor.nvim.windows) == 2, "the page is still shown"


def test_a_row_without_a_link(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp page mma")
    editor.wait(editor.page, "the page")
    editor.at("# mma")
    editor.keys("gf")
    editor.said("ptx-lsp: no link in this line")


def test_k_on_a_page_opens_the_page_of_a_word(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp page index")
    editor.wait(lambda: editor.page() == "ptx-lsp:/index.md", "the list of pages")
    editor.at("E502")
    editor.keys("K")
    editor.wait(lambda: editor.page() == "ptx-lsp:/codes/E502.md", "the page of the code")


def test_a_page_can_be_edited_by_name(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("vsplit ptx-lsp:/words/%25laneid.md".replace("%", r"\%"))
    editor.wait(lambda: "%laneid" in editor.lines()[0], "the page")


def test_nothing_is_known(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp page newer-targt")
    editor.said("ptx-lsp: no page for 'newer-targt'; did you mean 'newer-target'")
    assert len(editor.nvim.windows) == 1


def test_a_page_without_a_server(editor):
    editor.command("PtxLsp page mma")
    editor.said("ptx-lsp: no server is running; open a PTX file, or see ':checkhealth ptx-lsp'")


# ---------------------------------------------------------------------- descriptors


@pytest.mark.parametrize("place", ["0x08200490", "%r1, %p1"])
def test_the_descriptor_under_the_cursor(editor, tmp_path, place):
    opened(editor, tmp_path)
    editor.at(place)
    editor.command("PtxLsp decode")
    editor.wait(lambda: editor.page().startswith("ptx-lsp:/values/idesc/"), "the page")
    assert "M128 N128" in "\n".join(editor.lines())
    assert any("M128 N128" in line for line in editor.screen())


def test_no_descriptor_is_under_the_cursor(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("ret;")
    editor.command("PtxLsp decode")
    editor.said("ptx-lsp: no descriptor under the cursor")


def test_a_number_of_the_user(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp decode 0x08200490 idesc .kind::f16")
    editor.wait(lambda: editor.page().startswith("ptx-lsp:/values/"), "the page")
    assert "M128 N128" in "\n".join(editor.lines())


def test_a_number_that_is_none(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp decode zebra idesc .kind::f16")
    assert "zebra" in editor.said("ptx-lsp: ")
    editor.command("PtxLsp decode 5")
    editor.said("':PtxLsp decode 5' needs a layout")


@pytest.mark.parametrize(
    ("place", "told"),
    [("%r1, %p1", "M128 N128"), ("0x08200490", "M128 N128"), ("%f0, ", "row `g`"), ("{%r3", "16 × 16")],
    ids=["descriptor", "literal", "fragment", "all fragments"],
)
def test_pictures_in_hovers_fit_a_narrow_window(tmp_path, place, told):
    with neovim(tmp_path / "home", size=(80, 50)) as editor:
        opened(editor, tmp_path)
        editor.at(place)
        editor.keys("K")
        text = "\n".join(editor.float())
        assert told in text
        pictures = [line for picture in text.split("```")[1::2] for line in picture.splitlines()[1:]]
        assert len(pictures) > 2
        assert [line for line in pictures if len(line) > 80] == []
        screen = "\n".join(editor.screen())
        assert [line for line in pictures if line.strip() not in screen] == [], "lines are broken on the screen"


def seen(line: str) -> str:
    """A line of Markdown without what Neovim hides of it."""
    return re.sub(r"\[([^\]]*)\]\([^)\s]*\)", r"\1", line).replace("`", "")


def test_tables_of_a_page_stand_in_columns(editor, tmp_path):
    opened(editor, tmp_path)
    editor.at("0x08200490")
    editor.command("PtxLsp decode")
    editor.wait(editor.page, "the page")
    table = [seen(line) for line in editor.lines() if line.startswith("|")]
    assert len(table) > 10
    assert len({tuple(at for at, sign in enumerate(line) if sign == "|") for line in table}) == 1


@pytest.mark.parametrize("topic", ["cp.async.bulk", "mma", "E502", "W701", ".f16x2", "index"])
def test_prose_of_a_page_fits_the_window(editor, tmp_path, topic):
    opened(editor, tmp_path)
    editor.command(f"PtxLsp page {topic}")
    editor.wait(editor.page, "the page")
    is_fenced = False
    for line in editor.lines():
        is_fenced ^= line.startswith("```")
        if not is_fenced and not line.startswith(("|", "#", "```")):
            words = re.sub(r"\[[^\]]*\]\([^)\s]*\)", "link", line).strip("- :")
            assert len(seen(line)) <= WIDTH or " " not in words, line


def test_a_page_loses_no_word(editor, tmp_path):
    opened(editor, tmp_path)
    server = editor.lua(
        """
        local client = vim.lsp.get_clients()[1]
        return client:request_sync('workspace/textDocumentContent', { uri = ... }, 5000).result.text
        """,
        "ptx-lsp:/isa/tcgen05.mma.md",
    )
    editor.command("PtxLsp page tcgen05.mma")
    editor.wait(editor.page, "the page")
    words = [word for word in server.split() if not re.fullmatch(r"[|:-]+", word)]
    assert [word for word in " ".join(editor.lines()).split() if not re.fullmatch(r"[|:-]+", word)] == words


# ---------------------------------------------------------------------- targets and other commands


def test_a_target_for_this_session(editor, tmp_path):
    opened(editor, tmp_path)
    assert (11, "E502") not in editor.diagnostics()
    editor.command("PtxLsp target sm_90a")
    editor.wait(lambda: (11, "E502") in editor.diagnostics(), "findings for the older target")
    editor.command("PtxLsp target none")
    editor.wait(lambda: (11, "E502") not in editor.diagnostics(), "findings for the file's own target")
    assert "ptx-lsp: checking files for sm_90a" in editor.messages()


def test_a_target_outlives_a_restart(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp target sm_90a")
    editor.wait(lambda: (11, "E502") in editor.diagnostics(), "findings for the older target")
    (before,) = editor.clients()
    editor.command("PtxLsp restart")
    editor.wait(lambda: editor.clients() not in ([], [before]), "a new client")
    editor.wait(lambda: (11, "E502") in editor.diagnostics(), "the same findings")


def test_a_target_is_chosen_from_a_list(editor, tmp_path):
    opened(editor, tmp_path)
    newest = editor.lua("return require('ptx-lsp.client').choices().targets")
    editor.keys(":PtxLsp target<CR>")
    editor.answer(f"{newest.index('sm_90a') + 2}<CR>")
    editor.said("ptx-lsp: checking files for sm_90a")


def test_a_target_that_is_none(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp target sm_9000")
    editor.said("ptx-lsp: unknown target 'sm_9000'; Tab lists all targets")


def test_the_header_is_written(editor, tmp_path):
    opened(editor, tmp_path, KERNEL)
    editor.command("PtxLsp set-target sm_120a")
    editor.wait(lambda: ".target sm_120a" in editor.lines(), "the new header")
    assert ".version 8.7" in editor.lines(), "a newer version is needed for it"
    editor.command("PtxLsp set-version 9.0")
    editor.wait(lambda: ".version 9.0" in editor.lines(), "the new header")
    editor.command("PtxLsp set-version")
    editor.said("ptx-lsp: :PtxLsp set-version needs an argument; Tab lists the values")


def test_all_that_has_one_fix(editor, tmp_path):
    opened(editor, tmp_path, KERNEL.replace("add.s64", "add.s46").replace("mul.wide.u32", "mul.wide.u23"))
    editor.wait(lambda: len(editor.diagnostics()) == 2, "the findings")
    editor.command("PtxLsp fix-all")
    editor.wait(lambda: editor.lines() == KERNEL.splitlines(), "the fixes")
    editor.said("ptx-lsp: 2 findings fixed")


def test_the_status(editor, tmp_path):
    opened(editor, tmp_path, KERNEL)
    editor.command("PtxLsp")
    editor.said(f"ptx-lsp: {__version__}, PTX 8.6, sm_100a, 27 lines, 0 errors, 0 warnings")


def test_the_log(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("PtxLsp log")
    editor.wait(lambda: editor.name().endswith("lsp.log"), "the log")


def test_settings_are_read_again(editor, tmp_path):
    opened(editor, tmp_path)
    (tmp_path / "ptx-lsp.toml").write_text('target = "sm_90a"\n')
    editor.command("PtxLsp reload")
    editor.wait(lambda: (11, "E502") in editor.diagnostics(), "findings for the target of the file")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "PtxLsp explode",
            "unknown command ':PtxLsp explode'; expected one of barriers, decode, fix-all, flow, ",
        ),
        ("PtxLsp page a b", ":PtxLsp page takes 1 argument at most"),
        ("PtxLsp restart now", ":PtxLsp restart takes no arguments"),
    ],
)
def test_a_command_that_is_none(editor, line, said):
    editor.command(line)
    editor.said(said)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("PtxLsp re", {"reload", "restart"}),
        ("PtxLsp target sm_100", {"sm_100", "sm_100a", "sm_100f"}),
        ("PtxLsp set-version 1.", {"1.0", "1.1", "1.2", "1.3", "1.4", "1.5"}),
        ("vertical PtxLsp page cp.async.bulk.t", {"cp.async.bulk.tensor"}),
        ("PtxLsp page E50", {"E501", "E502"}),
        ("PtxLsp decode 0x5 ides", {"idesc"}),
        ("PtxLsp restart ", set()),
        ("PtxLsp target sm_90 ", set()),
    ],
)
def test_tab_completes(editor, tmp_path, line, offered):
    opened(editor, tmp_path)
    found = set(editor.nvim.funcs.getcompletion(line, "cmdline"))
    assert found >= offered
    assert offered or not found
    assert all(word.startswith(line.split(" ")[-1]) for word in found)


def test_tab_is_typed(editor, tmp_path):
    opened(editor, tmp_path)
    editor.keys(":PtxLsp sta<Tab>")
    editor.wait(lambda: editor.nvim.funcs.getcmdline() == "PtxLsp status", "the completed command")
    editor.keys("<Esc>")


# ---------------------------------------------------------------------- help and health


def test_health(editor, tmp_path):
    opened(editor, tmp_path)
    editor.command("checkhealth ptx-lsp")
    text = editor.wait(lambda: (found := "\n".join(editor.lines())) and "Files" in found and found, "the report")
    assert "ERROR" not in text
    assert "WARNING" not in text
    assert f"is version {__version__}" in text
    assert re.search(r"it runs on Python 3\.\d+", text)
    assert "client 1: 1 file outside any project" in text
    assert "the server reports no problems in the settings" in text


def test_health_tells_of_another_client(editor, tmp_path):
    opened(editor, tmp_path)
    editor.lua("vim.lsp.start({ name = 'other', cmd = { 'ptx-lsp', '--stdio' }, filetypes = { 'ptx' } })")
    editor.wait_lua("return #vim.lsp.get_clients({ name = 'other', bufnr = 0 }) > 0")
    editor.command("checkhealth ptx-lsp")
    editor.wait(lambda: "'other' is attached to PTX files too" in "\n".join(editor.lines()), "the warning")


def test_the_help_has_valid_tags(tmp_path):
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc", ignore=shutil.ignore_patterns("tags"))
    done = run_headless(tmp_path / "home", f"helptags {tmp_path / 'doc'}")
    assert done.stderr.strip() == ""
    tags = dict(line.split("\t")[:2] for line in (tmp_path / "doc" / "tags").read_text("utf-8").splitlines())
    text = (PLUGIN / "doc" / "ptx-lsp.txt").read_text("utf-8")
    links = set(re.findall(r"\|([^|\s]+)\|", text))
    assert {"ptx-lsp", ":PtxLsp", "ptx-lsp-install", "ptx-lsp-settings"} <= set(tags)
    assert {link for link in links if "ptx" in link.lower()} <= set(tags), "every link leads somewhere"


def test_the_help_names_every_command_and_option(editor):
    text = (PLUGIN / "doc" / "ptx-lsp.txt").read_text("utf-8")
    commands = editor.nvim.funcs.getcompletion("PtxLsp ", "cmdline")
    assert len(commands) > 8
    for name in commands:
        assert f":PtxLsp {name}" in text, name
    for name in editor.lua("return vim.tbl_keys(require('ptx-lsp.options').chosen)"):
        assert re.search(rf"^{name} ", text, re.MULTILINE), name


def test_the_help_is_narrow():
    text = (PLUGIN / "doc" / "ptx-lsp.txt").read_text("utf-8")
    assert [line for line in text.splitlines() if len(line) > 79] == []
