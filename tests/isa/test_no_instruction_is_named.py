"""Facts about instructions stand on their pages: the code that matches them, and rules about their order, name none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.deviation import IMPLIED, LENIENT, STRICT

ROOT = Path(__file__).parent.parent.parent / "ptx_lsp"

WORDS_OF_THE_NOTATION = {"and", "or", "not", "@"}
"""Mnemonics that are words of the notation of pages too."""


def names_of_instructions() -> set[str]:
    """All names of pages and mnemonics but words of the notation."""
    return {*catalogue().names, *catalogue().mnemonics} - WORDS_OF_THE_NOTATION


def named(text: str, names: set[str]) -> list[tuple[int, str]]:
    """The string constants of a module that are names of instructions, with their lines; docstrings aside."""
    tree = ast.parse(text)
    return [(node.lineno, node.value) for node in _strings(tree) if node.value in names]


def _strings(tree: ast.AST) -> Iterator[ast.Constant]:
    """The string constants of a module that are values: no statements by themselves."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node


FOLDERS = ("isa", "checks", "analysis/synchronization")
"""Where no instruction is named; texts of fixes are statements, which end in a semicolon."""

OF_ONE_INSTRUCTION = frozenset(
    {
        "checks/rules/dataflow/unused_result.py",
        "checks/rules/dataflow/wrong_space_address.py",
        "checks/rules/operands/operand_kind.py",
        "checks/rules/operands/operand_value.py",
        "checks/rules/suspicious/no_effect.py",
        "checks/rules/suspicious/unlikely_value.py",
        "checks/rules/target/texture_mode.py",
    }
)
"""Rules that name the instructions that they are about: copies, conversions, accesses. None may be added."""

OF_VALUES = frozenset(
    f"analysis/synchronization/{name}.py"
    for name in (
        "memory_locations",
        "operation_registers",
        "path_results",
        "path_values",
        "ring_indices",
        "wait_results",
    )
)
"""Files that compute the results of instructions."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_instruction_is_named(folder):
    names = names_of_instructions()
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    naming = {str(path.relative_to(ROOT)): found for path in files if (found := named(path.read_text("utf-8"), names))}
    excepted = {name for name in OF_ONE_INSTRUCTION | OF_VALUES if name.startswith(f"{folder}/")}
    assert {name: found for name, found in naming.items() if name not in excepted} == {}
    assert excepted <= naming.keys(), "an exception that is not needed"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('if form.mnemonic == "cvt": pass', ["cvt"]),
        ('PAGES = frozenset({"mma.sp", "tex"})', ["mma.sp", "tex"]),
        ('GATES = {"vadd": 1}', ["vadd"]),
        ('"""Of `mov`, and of mov."""', []),
        ('"mov"', []),
        ('WORDS = ("mov.u32", ".mov", "and")', []),
    ],
)
def test_a_name_is_found_where_it_is_data(line, found):
    assert sorted(name for _, name in named(line, names_of_instructions())) == found


def test_every_behaviour_of_ptxas_is_on_a_page_and_in_the_code():
    """A ``lenient`` or ``strict`` behaviour that no page has, or that nothing implements, is a leftover."""
    on_pages = {one.behaviour for page in catalogue().instructions for form in page.forms for one in form.deviations}
    files = [*(ROOT / "isa" / "matching").glob("*.py"), ROOT / "isa" / "match.py"]
    in_code = {node.value for path in files for node in _strings(ast.parse(path.read_text("utf-8")))}
    assert on_pages == {*LENIENT, *STRICT}
    assert {*LENIENT, *STRICT} - in_code - set(IMPLIED) == set()
