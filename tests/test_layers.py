"""Imports run one way; the picture is in docs/architecture.md.

text, diagnostic, … ← hosts, isa, syntax ← layouts ← analysis ← checks ← features ← server, cli
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from imports import Tree, cycles, misplaced_libraries, package_graph, sideways, upward

from ptx_lsp.checks import all_checks
from ptx_lsp.checks.support.check import HOOKS
from ptx_lsp.codes import NAMES

ROOT = Path(__file__).parent.parent / "ptx_lsp"
TREE = Tree.read(ROOT)

FLOORS = {
    "names": 1,
    "hosts": 1,
    "isa": 1,
    "syntax": 1,
    "layouts": 2,
    "analysis": 3,
    "embedded": 4,
    "checks": 5,
    "features": 6,
    "server": 7,
    "cli": 7,
}
"""Folder to floor; a module at the top (text.py, settings.py …) is on the ground."""

DOORS = {("ptx_lsp.cli.entry", "server"), ("ptx_lsp.__main__", "cli")}
"""Imports between neighbours on purpose: where the process begins."""

MAY_IMPORT = {
    "lark": {"isa/pages/notation.py", "syntax/automaton/tables.py"},
    "pygls": {"server/*"},
    "lsprotocol": {"server/*"},
    "rich": {"cli/*"},
    "argparse": {"cli/*", "server/*", "*/__main__.py"},
}
"""The modules that may import a library."""


def rule_of(module: str) -> str | None:
    """The rule that a module is: a file of ``checks`` with ``RULE``."""
    return module if module.startswith("ptx_lsp.checks.") and TREE.assigns(module, "RULE") else None


def feature_of(module: str) -> str | None:
    """The feature that a module belongs to: what the server or the terminal imports from ``features``."""
    name = ".".join(module.split(".")[:3])
    return name if name in _served() else None


@cache
def _served() -> frozenset[str]:
    return frozenset(
        ".".join(target.split(".")[:3])
        for module, targets in TREE.graph.items()
        if module.startswith(("ptx_lsp.server", "ptx_lsp.cli"))
        for target in targets
        if target.startswith("ptx_lsp.features.")
    )


SHARED_FEATURES = {"ptx_lsp.features.pages", "ptx_lsp.features.value_pages"}
"""Pages are shown by themselves, and other features link to them."""


def test_imports_lead_to_lower_floors():
    assert not upward(TREE, FLOORS, DOORS)


def test_libraries_stay_where_they_belong():
    assert not misplaced_libraries(TREE, MAY_IMPORT)


def test_files_form_no_cycle():
    assert not cycles(TREE.graph)


def test_folders_form_no_cycle():
    graph = package_graph(TREE)
    graph.pop("ptx_lsp")  # values that all floors use, and where the process begins
    assert not cycles(graph)


def test_every_rule_is_found():
    assert {rule_of(check.name) for check in all_checks()} == {check.name for check in all_checks()}


def public_constants(tree: Tree) -> list[str]:
    """The constants of rules that look like something to be found from outside; functions are checked by ``Check``."""
    return [
        f"{check.name}.{name}"
        for check in all_checks()
        for name in sorted(tree.constants(check.name))
        if name not in ("RULE", *HOOKS) and not name.startswith("_")
    ]


def test_rules_have_no_other_constant_that_is_public():
    assert not public_constants(TREE)


def test_a_misspelt_constant_of_a_rule_is_found():
    tree = changed("ptx_lsp/checks/rules/names/alias.py", "\nPHASE = 1\n")
    assert public_constants(tree) == ["ptx_lsp.checks.rules.names.alias.PHASE"]


def test_rules_do_not_import_each_other():
    assert not sideways(TREE, rule_of)


def test_only_the_contents_page_names_rules():
    named = {
        f"{module} imports {target}"
        for module, targets in TREE.graph.items()
        if module.startswith("ptx_lsp.checks.")
        for target in targets
        if rule_of(target) is not None
    }
    assert not named


def test_features_do_not_import_each_other():
    assert not sideways(TREE, lambda module: None if module in SHARED_FEATURES else feature_of(module))


def test_codes_of_rules_are_in_the_table():
    assert {check.rule.code: check.rule.name for check in all_checks()}.items() <= NAMES.items()


def changed(path: str, text: str) -> Tree:
    """The tree with another text in one file."""
    return Tree({**TREE.sources, path: TREE.sources[path] + text})


def test_a_new_cycle_is_found_also_if_it_is_lazy_or_of_annotations():
    begins = "ptx_lsp/text.py"
    for line in (
        "\nfrom ptx_lsp.diagnostic import Diagnostic\n",
        "\ndef lazy():\n    from ptx_lsp.diagnostic import Diagnostic\n",
        "\nif TYPE_CHECKING:\n    from ptx_lsp.diagnostic import Diagnostic\n",
    ):
        assert {"ptx_lsp.text", "ptx_lsp.diagnostic"} in cycles(changed(begins, line).graph)


def test_an_import_that_leads_up_is_found():
    tree = changed("ptx_lsp/isa/match.py", "\ndef lazy():\n    from ptx_lsp.checks.support import finding\n")
    assert upward(tree, FLOORS, DOORS) == ["ptx_lsp.isa.match imports ptx_lsp.checks.support.finding"]


def test_an_import_between_two_rules_is_found():
    rules = "ptx_lsp.checks.rules"
    tree = changed("ptx_lsp/checks/rules/names/alias.py", f"\nimport {rules}.operands.operand_type\n")
    assert sideways(tree, rule_of) == [f"{rules}.names.alias imports {rules}.operands.operand_type"]


def test_an_import_between_two_features_is_found():
    tree = changed("ptx_lsp/features/references.py", "\nfrom ptx_lsp.features.hover.parts import render\n")
    assert "ptx_lsp.features.references imports ptx_lsp.features.hover.parts.render" in sideways(tree, feature_of)


def test_a_misplaced_library_is_found():
    tree = changed("ptx_lsp/features/references.py", "\nimport lsprotocol.types\n")
    assert misplaced_libraries(tree, MAY_IMPORT) == ["ptx_lsp.features.references imports lsprotocol.types"]
