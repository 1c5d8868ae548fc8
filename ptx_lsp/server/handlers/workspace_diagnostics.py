"""``workspace/diagnostic``: the findings of all PTX files of the workspace, open or closed."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Coroutine, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp import __version__
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.truncation_notice import with_note
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.progress import Progress
from ptx_lsp.server.documents.diagnostic_json import making_template, result_id
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.transport.framing import frame
from ptx_lsp.server.transport.raw_json import RawJson, quoted
from ptx_lsp.server.transport.slices import SLICE, Pace, in_slices
from ptx_lsp.server.transport.waiting import in_thread
from ptx_lsp.server.workspace.uris import key_of
from ptx_lsp.settings import Settings

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

log = logging.getLogger(__name__)

_BATCH = 32_768
"""Number of characters of a partial result."""


def pull_workspace(server: Server, params: types.WorkspaceDiagnosticParams) -> Coroutine[Any, Any, RawJson]:
    """The findings of all files; "unchanged" for files whose findings the client has."""
    return _Pull(server, params).run()


class _Pull:
    """One request, which may have to check every file."""

    def __init__(self, server: Server, params: types.WorkspaceDiagnosticParams) -> None:
        self.server = server
        self.before = {key_of(one.uri): one for one in params.previous_result_ids}
        self.token = params.partial_result_token
        self.progress = Progress(server.protocol.progress, params.work_done_token)
        self.settings: dict[str, tuple[Settings, bytes]] = {}
        """The settings of each folder, and a digest of those that affect findings."""
        self.reports: list[str] = []
        self.size = 0

    async def run(self) -> RawJson:
        files = self.server.files
        self.progress.begin("Checking PTX files")
        try:
            await files.ready()
            opened = [key_of(document.uri) for document in self.server.documents]
            keys = list(dict.fromkeys([*opened, *files.table.stamps]))
            pace = Pace()
            for number, key in enumerate(keys):
                await self._report(key)
                self.progress.report(number + 1, len(keys))
                await pace()
            for key in self.before.keys() - set(keys):
                self._add(_full(self.before[key].uri, None, "", "[]"))
        finally:
            self.progress.end()
        if self.token is None:
            return RawJson(f'{{"items":[{",".join(self.reports)}]}}')
        self._send()
        return RawJson('{"items":[]}')

    async def _report(self, key: str) -> None:
        before = self.before.get(key)
        known = before.value if before is not None else None
        while (document := self.server.files.document(key)) is not None:
            if not document.is_ready:
                await asyncio.sleep(0.005)  # one that is closed or opened anew is never ready
            elif document.list_findings(SLICE):
                break
            else:
                await asyncio.sleep(0)
        if document is not None:
            version, result = document.version, result_id(document.findings)
            is_known = result == known
            self._add(
                _unchanged(document.uri, version, result)
                if is_known
                else _full(document.uri, version, result, document.findings)
            )
            return
        stamp = self.server.files.table.stamps.get(key)
        if stamp is None:
            return
        uri = self.server.files.table.uri(key)
        settings, rules = self._settings_for(uri)
        result = hashlib.blake2b(b"%d %d %b" % (*stamp, rules), digest_size=12).hexdigest()
        if result == known:
            self._add(_unchanged(uri, None, result))
            return
        text = await in_thread(partial(self.server.files.table.text, key))
        findings = (
            "[]" if text is None else await in_slices(_checking(text, uri, settings, self.server.client.encoding))
        )
        self.server.files.collect_garbage(len(text or ""))
        if self.server.files.document(key) is not None:  # opened meanwhile: its text counts
            await self._report(key)
            return
        self._add(_full(uri, None, result, findings))

    def _settings_for(self, uri: str) -> tuple[Settings, bytes]:
        folder = uri.rpartition("/")[0]
        if folder not in self.settings:
            settings = self.server.configurations.settings_for(uri)
            rules = repr((settings.checking, __version__)).encode("utf-8", "surrogatepass")
            self.settings[folder] = settings, rules
        return self.settings[folder]

    def _add(self, report: str) -> None:
        self.reports.append(report)
        self.size += len(report)
        if self.token is not None and self.size >= _BATCH:
            self._send()

    def _send(self) -> None:
        """Send the collected reports as a partial result."""
        if self.reports:
            token = quoted(self.token) if isinstance(self.token, str) else self.token
            params = f'{{"token":{token},"value":{{"items":[{",".join(self.reports)}]}}}}'
            message = f'{{"jsonrpc":"2.0","method":"$/progress","params":{params}}}'
            self.server.protocol.write(frame(message.encode("ascii")))
            self.reports.clear()
            self.size = 0


def _checking(text: str, uri: str, settings: Settings, encoding: Encoding) -> Generator[None, None, str]:
    """All findings of a text as JSON, in steps of a few milliseconds."""
    limit = settings.max_diagnostics
    try:
        checker = yield from Checker.reading(text, settings, limit)
        yield from checker.follow()
        found = with_note((yield from checker.listing(limit)))
        lines = DocumentLines(checker.document.chunks, encoding)
        template = yield from making_template(found, uri, lines)
    except Exception:
        log.exception("%s could not be checked", uri)
        return "[]"
    return f"[{template.filled()}]"


def _full(uri: str, version: int | None, result: str, findings: str) -> str:
    number = "null" if version is None else version
    named = f'"resultId":"{result}",' if result else ""
    return f'{{"kind":"full",{named}"uri":{quoted(uri)},"version":{number},"items":{findings}}}'


def _unchanged(uri: str, version: int | None, result: str) -> str:
    number = "null" if version is None else version
    return f'{{"kind":"unchanged","resultId":"{result}","uri":{quoted(uri)},"version":{number}}}'
