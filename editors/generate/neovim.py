"""What the plugin for Neovim has to know before a server runs: versions, and the types of semantic tokens."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

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
        "}\n"
    )


def _python() -> str:
    required = tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["requires-python"]
    return str(required).removeprefix(">=")
