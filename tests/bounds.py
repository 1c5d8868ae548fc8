"""Sizes and names of a package: how crowded its folders are, how long its files, how wide its functions and classes.

Each function takes a :class:`~imports.Tree` and returns the offenders, so that tests can give it a tree with a
deliberate mistake.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import TypeGuard

from imports import Tree


def crowded(tree: Tree, most: int) -> dict[str, int]:
    """Folders that hold more than ``most`` modules directly, with their number."""
    folders = Counter(path.rpartition("/")[0] for path in tree.sources)
    return {folder: count for folder, count in folders.items() if count > most}


def long(tree: Tree, most: int) -> dict[str, int]:
    """Files of more than ``most`` lines, with their length."""
    lengths = {path: text.count("\n") for path, text in tree.sources.items()}
    return {path: length for path, length in lengths.items() if length > most}


def wide(tree: Tree, most: int) -> dict[str, int]:
    """Functions of more than ``most`` parameters, ``self`` and ``cls`` not counted."""
    found = {}
    for path, node in _nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            count = sum(one.arg not in ("self", "cls") for one in every)
            if count > most:
                found[f"{path}:{node.name}"] = count
    return found


def many_members(tree: Tree, most: int) -> dict[str, int]:
    """Classes with more than ``most`` public members: methods, properties and attributes, also those set in methods.

    Members of enumerations are values and do not count.
    """
    found = {}
    for path, node in _nodes(tree):
        if isinstance(node, ast.ClassDef) and not any("Enum" in ast.unparse(base) for base in node.bases):
            members = {name for name in _members(node) if not name.startswith("_")}
            if len(members) > most:
                found[f"{path}:{node.name}"] = len(members)
    return found


def _members(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement.name
            yield from (inner.attr for inner in ast.walk(statement) if _is_set_on_self(inner))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id
        elif isinstance(statement, ast.Assign):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def _is_set_on_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    is_set = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    return is_set and isinstance(node.value, ast.Name) and node.value.id == "self"


def repeated_basenames(tree: Tree, layer_of: Callable[[str], str]) -> set[tuple[str, str]]:
    """Names of files that occur twice in a layer, with the layer, which ``layer_of`` gives for a path."""
    counts = Counter(
        (layer_of(path), path.rpartition("/")[2])
        for path in tree.sources
        if not path.endswith(("__init__.py", "__main__.py"))
    )
    return {one for one, count in counts.items() if count > 1}


def repeated_types(tree: Tree) -> dict[str, list[str]]:
    """Public classes and type aliases that two modules or more define, with the paths."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, text in tree.sources.items():
        for name in _types(ast.parse(text)):
            found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def _types(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            continue
        yield from (name for name in names if name[0].isupper() and not name.isupper())


def _nodes(tree: Tree) -> Iterator[tuple[str, ast.AST]]:
    for path, text in tree.sources.items():
        for node in ast.walk(ast.parse(text)):
            yield path, node
