"""Snippets for VS Code, out of ``grammar/snippets``."""

from __future__ import annotations

import json
from pathlib import Path

from ptx_lsp.isa.vocabulary.snippets import snippets


def files() -> dict[Path, str]:
    """The snippets, without prefixes: what is typed is the server's business.

    The server offers the same ones in its completion, only where they are legal, so with prefixes each would be listed
    twice, and once wrongly. VS Code leaves snippets without a prefix to the commands "Insert Snippet" and, where they
    begin a file, "Fill File with Snippet", which work without a server.
    """
    made = {
        one.name: {
            "description": one.words,
            "body": one.body.split("\n"),
            **({"isFileTemplate": True} if one.body.startswith(".version") else {}),
        }
        for one in snippets().values()
    }
    return {Path("vscode/snippets/ptx.json"): json.dumps(made, indent=2, ensure_ascii=False) + "\n"}
