"""Imports run one way; the picture is in docs/architecture.md.

text, diagnostic, … ← isa, syntax ← layouts ← analysis ← checks ← features ← server, cli
"""

from __future__ import annotations

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "ptx_lsp"

FLOORS = {
    "isa": 1,
    "syntax": 1,
    "layouts": 2,
    "analysis": 3,
    "checks": 4,
    "features": 5,
    "server": 6,
    "cli": 6,
}
"""Folder to floor; a module at the top (text.py, settings.py …) is on the ground."""

MAY_IMPORT = {
    "lark": {"isa/notation.py", "syntax/parser.py", "isa/tools/*", "syntax/tools/*"},
    "pygls": {"server/*"},
    "lsprotocol": {"server/*"},
    "rich": {"cli/*"},
    "argparse": {"cli/*", "server/*", "*/tools/*", "*/__main__.py"},
}
"""What only some modules may import."""

DOORS = {("cli/entry.py", "server"), ("__main__.py", "cli")}
"""Arrows that go between neighbours on purpose: where the process begins."""

MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def imports(module: Path) -> set[str]:
    """The full names that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / module).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def folder_of(name: str) -> str:
    """The folder below ptx_lsp that a full name or a relative path is in; "" for the ground."""
    parts = name.replace("\\", "/").removeprefix("ptx_lsp.").replace("/", ".").split(".")
    return parts[0] if parts[0] in FLOORS else ""


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_arrows_point_downwards(module):
    here = folder_of(str(module))
    for name in imports(module):
        if not name.startswith("ptx_lsp."):
            continue
        there = folder_of(name)
        if there == here or (module.as_posix(), there) in DOORS:
            continue
        assert FLOORS.get(there, 0) < FLOORS.get(here, 0), f"{module} imports {name}: {here or 'ground'} → {there}"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_libraries_stay_where_they_belong(module):
    for name in imports(module):
        library = name.split(".")[0]
        places = MAY_IMPORT.get(library)
        if places is not None:
            assert any(fnmatch(module.as_posix(), place) for place in places), f"{module} imports {library}"


@pytest.mark.parametrize("folder", ["checks", "features"])
def test_neighbours_do_not_know_each_other(folder):
    """A check or a feature is a module with a function of its own; the others in its folder are shared helpers."""
    single = {path.stem for path in (ROOT / folder).glob("*.py") if _is_one_of_many(path, folder)}
    for stem in single:
        for name in imports(Path(folder, f"{stem}.py")):
            parts = name.split(".")
            if parts[:2] == ["ptx_lsp", folder] and len(parts) > 2:
                assert parts[2] not in single, f"{folder}/{stem}.py imports {name}"


def _is_one_of_many(path: Path, folder: str) -> bool:
    names = {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}
    return path.stem != "__init__" and ("check" in names if folder == "checks" else path.stem in names)


def test_codes_of_checks_are_in_the_table():
    """Each check gives a code by number and name; the table of codes has the same pair."""
    from ptx_lsp.codes import NAMES

    for path in (ROOT / "checks").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.value.args) >= 2:
                first, second = node.value.args[:2]
                if isinstance(first, ast.Constant) and str(first.value)[1:].isdecimal():
                    assert isinstance(second, ast.Constant)
                    assert NAMES.get(first.value) == second.value, path.name
