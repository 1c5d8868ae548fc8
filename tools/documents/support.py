"""The table of what is supported: PTX versions with their toolkits, targets, releases of ptxas."""

from __future__ import annotations

from ptx_lsp.isa.catalogue import catalogue

_HEAD = """\
# Supported PTX versions, targets and releases of ptxas

All PTX versions from {oldest} to {newest} and all targets below. A newer `.version` is reported as `E504`, and the file
is checked as PTX {newest}.

Agreement with ptxas was measured with the releases of CUDA 12.9, 13.0 and 13.5: every form of every instruction with
12.9 and 13.5 ([agreement](agreement.md)), broken files with 13.0 and 13.5 ([mutants](mutants.md)). Where releases of
ptxas differ about the same PTX version, the checker reports the warning `W604`, which names the releases, and no error.

ptx-lsp runs on Python 3.11 or newer. It needs neither a GPU nor a CUDA toolkit.

Made by `python -m tools.documents` from [grammar/vocabulary](../grammar/vocabulary).
"""


def text() -> str:
    """The document."""
    versions = catalogue().vocabulary.versions
    oldest, *_, newest = versions
    return "\n".join([_HEAD.format(oldest=oldest, newest=newest), _versions(), _targets()])


def _versions() -> str:
    lines = ["## PTX versions\n", "| PTX | CUDA toolkit | driver |", "|---|---|---|"]
    for version, word in reversed(catalogue().vocabulary.versions.items()):
        lines.append(f"| {version} | {word.toolkit or ''} | {word.driver or ''} |")
    return "\n".join(lines) + "\n"


def _targets() -> str:
    lines = ["## Targets\n", "| target | first PTX version | architecture |", "|---|---|---|"]
    for name, word in reversed(catalogue().vocabulary.targets.items()):
        lines.append(f"| `{name}` | {word.version} | {word.words} |")
    return "\n".join(lines) + "\n"
