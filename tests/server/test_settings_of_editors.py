"""Settings from editors and project files: where they come from, which win, what happens when they are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ptx_lsp.server.capabilities import STATUS
from ptx_lsp.server.configuration import Configurations, section_of

from .conftest import URI, Message, RawClient, kernel

NEWER = kernel("add.f32x2 %rd1, %rd2, %rd3;").replace("8.0", "8.6")


def codes(findings: list[dict[str, object]]) -> list[object]:
    return [finding["code"] for finding in findings]


@pytest.mark.parametrize("options", [{"ignore": ["E502"]}, {"ptx-lsp": {"ignore": ["newer-target"]}}])
def test_initialization_options_hold_from_the_start(raw: RawClient, options: dict[str, object]) -> None:
    raw.initialize(initializationOptions=options)
    raw.open(NEWER)
    assert raw.published(1) == []


def test_a_change_of_settings_checks_open_documents_again(raw: RawClient) -> None:
    raw.initialize()
    raw.open(NEWER)
    assert codes(raw.published(1)) == ["E502"]
    raw.notify("workspace/didChangeConfiguration", {"settings": {"ptx-lsp": {"target": "sm_100"}}})
    assert raw.published(1) == []


def test_settings_are_fetched_from_an_editor_that_can_be_asked(raw: RawClient) -> None:
    raw.initialize(capabilities={"workspace": {"configuration": True}})
    asked = raw.wait(lambda message: message.get("method") == "workspace/configuration")
    assert asked["params"]["items"] == [{"section": "ptx-lsp"}]
    raw.open(NEWER)
    assert codes(raw.published(1)) == ["E502"]
    raw.answer(asked, [{"severity": {"E502": "hint"}}])
    assert [finding["severity"] for finding in raw.published(1)] == [4]


def test_problems_are_shown_once(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"targett": "sm_90"})
    shown = raw.wait(lambda message: message.get("method") == "window/showMessage")
    assert "targett" in shown["params"]["message"]
    raw.open(NEWER)
    raw.open(NEWER, uri="file:///nowhere/other.ptx")
    assert [raw.read()["method"] for _ in range(2)] == ["textDocument/publishDiagnostics"] * 2


def test_a_project_file_holds_below_its_folder(raw: RawClient, tmp_path: Path) -> None:
    (tmp_path / "ptx-lsp.toml").write_text('ignore = ["E502"]\n')
    folder = tmp_path / "deep" / "er"
    folder.mkdir(parents=True)
    uri = (folder / "kernel.ptx").as_uri()
    raw.initialize()
    raw.open(NEWER, uri=uri)
    assert raw.published(1) == []
    (tmp_path / "ptx-lsp.toml").write_text("")
    change = {"uri": (tmp_path / "ptx-lsp.toml").as_uri(), "type": 2}
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    assert codes(raw.published(1)) == ["E502"]


def test_a_document_is_opened_whatever_its_project_file_holds(raw: RawClient, tmp_path: Path) -> None:
    (tmp_path / "ptx-lsp.toml").write_text(f"max-diagnostics = {'9' * 5000}\n")
    raw.initialize()
    raw.open(NEWER, uri=(tmp_path / "kernel.ptx").as_uri())
    shown = raw.wait(lambda message: message.get("method") == "window/showMessage")
    assert "ptx-lsp.toml: is not valid TOML: a number has too many digits" in shown["params"]["message"]
    assert codes(raw.published(1)) == ["E502"]


def test_the_editor_wins_over_the_project_file(tmp_path: Path) -> None:
    (tmp_path / "ptx-lsp.toml").write_text('target = "sm_80"\nmax-diagnostics = 7\n')
    uri = (tmp_path / "kernel.ptx").as_uri()
    configurations = Configurations()
    configurations.start({"target": "sm_90"})
    settings = configurations.settings_for(uri)
    assert (settings.target, settings.max_diagnostics) == ("sm_90", 7)


def test_what_an_editor_leaves_empty_is_not_set(tmp_path: Path) -> None:
    (tmp_path / "ptx-lsp.toml").write_text('target = "sm_80"\n')
    configurations = Configurations()
    configurations.update({"target": "", "ignore": [], "severity": {}, "select": None})
    assert configurations.settings_for((tmp_path / "kernel.ptx").as_uri()).target == "sm_80"


def test_later_settings_fall_back_on_those_of_the_start() -> None:
    configurations = Configurations()
    configurations.start({"target": "sm_80", "ptxVersion": "7.0"})
    configurations.update({"target": "sm_90"})
    settings = configurations.settings_for(URI)
    assert (settings.target, settings.ptx_version) == ("sm_90", "7.0")


def test_tables_of_the_start_hold_key_by_key() -> None:
    configurations = Configurations()
    configurations.start({"inlayHints": {"literals": False}, "codeLenses": {"needs": False}})
    configurations.update({"inlay-hints": {"masks": False}, "codeLenses": {"needs": None}})
    settings = configurations.settings_for(URI)
    assert (settings.inlay_hints.literals, settings.inlay_hints.masks) == (False, False)
    assert settings.code_lenses.needs is False


def test_what_an_editor_no_longer_sets_is_as_before(tmp_path: Path) -> None:
    (tmp_path / "ptx-lsp.toml").write_text("[inlay-hints]\nliterals = false\n")
    uri = (tmp_path / "kernel.ptx").as_uri()
    configurations = Configurations()
    configurations.update({"inlayHints": {"literals": True}})
    assert configurations.settings_for(uri).inlay_hints.literals
    configurations.update({})
    assert not configurations.settings_for(uri).inlay_hints.literals


TABLES = {"completion", "inlayHints", "codeLenses", "format"}
REFRESHED = {"inlayHints": "inlayHint", "codeLenses": "codeLens"}
OTHER_VALUES = {
    "completion": {"snippets": False},
    "inlayHints": {"literals": False},
    "codeLenses": {"needs": False},
    "format": {"indent": 2},
}


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_client_that_registers_for_changes(raw: RawClient, table: str) -> None:
    """It is asked for the settings after each change, and shows anew what depends on them, and nothing else."""
    shown = {name: {"refreshSupport": True} for name in ("inlayHint", "codeLens", "semanticTokens", "foldingRange")}
    changes = {"didChangeConfiguration": {"dynamicRegistration": True}}
    raw.initialize(capabilities={"workspace": {"configuration": True, **changes, **shown}})
    registered = raw.wait(lambda message: message.get("method") == "client/registerCapability")
    assert [one["method"] for one in registered["params"]["registrations"]] == ["workspace/didChangeConfiguration"]
    raw.answer(registered, None)
    raw.answer(raw.wait(lambda message: message.get("method") == "workspace/configuration"), [{}])
    raw.open(NEWER)
    raw.published(1)
    raw.notify("workspace/didChangeConfiguration", {"settings": None})
    asked = raw.wait(lambda message: message.get("method") == "workspace/configuration")
    raw.answer(asked, [{table: OTHER_VALUES[table]}])
    seen = methods_until_status(raw)
    assert [one for one in seen if "refresh" in one or "publish" in one] == (
        [f"workspace/{REFRESHED[table]}/refresh"] if table in REFRESHED else []
    )


def test_a_wrong_value_is_told_once_and_spoils_nothing(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"inlayHints": {"literals": False}})
    raw.open(NEWER)
    raw.published(1)
    wrong = {"inlayHints": {"masks": 7, "branches": False}, "target": 5}
    for _ in range(2):
        raw.notify("workspace/didChangeConfiguration", {"settings": {"ptx-lsp": wrong}})
    *seen, status = until_status(raw, URI)
    (told,) = [message["params"]["message"] for message in seen if message["method"] == "window/showMessage"]
    assert told.split("\n") == [
        "ptx-lsp: settings: 'inlayHints' 'masks' must be true or false, not 7",
        "settings: 'target' must be a target such as 'sm_90a', not the number 5",
    ]
    hints = status["result"]["settings"]["inlay-hints"]
    assert (hints["masks"], hints["branches"], hints["literals"]) == (True, False, False)


def test_options_about_the_connection_are_no_settings(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"commands": ["ptx-lsp.showReferences"], "pullDiagnostics": False})
    assert "window/showMessage" not in methods_until_status(raw)


def until_status(raw: RawClient, *arguments: str) -> list[Message]:
    """What comes up to the answer to a request that is sent now, and that answer."""
    params = {"command": STATUS, "arguments": list(arguments)}
    asked = {"jsonrpc": "2.0", "id": "last", "method": "workspace/executeCommand", "params": params}
    raw.send_body(json.dumps(asked).encode())
    found = [raw.read()]
    while found[-1].get("id") != "last":
        found.append(raw.read())
    return found


def methods_until_status(raw: RawClient) -> list[str]:
    """The methods of what comes before the answer to a request that is sent now."""
    return [str(message["method"]) for message in until_status(raw)[:-1]]


@pytest.mark.parametrize("options", [None, 5, [], "x", {"ptx-lsp": None}, {"pullDiagnostics": True}])
def test_options_without_settings(options: object) -> None:
    assert not section_of(options)
