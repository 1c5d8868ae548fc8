"""Commands and pages: what they answer, what they do to the text, what they say to wrong arguments."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from ptx_lsp.server import capabilities
from ptx_lsp.server.handlers.commands import COMMANDS

from .conftest import URI, Message, RawClient, kernel

EDITS = {"workspace": {"applyEdit": True}}
INVALID, FAILED = -32602, types.LSPErrorCodes.RequestFailed.value


def run(raw: RawClient, command: str, *arguments: object) -> Message:
    """The whole answer to a command."""
    return raw.ask("workspace/executeCommand", {"command": f"ptx-lsp.{command}", "arguments": list(arguments)})


def send(raw: RawClient, command: str, *arguments: object) -> None:
    """Ask for a command and do not wait for the answer."""
    params = {"command": f"ptx-lsp.{command}", "arguments": list(arguments)}
    message = {"jsonrpc": "2.0", "id": "sent", "method": "workspace/executeCommand", "params": params}
    raw.send_body(json.dumps(message).encode())


def edits(raw: RawClient, command: str, *arguments: object) -> tuple[Message, Any]:
    """The answer to a command, and the edits that it asked the client for before."""
    seen: list[Message] = []

    def look(message: Message) -> bool:
        seen.append(message)
        return "method" not in message

    send(raw, command, *arguments)
    answer = raw.wait(look)
    asked = [one for one in seen if one.get("method") == "workspace/applyEdit"]
    return answer, [edit for one in asked for edit in one["params"]["edit"]["changes"][URI]]


def test_what_is_announced_is_there() -> None:
    assert tuple(COMMANDS) == capabilities.COMMANDS
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text("utf-8")
    assert re.findall(r"^\| `(ptx-lsp\.\w+)` \|", page, re.MULTILINE) == list(COMMANDS)


# ---------------------------------------------------------------------- explain


@pytest.mark.parametrize(
    ("topic", "title", "address"),
    [
        ("mma", "# mma: ", "ptx-lsp:/isa/mma.md"),
        ("cp.async.bulk.tensor.2d", "# cp.async.bulk.tensor: ", "ptx-lsp:/isa/cp.async.bulk.tensor.md"),
        ("newer-target", "# E502 newer-target", None),
        ("e502", "# E502 newer-target", "ptx-lsp:/codes/E502.md"),
        ("%laneid", "# %laneid", "ptx-lsp:/words/%25laneid.md"),
    ],
)
def test_explain(raw: RawClient, topic: str, title: str, address: str | None) -> None:
    raw.initialize()
    answer = run(raw, "explain", topic)["result"]
    assert answer["markdown"].startswith(title)
    assert answer["uri"] == address


def test_explain_what_is_not_known(raw: RawClient) -> None:
    raw.initialize()
    error = run(raw, "explain", "newer-targt")["error"]
    assert error["code"] == FAILED
    assert error["message"].startswith("no page for 'newer-targt'; did you mean 'newer-target'")


@pytest.mark.parametrize("arguments", [[], [5], ["a", "b"], [None], [["add"]]])
def test_wrong_arguments(raw: RawClient, arguments: list[object]) -> None:
    raw.initialize()
    error = run(raw, "explain", *arguments)["error"]
    assert error["code"] == INVALID
    assert error["message"].startswith("the arguments must be a topic, not ")


def test_a_command_that_does_not_exist(raw: RawClient) -> None:
    raw.initialize()
    assert run(raw, "explode")["error"] == {"code": INVALID, "message": "there is no command 'ptx-lsp.explode'"}
    assert raw.ask("workspace/executeCommand", {"arguments": []})["error"]["code"] == INVALID


# ---------------------------------------------------------------------- decode

MATRICES = """.version 8.6
.target sm_100a
.visible .entry k()
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    .reg .pred %p;
    mov.b32 %r1, 0x08200490;
    tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p;
    ret;
}
"""


def test_decode_a_value(raw: RawClient) -> None:
    raw.initialize()
    answer = run(raw, "decode", "0x08200490", "idesc", ".kind::f16")["result"]
    assert answer["markdown"].startswith("# Instruction descriptor of tcgen05.mma\n\n`0x08200490`: bf16 × bf16 → f32")
    assert answer["uri"] == "ptx-lsp:/values/idesc/.kind::f16/0x08200490.md"


@pytest.mark.parametrize(
    ("value", "layout", "says"),
    [
        ("word", "idesc", "'word' is not a number; expected 0x"),
        ("0x123456789", "idesc", "'0x123456789' has more than 32 bits"),
        ("1", "idsc", "'idsc' is not a layout; did you mean idesc"),
    ],
)
def test_decode_nonsense(raw: RawClient, value: str, layout: str, says: str) -> None:
    raw.initialize()
    error = run(raw, "decode", value, layout)["error"]
    assert error["code"] == FAILED
    assert error["message"].startswith(says)


@pytest.mark.parametrize("line", [7, 8], ids=["where it is built", "where it is used"])
def test_decode_at_a_place(raw: RawClient, line: int) -> None:
    raw.initialize()
    raw.open(MATRICES)
    character = MATRICES.splitlines()[line].index("%r1")
    answer = run(raw, "decodeAt", URI, {"line": line, "character": character})["result"]
    assert "| 17‑22 | N | 16 | 128 |" in answer["markdown"]
    assert answer["uri"].startswith("ptx-lsp:/values/idesc/")
    read = raw.ask("workspace/textDocumentContent", {"uri": answer["uri"]})
    assert read["result"]["text"] == answer["markdown"]


def test_decode_where_nothing_is(raw: RawClient) -> None:
    raw.initialize()
    raw.open(MATRICES)
    assert run(raw, "decodeAt", URI, {"line": 9, "character": 5})["result"] is None


@pytest.mark.parametrize("arguments", [[], [URI], [URI, 5], [URI, {"line": 1}], [5, {"line": 1, "character": 1}]])
def test_decode_at_no_place(raw: RawClient, arguments: list[object]) -> None:
    raw.initialize()
    assert run(raw, "decodeAt", *arguments)["error"]["code"] == INVALID


def test_choices(raw: RawClient) -> None:
    raw.initialize()
    found = run(raw, "choices")["result"]
    assert found["versions"].index("9.0") < found["versions"].index("8.10" if "8.10" in found["versions"] else "8.6")
    assert {"sm_90a", "sm_100f"} <= set(found["targets"])
    assert {"name": "idesc", "title": "instruction descriptor of tcgen05.mma", "bits": 32} in found["layouts"]


# ---------------------------------------------------------------------- edits


def test_fix_all(raw: RawClient) -> None:
    raw.initialize(capabilities=EDITS)
    raw.open(kernel("add.s33 %r1, %r2, %r3;"))
    raw.published(1)
    answer, changes = edits(raw, "fixAll", URI)
    assert answer["result"] == {"fixed": 1}
    assert [change["newText"] for change in changes] == [".s32"]


def test_nothing_to_fix(raw: RawClient) -> None:
    raw.initialize(capabilities=EDITS)
    raw.open(kernel())
    answer, changes = edits(raw, "fixAll", URI)
    assert (answer["result"], changes) == ({"fixed": 0}, [])


def test_another_target(raw: RawClient) -> None:
    raw.initialize(capabilities=EDITS)
    raw.open(kernel())
    answer, changes = edits(raw, "setTarget", URI, "sm_100a")
    assert answer["result"] is None
    assert [(change["range"]["start"]["line"], change["newText"]) for change in changes] == [(0, "8.6"), (1, "sm_100a")]


def test_another_version(raw: RawClient) -> None:
    raw.initialize(capabilities=EDITS)
    raw.open(kernel())
    _, changes = edits(raw, "setVersion", URI, "8.6")
    assert [change["newText"] for change in changes] == ["8.6"]
    assert edits(raw, "setVersion", URI, "8.0")[1] == []


@pytest.mark.parametrize(
    ("command", "word", "reason"),
    [
        ("setTarget", "sm_91", "unknown target 'sm_91'; did you mean 'sm_9"),
        ("setVersion", "8.65", "unknown PTX version '8.65'; did you mean '8."),
        ("setVersion", "7.0", "'sm_90' requires PTX 7.8 or newer"),
    ],
)
def test_what_cannot_be_written(raw: RawClient, command: str, word: str, reason: str) -> None:
    raw.initialize(capabilities=EDITS)
    raw.open(kernel())
    error = run(raw, command, URI, word)["error"]
    assert error["code"] == FAILED
    assert error["message"].startswith(reason)


@pytest.mark.parametrize("arguments", [("fixAll", URI), ("setTarget", URI, "sm_90"), ("setVersion", URI, "8.0")])
def test_editors_that_let_nobody_edit(raw: RawClient, arguments: tuple[str, ...]) -> None:
    raw.initialize()
    raw.open(kernel())
    assert run(raw, *arguments)["error"]["message"] == "the editor does not support edits by the server"


@pytest.mark.parametrize("arguments", [("fixAll", URI), ("setTarget", URI, "sm_90"), ("setVersion", URI, "8.0")])
def test_documents_that_are_not_open(raw: RawClient, arguments: tuple[str, ...]) -> None:
    raw.initialize(capabilities=EDITS)
    error = run(raw, *arguments)["error"]
    assert (error["code"], error["message"]) == (FAILED, f"'{URI}' is not open")


# ---------------------------------------------------------------------- status and settings


def test_status(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"severity": {"E502": "hint"}, "inlayHints": {"masks": False}})
    raw.open(kernel("add.s33 %r1, %r2, %r3;"))
    raw.published(1)
    found = run(raw, "status", URI)["result"]
    assert found["server"]["name"] == "ptx-lsp"
    about = found["document"]
    assert (about["ptxVersion"], about["target"], about["isTargetAssumed"]) == ("8.0", "sm_90", False)
    assert (about["version"], about["isReady"], about["findings"]["error"]) == (1, True, 1)
    settings = found["settings"]
    assert settings["severity"] == {"E502": "hint"}
    assert settings["inlay-hints"]["masks"] is False
    assert settings["max-diagnostics"] == 1000


def test_status_of_no_document(raw: RawClient) -> None:
    raw.initialize()
    assert run(raw, "status")["result"]["document"] is None
    assert run(raw, "status", URI)["result"]["document"] is None
    assert run(raw, "status", 5)["error"]["code"] == INVALID


def test_reload_fetches_the_settings_again(raw: RawClient) -> None:
    raw.initialize(capabilities={"workspace": {"configuration": True}})
    raw.wait(lambda message: message.get("method") == "workspace/configuration")
    assert run(raw, "status")["result"]["settings"]["target"] is None
    raw.notify("workspace/didChangeWatchedFiles", {"changes": []})
    send(raw, "reload")
    asked = raw.wait(lambda message: message.get("method") == "workspace/configuration")
    raw.answer(asked, [{"target": "sm_80"}])
    assert run(raw, "status")["result"]["settings"]["target"] == "sm_80"


@pytest.mark.parametrize("answer", [{"result": [None]}, {"error": {"code": -32603, "message": "no settings"}}])
def test_reload_reads_files_again_also_if_the_editor_has_no_settings(
    raw: RawClient, tmp_path: Path, answer: Message
) -> None:
    raw.initialize(capabilities={"workspace": {"configuration": True}})
    raw.answer(raw.wait(lambda message: message.get("method") == "workspace/configuration"), [None])
    raw.open(kernel("mov.b32 %r1, x;"), uri=(tmp_path / "kernel.ptx").as_uri())
    assert [one["code"] for one in raw.published(1)] == ["E201"]
    (tmp_path / "ptx-lsp.toml").write_text('ignore = ["E2"]\n')
    send(raw, "reload")
    asked = raw.wait(lambda message: message.get("method") == "workspace/configuration")
    raw.send_body(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}).encode())
    assert raw.published(1) == []


# ---------------------------------------------------------------------- pages as documents

PAGES = {"workspace": {"textDocumentContent": {}}}


def page(raw: RawClient, uri: str) -> Message:
    return raw.ask("workspace/textDocumentContent", {"uri": uri})


def test_pages_are_announced_to_who_asks_for_them(raw: RawClient) -> None:
    announced = raw.initialize(capabilities=PAGES)["capabilities"]["workspace"]
    assert announced["textDocumentContent"] == {"schemes": ["ptx-lsp"]}


def test_pages_are_not_announced_to_others(raw: RawClient) -> None:
    assert "textDocumentContent" not in raw.initialize()["capabilities"]["workspace"]


def test_a_page(raw: RawClient) -> None:
    raw.initialize(capabilities=PAGES)
    assert page(raw, "ptx-lsp:/isa/mma.md")["result"]["text"].startswith("# mma: ")
    assert page(raw, "ptx-lsp:/codes/E502.md")["result"]["text"].startswith("# E502 newer-target")


@pytest.mark.parametrize("uri", ["ptx-lsp:/isa/nothing.md", "ptx-lsp:/", "file:///isa/mma.md", "", "ptx-lsp:/x/mma.md"])
def test_a_page_that_does_not_exist(raw: RawClient, uri: str) -> None:
    raw.initialize(capabilities=PAGES)
    assert page(raw, uri)["error"]["code"] == FAILED


@pytest.mark.parametrize(
    ("name", "wanted"), [("flowAt", "mermaid"), ("originAt", "%r1"), ("usesAt", "%r1"), ("barriersAt", "arriers")]
)
def test_pages_of_a_place_come_over_the_wire(raw: RawClient, name: str, wanted: str) -> None:
    raw.initialize()
    raw.open(kernel("mov.b32 %r1, 42;", "add.s32 %r2, %r1, 1;", "bar.sync 0;"))
    position = {"line": 7, "character": 13}
    answer = raw.ask("workspace/executeCommand", {"command": f"ptx-lsp.{name}", "arguments": [URI, position]})
    assert wanted in answer["result"]["markdown"]
