"""Folders, files, functions and classes stay small, and a name means one thing."""

from __future__ import annotations

from pathlib import Path

from bounds import crowded, long, many_members, repeated_basenames, repeated_types, wide
from imports import Tree

TREE = Tree.read(Path(__file__).parent.parent / "ptx_lsp")

FILES_OF_A_FOLDER = 25
LINES_OF_A_FILE = 350
PARAMETERS = 7
PUBLIC_MEMBERS = 20


def layer_of(path: str) -> str:
    """The layer of a file; features never see each other, so each is a layer of its own."""
    parts = path.split("/")
    return "/".join(parts[1:3]) if parts[1] == "features" and len(parts) > 3 else parts[1]


def test_folders_hold_few_files():
    assert crowded(TREE, FILES_OF_A_FOLDER) == {}


def test_files_are_short():
    assert long(TREE, LINES_OF_A_FILE) == {}


def test_functions_have_few_parameters():
    assert wide(TREE, PARAMETERS) == {}


def test_classes_have_few_public_members():
    assert many_members(TREE, PUBLIC_MEMBERS) == {}


def test_a_file_name_occurs_once_in_a_layer():
    assert repeated_basenames(TREE, layer_of) == set()


def test_a_public_type_has_a_name_of_its_own():
    assert repeated_types(TREE) == {}


# ---------------------------------------------------------------- tests of the tests


def test_a_crowded_folder_is_found():
    assert crowded(Tree({f"p/a/{name}.py": "" for name in "abc"}), 2) == {"p/a": 3}


def test_a_long_file_is_found():
    assert long(Tree({"p/a.py": "\n" * 4}), 3) == {"p/a.py": 4}


def test_a_wide_function_is_found():
    tree = Tree({"p/a.py": "class A:\n    def f(self, a, b, *, c): ...\n"})
    assert wide(tree, 2) == {"p/a.py:f": 3}


def test_a_class_with_many_public_members_is_found():
    text = "class A:\n    x: int\n    def f(self):\n        self.y = 1\n        self._z = 1\n"
    assert many_members(Tree({"p/a.py": text}), 2) == {"p/a.py:A": 3}


def test_a_repeated_basename_is_found():
    tree = Tree({"p/isa/a/x.py": "", "p/isa/b/x.py": "", "p/features/a/y.py": "", "p/features/b/y.py": ""})
    assert repeated_basenames(tree, layer_of) == {("isa", "x.py")}


def test_a_repeated_type_is_found():
    tree = Tree({"p/a.py": "class Row: ...\n", "p/b.py": "Row = tuple[int, int]\nLIMIT = 1\n", "p/c.py": "LIMIT = 1\n"})
    assert repeated_types(tree) == {"Row": ["p/a.py", "p/b.py"]}
