"""Access to nested mappings, such as the capabilities of a client."""

from __future__ import annotations

from collections.abc import Mapping


def lookup(tree: object, *path: str) -> object:
    """The value at ``path`` in nested mappings; None if a key is missing or a value on the path is no mapping."""
    for name in path:
        if not isinstance(tree, Mapping):
            return None
        tree = tree.get(name)
    return tree
