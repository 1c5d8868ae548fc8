"""The server with real clients' capabilities, through pytest-lsp."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

from .conftest import URI, kernel

PLACE = types.TextDocumentIdentifier(URI)


def editor() -> LanguageClient:
    """A client that lets the server register for changes, as editors do."""
    found = make_test_lsp_client()

    @found.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_: types.RegistrationParams) -> None:
        return None

    return found


@pytest_asyncio.fixture(params=["neovim", "visual_studio_code", "emacs"])
async def client(request: pytest.FixtureRequest) -> AsyncIterator[LanguageClient]:
    config = ClientServerConfig(
        server_command=[sys.executable, "-m", "ptx_lsp.server.startup.boot", "--stdio"], client_factory=editor
    )
    found = await config.start()
    await found.initialize_session(types.InitializeParams(capabilities=client_capabilities(request.param)))
    yield found
    await found.shutdown_session()
    await found.stop()


@pytest.mark.asyncio
async def test_a_session(client: LanguageClient) -> None:
    """Open, see an error, ask, mend it."""
    async with asyncio.timeout(60):
        await work_with(client)


async def work_with(client: LanguageClient) -> None:
    text = kernel("LOOP:", "add.s32 %r1, %r2, bogus;", "bra LOOP;")
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "ptx", 1, text)))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert [found.code for found in client.diagnostics[URI]] == ["E201"]

    hover = await client.text_document_hover_async(types.HoverParams(PLACE, types.Position(7, 1)))
    assert isinstance(hover.contents, types.MarkupContent)
    assert "add.s32  d, a, b;" in hover.contents.value

    found = await client.text_document_definition_async(types.DefinitionParams(PLACE, types.Position(8, 5)))
    assert isinstance(found, list)
    (link,) = found
    assert isinstance(link, types.LocationLink)
    assert link.target_selection_range.start == types.Position(6, 0)

    found_names = await client.workspace_symbol_async(types.WorkspaceSymbolParams("krnl"))
    assert found_names is not None
    assert [one.name for one in found_names] == ["kernel"]

    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(PLACE))
    assert symbols[0].name == "kernel"

    whole = types.Range(types.Position(7, 18), types.Position(7, 23))
    change = types.TextDocumentContentChangePartial(range=whole, text="7")
    version = types.VersionedTextDocumentIdentifier(uri=URI, version=2)
    client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[URI]


@pytest.mark.asyncio
async def test_hints_lenses_and_commands(client: LanguageClient) -> None:
    """What stands beside the text, completed as these editors do it."""
    async with asyncio.timeout(60):
        text = kernel("mul.f32 %f1, %f2, 0f3F800000;", "LOOP:", "bra LOOP;")
        client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "ptx", 1, text)))
        whole = types.Range(types.Position(0, 0), types.Position(20, 0))
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(PLACE, whole))
        literal, branch = [hint if hint.data is None else await client.inlay_hint_resolve_async(hint) for hint in hints]
        assert literal.label == "= 1.0"
        assert literal.tooltip is not None
        assert [part.location.range.start for part in branch.label if part.location] == [types.Position(7, 0)]

        lenses = await client.text_document_code_lens_async(types.CodeLensParams(PLACE))
        titles = [await client.code_lens_resolve_async(lens) for lens in lenses]
        assert next(lens.command.title for lens in titles if lens.command).startswith("requires PTX")

        params = types.ExecuteCommandParams("ptx-lsp.explain", ["mul"])
        assert (await client.workspace_execute_command_async(params))["markdown"].startswith("# mul")
