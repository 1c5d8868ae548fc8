"""The parts of VS Code's package.json that follow from the server: settings, semantic tokens; the rest is hand-made."""

from __future__ import annotations

import json
from pathlib import Path

from editors.generate import in_sources, settings, tokens

MANIFEST = Path("vscode/package.json")
_EDITORS = Path(__file__).parent.parent


def files() -> dict[Path, str]:
    """The manifest as it stands, with these parts as they must be.

    The first group of settings is about the extension itself, and stays.
    """
    manifest = json.loads((_EDITORS / MANIFEST).read_text("utf-8"))
    contributes = manifest["contributes"]
    contributes["configuration"] = [contributes["configuration"][0], *settings.groups()]
    own = [one for one in contributes["grammars"] if not one["scopeName"].startswith("inline.")]
    contributes["grammars"] = [*own, *in_sources.contributions()]
    contributes |= tokens.contributions()
    return {MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}
