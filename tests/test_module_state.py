"""No module holds state: what grows or changes belongs to a document, or is one of the named tables of the process."""

from __future__ import annotations

from pathlib import Path

import pytest
from imports import Tree
from module_state import caches_of_documents, changed_containers, changing_objects, rebound_globals

TREE = Tree.read(Path(__file__).parent.parent / "ptx_lsp")

TABLES_OF_THE_PROCESS = {
    "ptx_lsp.syntax.shape.SHAPES": "only a new shape is parsed, in whatever document it is",
    "ptx_lsp.syntax.parse_statement._FAULTY": "a statement is parsed for its shape, and soon after for its mistakes",
    "ptx_lsp.syntax.errors._NOTED": "of the tables of functools none distinguishes long texts from short ones",
    "ptx_lsp.syntax.errors._ERRORS": "those of a long statement are found in steps, before they are asked for",
    "ptx_lsp.syntax.parse_statement._TREES": "by terminals: only the opcode or a type differs",
    "ptx_lsp.syntax.token_columns._KEPT": "a long statement is read for its shape, and soon after for what it declares",
    "ptx_lsp.analysis.symbols.symbols.OPERANDS": "numbers for meanings, which the memos of matchers have as keys",
    "ptx_lsp.analysis.statements.register_names.MEMBERS": "the names %r0, %r1 … are the same in all functions",
    "ptx_lsp.analysis.descriptors.packed_operands._BY_MEANING": "by shape, matcher and meanings",
    "ptx_lsp.analysis.descriptors.packed_operands.tensor_shapes": "a set of shapes",
    "ptx_lsp.analysis.descriptors.packed_operands.looked_at_shapes": "a set of shapes",
    "ptx_lsp.analysis.dataflow.transfer_functions._BY_SHAPE": "by shape",
    "ptx_lsp.isa.model.language_level.ANYWHERE": "by gate of a page, for a version and target beyond all others",
    "ptx_lsp.isa.model.language_level.DOCUMENTED": "by gate of a page, for a version and target beyond all others",
    "ptx_lsp.checks.engine.examination._PREFILTER": "by shape and text of short statements",
    "ptx_lsp.checks.embedded.structure._KNOWN": "by text of short statements",
    "ptx_lsp.checks.embedded.known_verdicts.VERDICTS": "by text, operands and targets: sources repeat statements",
    "ptx_lsp.checks.embedded.known_verdicts._CODES": "by text without names and numbers",
    "ptx_lsp.checks.embedded.known_verdicts._UNREADABLE": "by text without names and numbers",
    "ptx_lsp.checks.embedded.likeness._KNOWN": "by text of short statements",
    "ptx_lsp.hosts.alike._KNOWN": "by text of short statements without digits",
    "ptx_lsp.hosts.c_statement._VARIANTS": "by what branches leave of the texts of short statements",
    "ptx_lsp.process_cache.MEMOIZED": "the memos of all functions that have one, to be emptied",
    "ptx_lsp.process_cache.KEPT_BY_SHAPE": "the memos of functions of a shape, to be emptied",
    "ptx_lsp.analysis.statements.matcher._ANSWERS": "a count of answers by shape and meanings",
    "ptx_lsp.analysis.statements.matcher._MATCHES": "a count of matches by shape and meanings",
    "ptx_lsp.analysis.statements.accesses._SHAPES": "a count of answers by shape",
    "ptx_lsp.analysis.statements.operand_advice._ADVICE": "a count of answers by shape and match",
}
"""Objects at the top of a module that change, and what they depend on: never on one document."""

OF_DOCUMENTS = frozenset(
    "Checker Chunk ChunkSummary Cursor Diagnostic Document Finding Flow Function Module Place Scope Statement "
    "StatementContext Symbol".split()
)
"""Types whose objects belong to a document: a cache that has them as keys keeps closed documents in memory."""


def test_no_container_at_the_top_of_a_module_is_changed():
    assert changed_containers(TREE) == []


def test_no_function_assigns_a_global():
    assert rebound_globals(TREE) == []


def test_tables_of_the_process_are_listed():
    assert set(changing_objects(TREE)) == set(TABLES_OF_THE_PROCESS)


def test_no_cache_of_the_process_keeps_a_document():
    assert caches_of_documents(TREE, OF_DOCUMENTS) == []


ALIAS = "ptx_lsp/checks/rules/names/alias.py"


def changed(text: str, path: str = ALIAS) -> Tree:
    """The tree with more text at the end of one file."""
    return Tree({**TREE.sources, path: TREE.sources[path] + text})


@pytest.mark.parametrize(
    "text",
    [
        "_seen = {1: 2}\ndef _see(shape):\n    _seen[shape.id] = 1\n",
        "_seen: dict[int, int] = {}\n",
        "_seen = WeakKeyDictionary()\n",
        "_seen = [one for one in '']\ndef _see(shape):\n    _seen.append(shape)\n",
        "_seen = {1}\ndef _see(shape):\n    for one in _seen:\n        _seen.discard(one)\n",
        "_seen = Counter('a')\ndef _see(shape):\n    global _seen\n    _seen += shape\n",
        "class _Rule:\n    _seen = [1]\n    @classmethod\n    def see(cls):\n        cls._seen.append(1)\n",
    ],
)
def test_a_container_that_is_changed_is_found(text: str):
    assert changed_containers(changed(text)) == ["ptx_lsp.checks.rules.names.alias._seen"]


def test_a_container_that_another_module_changes_is_found():
    text = "\nfrom ptx_lsp.codes import NAMES\n\ndef _see():\n    NAMES['E999'] = 'new'\n"
    assert changed_containers(changed(text)) == ["ptx_lsp.codes.NAMES"]


def test_a_constant_and_a_local_name_are_no_state():
    assert changed_containers(changed("_LISTED = [1]\ndef _see():\n    _LISTED = []\n    _LISTED.append(1)\n")) == []


def test_a_global_that_a_function_assigns_is_found():
    tree = changed("_last = 0\ndef _see():\n    global _last\n    _last = 1\n")
    assert rebound_globals(tree) == ["ptx_lsp.checks.rules.names.alias._last"]


@pytest.mark.parametrize(
    "text",
    [
        "_seen = ProcessCache(8)\n",
        "class _Table(dict[int, int]): ...\n_seen = _Table()\n",
        "class _Memo:\n    def see(self, one):\n        self.seen[one] = 1\n_seen = _Memo()\n",
        "class _Count:\n    def see(self):\n        self.count = 1\n_seen = _Count()\n",
    ],
)
def test_an_object_that_changes_is_found(text: str):
    new = set(changing_objects(changed(text))) - set(TABLES_OF_THE_PROCESS)
    assert new == {"ptx_lsp.checks.rules.names.alias._seen"}


@pytest.mark.parametrize("decorator", ["cache", "lru_cache(maxsize=1)", "functools.cache", "memoized(1)"])
def test_a_cache_that_keeps_a_document_is_found(decorator: str):
    tree = changed(f"@{decorator}\ndef _seen(chunk: Chunk | None) -> int: ...\n")
    assert caches_of_documents(tree, OF_DOCUMENTS) == ["ptx_lsp.checks.rules.names.alias._seen"]
