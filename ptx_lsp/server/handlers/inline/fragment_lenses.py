"""Code lenses in inline assembly: the targets that take a statement."""

from __future__ import annotations

import json
from collections.abc import Coroutine, Generator
from typing import Any

from ptx_lsp.checks.embedded.verdicts import likeliest_target
from ptx_lsp.features.asm_target_lenses import target_lens
from ptx_lsp.hosts.site import Certainty
from ptx_lsp.server.convert import while_unchanged
from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slices import in_slices


def fragment_lenses(document: CheckedDocument | None) -> Coroutine[Any, Any, RawJson] | None:
    """The lenses of a document of another language, if its settings have them."""
    if not isinstance(document, HostDocument) or not document.settings.code_lenses.asm_targets:
        return None
    return in_slices(while_unchanged(_finding(document), document))


def _finding(document: HostDocument) -> Generator[None, None, RawJson]:
    """The lenses, one statement a step."""
    answers: list[dict[str, Any]] = []
    for site in document.index.sites:
        if site.certainty is not Certainty.DEVICE:
            continue
        fragment = document.checker.fragments(site)[0]
        wanted = document.checker.targets_of(site, fragment)
        likeliest = likeliest_target(fragment, wanted, document.settings.ptx_version)
        title = target_lens(fragment, likeliest, wanted)
        if title is not None:
            place = document.lines.position(site.start)._asdict()
            command = {"title": title, "command": ""}
            answers.append({"range": {"start": place, "end": place}, "command": command})
        yield
    return RawJson(json.dumps(answers, separators=(",", ":")))
