"""The import graph of a package and its violations: imports that lead up, sideways or in cycles.

All imports count: at the top, inside a function, under ``if TYPE_CHECKING``. The functions take a
:class:`Tree`, so that tests can give them one with a deliberate mistake.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import fnmatch
from functools import cache, cached_property
from pathlib import Path


class Tree:
    """The modules of a package: full name to source text.

    Args:
        sources: the text of each module by its path below the package's parent, such as ``ptx_lsp/isa/match.py``.

    """

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources
        self.paths = {_module(path): path for path in sources}

    @classmethod
    def read(cls, package: Path) -> Tree:
        """The modules of a package on disk."""
        return cls(
            {path.relative_to(package.parent).as_posix(): path.read_text("utf-8") for path in package.rglob("*.py")}
        )

    def imported(self, module: str) -> frozenset[str]:
        """The full names that a module imports, ``package.module.name`` for ``from package.module import name``."""
        return _imported(self.sources[self.paths[module]])

    @cached_property
    def graph(self) -> dict[str, set[str]]:
        """Each module with the modules of the tree that it imports."""
        found = {}
        for module in self.paths:
            names = {name if name in self.paths else name.rpartition(".")[0] for name in self.imported(module)}
            found[module] = {name for name in names if name in self.paths and name != module}
        return found

    def assigns(self, module: str, name: str) -> bool:
        """Whether a module assigns a global of this name."""
        return name in self.constants(module)

    def constants(self, module: str) -> frozenset[str]:
        """The globals that a module assigns."""
        return _assigned(self.sources[self.paths[module]])


@cache
def _imported(text: str) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import of {node.module}"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


@cache
def _assigned(text: str) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(found)


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def upward(tree: Tree, floors: Mapping[str, int], doors: Collection[tuple[str, str]] = ()) -> list[str]:
    """Imports that do not lead to a lower floor.

    Args:
        tree: the modules.
        floors: the floor of each folder of the package; what is in none of them is on floor 0.
        doors: module and folder of imports that are allowed all the same.

    """

    def folder(module: str) -> str:
        parts = module.split(".")
        return parts[1] if len(parts) > 1 and parts[1] in floors else ""

    return [
        f"{module} imports {target}"
        for module, targets in tree.graph.items()
        for target in sorted(targets)
        if folder(target) != folder(module)
        and (module, folder(target)) not in doors
        and floors.get(folder(target), 0) >= floors.get(folder(module), 0)
    ]


def sideways(tree: Tree, group: Callable[[str], str | None]) -> list[str]:
    """Imports between two members of a group, where ``group`` gives the member that a module belongs to, or None."""
    return [
        f"{module} imports {target}"
        for module, targets in tree.graph.items()
        for target in sorted(targets)
        if group(module) is not None and group(target) not in (None, group(module))
    ]


def cycles(graph: Mapping[str, Collection[str]]) -> list[frozenset[str]]:
    """The sets of nodes that reach each other (strongly connected components of more than one node)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(node: str) -> Iterator[str]:
        """Tarjan's algorithm; yields the nodes to visit next, so that no chain is too long for the interpreter."""
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph.get(node, ())):
            if target not in index:
                yield target
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            at = stack.index(node)
            component = frozenset(stack[at:])
            del stack[at:]
            if len(component) > 1:
                found.append(component)

    for root in graph:
        waiting = [visit(root)] if root not in index else []
        while waiting:
            following = next(waiting[-1], None)
            if following is None:
                waiting.pop()
            else:
                waiting.append(visit(following))
    return found


def package_graph(tree: Tree) -> dict[str, set[str]]:
    """Each folder with the folders that its modules import from; a package's ``__init__`` is in its folder."""

    def folder(module: str) -> str:
        return tree.paths[module].rpartition("/")[0]

    found: dict[str, set[str]] = {}
    for module, targets in tree.graph.items():
        here = found.setdefault(folder(module), set())
        here |= {folder(target) for target in targets} - {folder(module)}
    return found


def misplaced_libraries(tree: Tree, may_import: Mapping[str, Collection[str]]) -> list[str]:
    """Imports of libraries by modules that match none of the patterns that the library has in ``may_import``."""
    return [
        f"{module} imports {name}"
        for module, path in tree.paths.items()
        for name in sorted(tree.imported(module))
        if (places := may_import.get(name.partition(".")[0])) is not None
        and not any(fnmatch(path.partition("/")[2], place) for place in places)
    ]
