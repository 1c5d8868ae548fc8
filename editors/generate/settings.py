"""The settings of the server as VS Code's package.json declares them, out of ``settings.py`` and ``preferences.py``.

A setting's words are the docstring of its field; types, bounds, choices and defaults are those that the server reads.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any

from ptx_lsp.diagnostic import Severity
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.preferences import Bounds, Choice, CodeLenses, Completion, Format, InlayHints, Names, described
from ptx_lsp.settings import Settings

SECTION = "ptx-lsp"
Json = dict[str, Any]

_CODE = r"^([EWHI]\d{0,3}|[a-z]+(-[a-z0-9]+)*)$"


def groups() -> list[Json]:
    """The groups of ``contributes.configuration``: the plain settings, then a group for each table."""
    plain: Json = {}
    found = [_group("", plain)]
    for name, value in Settings()._asdict().items():
        if isinstance(value, (Completion, InlayHints, CodeLenses, Names, Format)):
            words, limits = words_of(type(value)), described(type(value))
            rows = {
                f"{SECTION}.{camel(name)}.{camel(key)}": _of_table(default, limits[key], words[key])
                for key, default in value._asdict().items()
            }
            found.append(_group(name, rows))
        else:
            plain[f"{SECTION}.{camel(name)}"] = _plain(name, value, words_of(Settings)[name])
    return found


def words_of(table: type) -> dict[str, str]:
    """The docstring of each field of a class, as Markdown."""
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


def _of_table(default: object, limits: object, words: str) -> Json:
    """A field of ``preferences.py``: a truth value, one of some words, or a number with bounds."""
    if isinstance(limits, Choice):
        return _setting("string", default, words, enum=list(limits), markdownEnumDescriptions=list(limits.values()))
    if isinstance(limits, Bounds):
        return _setting("integer", default, words, minimum=limits.least, maximum=limits.most)
    return _setting("boolean", default, words)


def _plain(name: str, default: object, words: str) -> Json:
    """A field of ``settings.py``; each has a type of its own."""
    vocabulary = catalogue().vocabulary
    if name == "target":
        newest_first = reversed(vocabulary.targets.items())
        return _chosen({name: f"Since PTX {word.version}." for name, word in newest_first}, words)
    if name == "ptx_version":
        return _chosen({str(version): "" for version in sorted(vocabulary.versions, reverse=True)}, words)
    if name == "max_diagnostics":
        return _setting("integer", default, words, minimum=1)
    if name == "severity":
        level = {"type": "string", "enum": [severity.name.lower() for severity in Severity]}
        return _setting("object", {}, words, propertyNames={"pattern": _CODE}, additionalProperties=level)
    if name == "targets":
        names = {"type": "array", "items": {"type": "string", "enum": list(vocabulary.targets)}, "uniqueItems": True}
        return _setting("object", {}, words, additionalProperties=names)
    return _setting("array", [], words, items={"type": "string", "pattern": _CODE}, uniqueItems=True)


def _chosen(choices: dict[str, str], words: str) -> Json:
    """One of some words, or nothing."""
    meanings = ["What the module says.", *filter(None, choices.values())]
    return _setting("string", "", words, enum=["", *choices], markdownEnumDescriptions=meanings)


def _setting(kind: str, default: Any, words: str, **more: Any) -> Json:
    return {"type": kind, "default": default, "scope": "window", "markdownDescription": words, **more}
