"""Sentences on the machine, the programs and the commit of a measurement."""

from __future__ import annotations

import os
import platform
import subprocess

from benchmarks.speed.processes import ROOT


def conditions() -> list[str]:
    """The commit, the version of Python, the processors and their load."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    return [
        f"ptx-lsp at commit {commit or 'unknown'}, Python {platform.python_version()}.",
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start.",
    ]
