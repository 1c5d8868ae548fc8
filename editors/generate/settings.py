"""The settings of the server as VS Code's package.json declares them, out of ``settings.py`` and ``preferences.py``.

A setting's words are the docstring of its field; types, bounds, choices and defaults are those that the server reads.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from ptx_lsp.diagnostic import Severity
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.settings import Settings

SECTION = "ptx-lsp"
Json = dict[str, Any]

_CODE = r"^([EWHI]\d{0,3}|[a-z]+(-[a-z0-9]+)*)$"


def groups() -> list[Json]:
    """The groups of ``contributes.configuration``: the plain settings, then a group for each table."""
    plain: Json = {}
    found = [_group("", plain)]
    for one in fields(Settings):
        value = _default(one)
        if is_dataclass(value):
            words = words_of(type(value))
            rows = {
                f"{SECTION}.{camel(one.name)}.{camel(row.name)}": _of_table(row, words[row.name])
                for row in fields(value)
            }
            found.append(_group(one.name, rows))
        else:
            plain[f"{SECTION}.{camel(one.name)}"] = _plain(one, words_of(Settings)[one.name])
    return found


def words_of(table: type) -> dict[str, str]:
    """The docstring of each field of a dataclass, as Markdown."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(table))).body
    assert isinstance(node, ast.ClassDef)
    found: dict[str, str] = {}
    for one, behind in zip(node.body, node.body[1:], strict=False):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            assert isinstance(behind, ast.Expr), f"{table.__name__}.{one.target.id} has no docstring"
            assert isinstance(behind.value, ast.Constant)
            found[one.target.id] = markdown(str(behind.value.value))
    return found


def markdown(docstring: str) -> str:
    """A docstring as Markdown in one line.

    >>> markdown("Check as if   it said ``.target``.")
    'Check as if it said `.target`.'
    """
    return re.sub(r"``(.+?)``", r"`\1`", " ".join(docstring.split()))


def camel(name: str) -> str:
    """A key as editors write it.

    >>> camel("inlay_hints")
    'inlayHints'
    """
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def _group(name: str, properties: Json) -> Json:
    return {"title": name.replace("_", " ").title() or "PTX", "properties": properties}


def _default(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()


def _of_table(one: Field[Any], words: str) -> Json:
    """A field of ``preferences.py``: a truth value, one of some words, or a number with bounds."""
    if isinstance(one.default, bool):
        return _setting("boolean", one.default, words)
    if "words" in one.metadata:
        choices = one.metadata["words"]
        return _setting(
            "string", one.default, words, enum=list(choices), markdownEnumDescriptions=list(choices.values())
        )
    least, most = one.metadata["bounds"]
    return _setting("integer", one.default, words, minimum=least, maximum=most)


def _plain(one: Field[Any], words: str) -> Json:
    """A field of ``settings.py``; each has a type of its own."""
    vocabulary = catalogue().vocabulary
    if one.name == "target":
        newest_first = reversed(vocabulary.targets.items())
        return _chosen({name: f"Since PTX {word.version}." for name, word in newest_first}, words)
    if one.name == "ptx_version":
        return _chosen({str(version): "" for version in sorted(vocabulary.versions, reverse=True)}, words)
    if one.name == "max_diagnostics":
        return _setting("integer", one.default, words, minimum=1)
    if one.name == "severity":
        level = {"type": "string", "enum": [severity.name.lower() for severity in Severity]}
        return _setting("object", {}, words, propertyNames={"pattern": _CODE}, additionalProperties=level)
    return _setting("array", list(_default(one)), words, items={"type": "string", "pattern": _CODE}, uniqueItems=True)


def _chosen(choices: dict[str, str], words: str) -> Json:
    """One of some words, or nothing."""
    meanings = ["What the module says.", *filter(None, choices.values())]
    return _setting("string", "", words, enum=["", *choices], markdownEnumDescriptions=meanings)


def _setting(kind: str, default: Any, words: str, **more: Any) -> Json:
    return {"type": kind, "default": default, "scope": "window", "markdownDescription": words, **more}
