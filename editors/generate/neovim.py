"""What the plugin for Neovim has to know of the server: versions, targets, the types of semantic tokens."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

from editors.generate import words
from ptx_lsp import __version__
from ptx_lsp.features.semantic_tokens.legend import TokenType

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def files() -> dict[Path, str]:
    """The module of Lua that the plugin reads."""
    return {Path("neovim/lua/ptx-lsp/generated.lua"): _module()}


def _module() -> str:
    types = "".join(f"    [{json.dumps(one.label)}] = {json.dumps(one.standard)},\n" for one in TokenType)
    return (
        "-- Made by: python -m editors.generate\n\n"
        "return {\n"
        "  -- Version of this plugin, and of the server that it was made with.\n"
        f"  version = {json.dumps(__version__)},\n"
        "  -- The oldest Python that runs the server.\n"
        f"  python = {json.dumps(_python())},\n"
        "  -- Types of semantic tokens, and the standard one that each can stand for.\n"
        f"  token_types = {{\n{types}  }},\n"
        "  -- Architectures, oldest first.\n"
        f"  targets = {{\n{_wrapped(words.targets())}  }},\n"
        "  -- Versions of PTX, oldest first.\n"
        f"  versions = {{\n{_wrapped(words.versions())}  }},\n"
        "}\n"
    )


def _wrapped(values: Iterable[str]) -> str:
    """Texts as Lua has them, some to a line."""
    quoted = [json.dumps(value) for value in values]
    return "".join(f"    {', '.join(quoted[at : at + 10])},\n" for at in range(0, len(quoted), 10))


def _python() -> str:
    required = tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["requires-python"]
    return str(required).removeprefix(">=")
