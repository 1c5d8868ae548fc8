"""The walks of CONTRIBUTING.md: a copy of the checkout in which they are taken, step by step."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def section(heading: str) -> str:
    """The text below a heading."""
    return TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def blocks(heading: str, language: str) -> list[str]:
    """The fenced blocks of a section, without the indentation of the list that they stand in."""
    found = re.findall(rf"^   (`{{3,}}){language}\n(.*?)^   \1$", section(heading), re.DOTALL | re.MULTILINE)
    return [re.sub(r"^   ", "", text, flags=re.MULTILINE) for _, text in found]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the walks change, and what they run."""
    unneeded = shutil.ignore_patterns("node_modules", "vscode")
    for folder in ("ptx_lsp", "grammar", "tests", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=unneeded)
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(checkout: Path, *arguments: str) -> str:
    """Run a module of Python in the copy; what it prints."""
    command = [sys.executable, "-m", *arguments]
    # With temporary folders of its own, or it would look for old ones to delete.
    environment = {"PYTHONPATH": str(checkout), "PYTEST_DEBUG_TEMPROOT": str(checkout.parent)}
    done = subprocess.run(
        command, cwd=checkout, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def insert(path: Path, before: str, line: str) -> None:
    """Put a line before the one that begins with some words."""
    text = path.read_text("utf-8")
    assert text.count(before) == 1, before
    path.write_text(text.replace(before, f"{line.rstrip()}\n{before}"), "utf-8")


def test_add_a_rule(checkout):
    code, rule = blocks("Add a rule", "python")
    insert(checkout / "ptx_lsp/codes.py", '    "W620":', code)
    (checkout / "ptx_lsp/checks/rules/suspicious/same_choice.py").write_text(rule, "utf-8")
    contents = checkout / "ptx_lsp/checks/__init__.py"
    insert(contents, '        "suspicious.misaligned_access":', '        "suspicious.same_choice": ALWAYS,')
    assert run(checkout, "ptx_lsp", "explain", "W615").startswith("# W615 same-choice\n")
    golden = checkout / "tests/diagnostics/constants.ptx"
    with golden.open("a", encoding="utf-8") as file:
        file.write("\n//- sm_80 ptx 7.0\nselp.b32 %r1, %r2, %r2, %p1;\nselp.b32 %r1, %r2, %r3, %p1;\n")
    run(checkout, "pytest", "tests/checks/test_diagnostics.py", "-k", "constants", "--update")
    assert golden.read_text("utf-8").endswith(
        "%r2, %r2, %p1;\n//                 ^^^ warning[W615]: both choices are '%r2'\nselp.b32 %r1, %r2, %r3, %p1;\n"
    )
    run(checkout, "pytest", "tests/checks", "tests/test_layers.py", "-k", "W615 or constants or layers")


def test_add_an_instruction(checkout):
    (page,) = blocks("Add an instruction", "markdown")
    (checkout / "grammar/isa/arithmetic/brev.md").write_text(page, "utf-8")
    run(checkout, "pytest", "tests/checks/test_pages.py", "-k", "brev", "--update")
    assert "error[E302]" in (checkout / "grammar/isa/arithmetic/brev.md").read_text("utf-8")
    run(checkout, "ptx_lsp.isa.build")
    run(checkout, "tests.features.snapshots")
    assert run(checkout, "ptx_lsp", "explain", "brev").startswith("# brev: bits in reverse order\n")
    run(checkout, "pytest", "tests/isa", "tests/checks", "tests/features", "-k", "brev")


def test_add_a_feature(checkout):
    feature, test, handler, lines = blocks("Add a feature for editors", "python")
    handlers, providers = lines.splitlines()
    (checkout / "ptx_lsp/features/moniker.py").write_text(feature, "utf-8")
    (checkout / "tests/features/test_moniker.py").write_text(test, "utf-8")
    run(checkout, "pytest", "tests/features/test_moniker.py")
    (checkout / "ptx_lsp/server/handlers/moniker.py").write_text(handler, "utf-8")
    contents = checkout / "ptx_lsp/server/handlers/__init__.py"
    insert(contents, "\nHANDLERS: ", "from ptx_lsp.server.handlers.moniker import monikers")
    insert(contents, "    types.TEXT_DOCUMENT_HOVER:", handlers)
    insert(checkout / "ptx_lsp/server/capabilities.py", '    "textDocument/hover":', providers)
    row = '    Row("moniker", "U", "a name", "textDocument/moniker", _at("kernel("), "monikerProvider"),'
    insert(checkout / "tests/server/served.py", '    Row("documentLink"', row)
    run(checkout, "pytest", "tests/server/test_features_page.py", "--update")
    assert "| moniker | U | `monikerProvider` | a name |" in (checkout / "docs/features.md").read_text("utf-8")
    run(checkout, "pytest", "tests/server/test_capabilities.py", "tests/test_layers.py")
