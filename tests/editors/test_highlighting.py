"""The generated files in the programs that read them: VS Code's own engine, Neovim, Vim, Kate's highlighter, bat."""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from editors.generate.scopes import SCOPES
from ptx_lsp.features.semantic_tokens.legend import TokenType
from tests.editors.programs import needed

EDITORS = Path(__file__).parent.parent.parent / "editors"
KERNEL = """\
.version 8.5
.target sm_90a, debug
.visible .entry f(.param .u64 p)
{
    .reg .pred %p<2>;
$L__BB0_1:
    @!%p1 bra $L__BB0_1;
    ld.weak.shared::cta.v2.u32 {%r1, add}, [%rd1+0x10]; // why
    cp.async.bulk.commit_group;
    mov.u32 %r1, %tid.x;
    fma.rn.f32 %f1, %f2, 0f3F800000, 1.5;
    frob.u32 %r1
    ret;
}
"""
LOOKS = {
    (1, ".version"): "Directive",
    (1, "8.5"): "Float",
    (2, "sm_90a"): "Constant",
    (2, "debug"): "Constant",
    (3, ".entry"): "Directive",
    (3, "f"): "Function",
    (3, ".param"): "Space",
    (3, ".u64"): "Type",
    (5, ".pred"): "Type",
    (5, "%p"): "Register",
    (6, "$L__BB0_1"): "Label",
    (7, "%p1"): "Register",
    (7, "bra"): "Opcode",
    (7, "$L__BB0_1"): "Label",
    (8, "ld"): "Opcode",
    (8, ".weak"): "Order",
    (8, ".shared::cta"): "Space",
    (8, ".v2"): "Shape",
    (8, "add"): "",
    (8, "0x10"): "Number",
    (8, "// why"): "Comment",
    (9, "cp.async.bulk.commit_group"): "Opcode",
    (10, "%tid"): "SpecialRegister",
    (11, ".rn"): "Rounding",
    (11, "0f3F800000"): "Float",
    (12, "frob"): "",
    (13, "ret"): "Opcode",
}
"""How a word of a line looks. The names of the looks are those of the groups in Vim."""


def test_the_suites_in_vs_codes_own_engine():
    tool = needed("vsce") / ".bin" / "vscode-tmgrammar-test"
    done = subprocess.run(
        [tool, "test/grammar/*.ptx"],
        cwd=EDITORS / "vscode",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("✓") == len(list((EDITORS / "vscode/test/grammar").glob("*.ptx")))


@pytest.mark.parametrize("program", ["nvim", "vim"])
def test_vim(program, tmp_path):
    """Each character of a word has the group that it should have."""
    path = needed(program)
    (tmp_path / "kernel.ptx").write_text(KERNEL)
    lines = KERNEL.splitlines()
    places = [(line, lines[line - 1].rindex(word) + 1 + at) for line, word in LOOKS for at in (0, len(word) - 1)]
    script = [
        "set nocompatible",
        f"set runtimepath^={EDITORS}/neovim",
        "syntax on",
        f"edit {tmp_path}/kernel.ptx",
        "set filetype=ptx",
        "let found = []",
        *(f"call add(found, synIDattr(synID({line}, {column}, 1), 'name'))" for line, column in places),
        f"call writefile(found, '{tmp_path}/found')",
        "qa!",
    ]
    (tmp_path / "script.vim").write_text("\n".join(script))
    options = ["--headless"] if program == "nvim" else ["-es", "-N"]
    done = subprocess.run(
        [path, "-u", "NONE", "-i", "NONE", *options, "-S", tmp_path / "script.vim"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    groups = (tmp_path / "found").read_text().split("\n")
    ends = {key: groups[2 * number : 2 * number + 2] for number, key in enumerate(LOOKS)}
    wanted = {key: [f"ptx{look}" if look else ""] * 2 for key, look in LOOKS.items()}
    # What has no colour may belong to a group without one.
    ends = {key: ["" if group == "ptxUnknown" else group for group in pair] for key, pair in ends.items()}
    assert ends == wanted, done.stderr


_SCOPES = {
    "Opcode": TokenType.OPCODE,
    "SpecialRegister": TokenType.SPECIAL,
    "Float": TokenType.NUMBER,
    "": None,
}


def test_sublime_in_bat(tmp_path):
    """bat reads syntax definitions of Sublime Text; with a theme of one colour for each scope it shows the scopes."""
    tool = shutil.which("batcat") or shutil.which("bat")
    if tool is None:
        pytest.skip("bat is needed (Debian: apt install bat)")
    for folder, path in {"syntaxes": EDITORS / "sublime" / "PTX.sublime-syntax", "themes": None}.items():
        (tmp_path / folder).mkdir()
        if path:
            shutil.copy(path, tmp_path / folder)
    # In the other programs all registers look alike.
    kinds = [kind for kind in SCOPES if kind is not TokenType.PREDICATE]
    settings = [{"settings": {"foreground": "#000000", "background": "#ffffff"}}]
    for number, kind in enumerate(kinds, 1):
        settings.append(
            {
                "scope": SCOPES[kind].removesuffix(".ptx"),
                "settings": {"foreground": f"#0000{number:02x}"},
            }
        )
    theme = plistlib.dumps({"name": "scopes", "settings": settings})
    (tmp_path / "themes" / "scopes.tmTheme").write_bytes(theme)
    (tmp_path / "kernel.ptx").write_text(KERNEL)
    environment = {
        **os.environ,
        "COLORTERM": "truecolor",
        "BAT_CACHE_PATH": str(tmp_path / "cache"),
        "HOME": str(tmp_path),
    }
    build = [tool, "cache", "--build", "--source", tmp_path, "--target", tmp_path / "cache"]
    subprocess.run(build, check=True, capture_output=True, timeout=120, env=environment)
    show = [tool, "--language", "PTX", "--theme", "scopes", "--color", "always", "--plain", tmp_path / "kernel.ptx"]
    done = subprocess.run(show, check=True, capture_output=True, text=True, timeout=60, env=environment)
    for line, row in enumerate(done.stdout.splitlines(), 1):
        shown = {}
        at = 0
        for blue, text in re.findall(r"\x1b\[38;2;0;0;(\d+)m([^\x1b]*)", row):
            shown |= dict.fromkeys(range(at, at + len(text)), int(blue))
            at += len(text)
        for word, look in [(word, look) for (number, word), look in LOOKS.items() if number == line]:
            kind = _SCOPES[look] if look in _SCOPES else TokenType[look.upper()]
            start = KERNEL.splitlines()[line - 1].rindex(word)
            colours = {shown[start + at] for at in range(len(word))}
            found = {kinds[colour - 1] if colour else None for colour in colours}
            assert found == {kind}, (line, word)


_KATE = {
    "Opcode": "Instruction",
    "Space": "State Space",
    "SpecialRegister": "Special Register",
    "Order": "Memory Order",
    "Rounding": "Rounding Mode",
    "Number": "Base-N",
    "": "Normal Text",
}


def test_kate(tmp_path):
    tool = shutil.which("kate-syntax-highlighter") or shutil.which("ksyntaxhighlighter6")
    if tool is None:
        pytest.skip("Kate's highlighter is needed (Debian: apt install libkf5syntaxhighlighting-tools)")
    folder = tmp_path / "org.kde.syntax-highlighting" / "syntax"
    folder.mkdir(parents=True)
    shutil.copy(EDITORS / "kate" / "ptx.xml", folder)
    (tmp_path / "kernel.ptx").write_text(KERNEL)
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [tool, "-s", "PTX", "-f", "ansi", "--syntax-trace", "format", "--no-ansi-background", tmp_path / "kernel.ptx"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )
    assert "PTX" not in done.stderr, done.stderr
    shown = _traced(done.stdout)
    for (line, word), look in LOOKS.items():
        column = KERNEL.splitlines()[line - 1].rindex(word)
        start = max(start for start in shown[line] if start <= column)
        assert shown[line][start] == _KATE.get(look, look), (line, word)


def _traced(text: str) -> dict[int, dict[int, str]]:
    """The names of the formats by line and first column, as the highlighter writes them below each line."""
    styles = re.findall(r'itemData name="([^"]+)"', (EDITORS / "kate" / "ptx.xml").read_text("utf-8"))
    names = re.compile("|".join(styles))
    sources = KERNEL.splitlines()
    formats: dict[int, dict[int, str]] = {}
    number = 0
    for row in re.sub(r"\x1b\[[0-9;]*[mK]", "", text).split("\n"):
        if number < len(sources) and row == sources[number]:
            number += 1
            formats[number] = {}
        else:
            for name in names.finditer(row):
                formats[number].setdefault(name.start(), name[0])
    return formats
