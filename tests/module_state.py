"""The state that modules of a package hold: what outlives every document, and grows or changes while the process runs.

The functions take a :class:`~imports.Tree`, so that tests can give them one with a deliberate mistake.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache

from imports import Tree

_CONTAINERS = frozenset(
    "list dict set bytearray deque Counter defaultdict OrderedDict "
    "WeakKeyDictionary WeakValueDictionary WeakSet".split()
)
_CHANGING = frozenset(
    "append appendleft extend insert remove pop popleft popitem clear sort reverse add discard update setdefault "
    "difference_update intersection_update symmetric_difference_update subtract __setitem__".split()
)
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def changed_containers(tree: Tree) -> list[str]:
    """Containers at the top of a module that are made empty, or that some statement of the package changes."""
    tops = {module: _containers(tree.sources[path]) for module, path in tree.paths.items()}
    found = set()
    for module, path in tree.paths.items():
        names = {name: (module, name) for name in tops[module]}
        for source, name, here in _imports(tree.sources[path]):
            if name in tops.get(source, ()):
                names[here] = (source, name)
        found |= {f"{module}.{name}" for name in _empty(tree.sources[path])}
        found |= {".".join(names[name]) for name in _changed_in(tree.sources[path], frozenset(names))}
    return sorted(found)


def rebound_globals(tree: Tree) -> list[str]:
    """Names that a function assigns with ``global``."""
    return sorted(f"{module}.{name}" for module, path in tree.paths.items() for name in _globals(tree.sources[path]))


def changing_objects(tree: Tree) -> list[str]:
    """Objects at the top of a module whose class, one of the package, has methods that change them."""
    changing = _changing_classes(tree)
    return sorted(
        f"{module}.{name}"
        for module, path in tree.paths.items()
        for name, called in _made(tree.sources[path])
        if called in changing
    )


def caches_of_documents(tree: Tree, types: Collection[str]) -> list[str]:
    """Functions that keep their answers, one of whose parameters is of a type that belongs to a document."""
    return sorted(
        f"{module}.{name}"
        for module, path in tree.paths.items()
        for name, words in _cached(tree.sources[path])
        if not words.isdisjoint(types)
    )


@cache
def _of_text(text: str) -> ast.Module:
    return ast.parse(text)


def _assigned(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names that are assigned at the top of a module or of a class there, with their values."""
    bodies = [module.body, *(node.body for node in module.body if isinstance(node, ast.ClassDef))]
    for node in (node for body in bodies for node in body):
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


@cache
def _containers(text: str) -> frozenset[str]:
    values = _assigned(_of_text(text))
    return frozenset(name for name, value in values if isinstance(value, _DISPLAYS) or _called(value) in _CONTAINERS)


@cache
def _empty(text: str) -> frozenset[str]:
    return frozenset(name for name, value in _assigned(_of_text(text)) if _is_empty(value))


@cache
def _imports(text: str) -> tuple[tuple[str, str, str], ...]:
    """Module, name there and name here of what is imported by name."""
    nodes = (node for node in ast.walk(_of_text(text)) if isinstance(node, ast.ImportFrom))
    return tuple((node.module or "", one.name, one.asname or one.name) for node in nodes for one in node.names)


@cache
def _changed_in(text: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(_changed(_of_text(text), names)) if names else frozenset()


@cache
def _made(text: str) -> tuple[tuple[str, str], ...]:
    """The names that are assigned the result of a call, with what is called."""
    return tuple((name, _called(value)) for name, value in _assigned(_of_text(text)))


def _is_empty(value: ast.expr) -> bool:
    """Whether a value is a container that can only be of use once something is in it."""
    if isinstance(value, ast.Call):
        return _called(value) in _CONTAINERS and not value.args and not value.keywords
    return isinstance(value, (ast.List, ast.Dict, ast.Set)) and not next(ast.iter_child_nodes(value), None)


def _called(value: ast.expr) -> str:
    """The name of what is called, without its module and type arguments; empty if nothing is."""
    if not isinstance(value, ast.Call):
        return ""
    return _name(value.func)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@cache
def _cached(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The cached functions of a module, with the words of their parameters' types."""
    found = []
    for node in _of_text(text).body:
        if isinstance(node, ast.FunctionDef) and any(map(_is_cache, node.decorator_list)):
            types = [one.annotation for one in ast.walk(node.args) if isinstance(one, ast.arg) and one.annotation]
            words = (_name(part) for one in types for part in ast.walk(one) if isinstance(part, ast.expr))
            found.append((node.name, frozenset(words)))
    return tuple(found)


def _is_cache(decorator: ast.expr) -> bool:
    return (_called(decorator) or _name(decorator)) in ("cache", "lru_cache", "memoized")


def _changed(node: ast.AST, names: frozenset[str]) -> Iterator[str]:
    """Those of some global names whose values a statement changes; where a function has its own, that is meant."""
    if isinstance(node, _FUNCTIONS):
        arguments = node.args
        own = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        own |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        own -= {name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names}
        names = names - own
    target: ast.expr | None = None
    if _is_change(node):
        target = node.func.value  # type: ignore[attr-defined]  # it is a call of a method
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        target = node.value
    elif isinstance(node, ast.AugAssign):
        target = node.target
    if target is not None:
        name = target.attr if _is_of_class(target) else target.id if isinstance(target, ast.Name) else ""
        if name in names:
            yield name
    for child in ast.iter_child_nodes(node):
        yield from _changed(child, names)


def _is_of_class(node: ast.expr) -> bool:
    """Whether a name is looked up in a class, as in ``cls.known``."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "cls"


@cache
def _globals(text: str) -> frozenset[str]:
    nodes = (node for node in ast.walk(_of_text(text)) if isinstance(node, ast.Global))
    return frozenset(name for node in nodes for name in node.names)


def _changing_classes(tree: Tree) -> frozenset[str]:
    """The classes of the package whose objects change after they are made."""
    classes = [one for text in tree.sources.values() for one in _classes(text)]
    found = {name for name, _, changes in classes if changes}
    while more := {name for name, bases, _ in classes if bases & (found | _CONTAINERS)} - found:
        found |= more
    return frozenset(found)


@cache
def _classes(text: str) -> tuple[tuple[str, frozenset[str], bool], ...]:
    """Of each class the name, those of its bases, and whether its own methods change its objects."""
    return tuple(
        (node.name, frozenset(map(_name, node.bases)), any(map(_changes_self, node.body)))
        for node in ast.walk(_of_text(text))
        if isinstance(node, ast.ClassDef)
    )


def _changes_self(method: ast.stmt) -> bool:
    """Whether a method other than ``__init__`` assigns or changes an attribute of ``self``."""
    if not isinstance(method, ast.FunctionDef) or method.name == "__init__":
        return False
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_self(node.value):
            return True
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and _is_attribute(node.value):
            return True
        if _is_change(node) and _is_attribute(node.func.value):  # type: ignore[attr-defined]  # it is a call of one
            return True
    return False


def _is_change(node: ast.AST) -> bool:
    """Whether this calls a method that changes a container."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_attribute(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and _is_self(node.value)
