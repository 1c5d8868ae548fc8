"""Several files: symbols, definitions, references, rename, calls and findings across them, over the wire."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import MODULE, Message, RawClient, insertion

HEADER = MODULE.replace("\n", " // ptx-lsp: ignore-file[W62]\n", 1)
LIBRARY = (
    HEADER
    + """\
.visible .func helper(.reg .b32 a)
{ ret; }
.visible .global .b32 counter;
.func mine() { ret; }
"""
)
USER = (
    HEADER
    + """\
.extern .func helper(.reg .b32 a);
.extern .global .b32 counter;
.func mine() { ret; }
.visible .entry kernel()
{ .reg .b32 %r<4>;
ld.global.b32 %r1, [counter];
call helper, (%r1);
call mine;
ret; }
"""
)
LONG_BODY = ".reg .b32 %r<9>;" + "".join(f"add.s32 %r{number % 9}, %r1, {number};\n" for number in range(10_000))
CALL = {"line": 9, "character": 6}
"""``helper`` in the user's call."""
MINE = {"line": 10, "character": 6}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "library.ptx").write_text(LIBRARY)
    (tmp_path / "user.ptx").write_text(USER)
    return tmp_path


def start(raw: RawClient, folder: Path, **capabilities: Any) -> Message:
    return raw.initialize(workspaceFolders=[{"uri": folder.as_uri(), "name": "work"}], capabilities=capabilities)


def user(folder: Path) -> str:
    return (folder / "user.ptx").as_uri()


def library(folder: Path) -> str:
    return (folder / "deep" / "library.ptx").as_uri()


def about(uri: str, position: Message = CALL, **more: object) -> Message:
    return {"textDocument": {"uri": uri}, "position": position, **more}


def names(found: list[Message]) -> list[tuple[str, str]]:
    return [(one["name"], one["containerName"]) for one in found]


def place(location: Message) -> tuple[str, int]:
    return location["uri"].rsplit("/", 1)[1], location["range"]["start"]["line"]


# ---- symbols


def test_symbols_of_all_files(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    found = raw.ask("workspace/symbol", {"query": "hlpr"})["result"]
    assert names(found) == [("helper", "deep/library.ptx"), ("helper", "user.ptx")], "the definition comes first"
    assert found[0]["location"]["uri"] == library(folder)
    assert found[0]["location"]["range"]["start"] == {"line": 3, "character": 15}
    assert {one["name"] for one in raw.ask("workspace/symbol", {"query": ""})["result"]} == {
        "helper",
        "counter",
        "mine",
        "kernel",
    }


def test_ranges_of_symbols_come_later_for_clients_that_can_wait(raw: RawClient, folder: Path) -> None:
    start(raw, folder, workspace={"symbol": {"resolveSupport": {"properties": ["location.range"]}}})
    (found,) = raw.ask("workspace/symbol", {"query": "kernel"})["result"]
    assert found["location"] == {"uri": user(folder)}
    resolved = raw.ask("workspaceSymbol/resolve", found)["result"]
    assert resolved["location"]["range"]["start"] == {"line": 6, "character": 16}
    found["name"] = "gone"
    assert raw.ask("workspaceSymbol/resolve", found)["result"]["location"] == {"uri": user(folder)}


def test_what_is_open_wins_over_the_disk(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER.replace("kernel", "other"), uri=user(folder))
    assert names(raw.ask("workspace/symbol", {"query": "kernel"})["result"]) == []
    assert names(raw.ask("workspace/symbol", {"query": "other"})["result"]) == [("other", "user.ptx")]
    raw.change(2, insertion(6, 16, "an"), uri=user(folder))
    assert names(raw.ask("workspace/symbol", {"query": "other"})["result"]) == [("another", "user.ptx")]
    raw.notify("textDocument/didClose", {"textDocument": {"uri": user(folder)}})
    assert names(raw.ask("workspace/symbol", {"query": "kernel"})["result"]) == [("kernel", "user.ptx")]


def test_files_that_change_come_and_go(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    assert names(raw.ask("workspace/symbol", {"query": "fresh"})["result"]) == []
    fresh = folder / "fresh.ptx"
    for text, expected in [(".func fresh1() { ret; }", ["fresh1"]), (".func fresh22() { ret; }", ["fresh22"])]:
        fresh.write_text(HEADER + text)
        raw.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": fresh.as_uri(), "type": 2}]})
        assert [one["name"] for one in raw.ask("workspace/symbol", {"query": "fresh"})["result"]] == expected
    fresh.unlink()
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": fresh.as_uri(), "type": 3}]})
    assert names(raw.ask("workspace/symbol", {"query": "fresh"})["result"]) == []


def test_a_client_that_does_not_watch_sees_changes_after_a_while(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    assert names(raw.ask("workspace/symbol", {"query": "kernel"})["result"])
    (folder / "user.ptx").unlink()
    (folder / "new.ptx").write_text(USER)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        time.sleep(0.3)
        if names(raw.ask("workspace/symbol", {"query": "kernel"})["result"]) == [("kernel", "new.ptx")]:
            return
    raise AssertionError("the change was never seen")


def test_a_client_that_can_watch_is_asked_to(raw: RawClient, folder: Path) -> None:
    start(raw, folder, workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
    asked = raw.wait(lambda message: message.get("method") == "client/registerCapability")
    options = asked["params"]["registrations"][0]["registerOptions"]
    assert {"globPattern": "**/*.ptx"} in options["watchers"]


def test_folders_are_added_and_removed(raw: RawClient, folder: Path, tmp_path_factory: Any) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "other.ptx").write_text(HEADER + ".func elsewhere() { ret; }")
    start(raw, folder)
    added = {"uri": other.as_uri(), "name": "other"}
    raw.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [added], "removed": []}})
    assert names(raw.ask("workspace/symbol", {"query": "elsewhere"})["result"]) == [("elsewhere", "other.ptx")]
    raw.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [added]}})
    assert names(raw.ask("workspace/symbol", {"query": "elsewhere"})["result"]) == []


def test_without_folders_the_open_documents_count(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LIBRARY, uri="untitled:Untitled-1")
    raw.open(USER, uri="file:///nowhere/user.ptx")
    found = raw.ask("textDocument/definition", about("file:///nowhere/user.ptx"))["result"]
    assert found["uri"] == "untitled:Untitled-1"
    raw.notify("textDocument/didClose", {"textDocument": {"uri": "untitled:Untitled-1"}})
    assert names(raw.ask("workspace/symbol", {"query": "helper"})["result"]) == [("helper", "user.ptx")]


def test_an_old_state_of_a_file_is_no_file_of_the_workspace(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    old = "git:/project/user.ptx?ref=HEAD"
    raw.open(USER, uri=old)
    assert renamed(raw.ask("textDocument/rename", about(user(folder), newName="fresh"))).keys() == {
        "user.ptx",
        "library.ptx",
    }
    assert place(raw.ask("textDocument/definition", about(old))["result"])[1] == 3, "but it can be looked at"
    assert raw.ask("textDocument/prepareCallHierarchy", about(old))["result"] is None


def test_strange_files_do_no_harm(raw: RawClient, folder: Path) -> None:
    (folder / "binary.ptx").write_bytes(b"\x7fELF\0\0\0")
    (folder / "latin.ptx").write_bytes(b"// caf\xe9\n" + HEADER.encode() + b".func latin() { ret; }")
    (folder / "bom.ptx").write_bytes(b"\xef\xbb\xbf.func bom() { ret; }")
    (folder / "empty.ptx").write_bytes(b"")
    (folder / "folder.ptx").mkdir()
    (folder / "broken.ptx").symlink_to(folder / "nowhere")
    (folder / "loop").symlink_to(folder)
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "h.ptx").write_text(".func hidden() { ret; }")
    start(raw, folder)
    assert names(raw.ask("workspace/symbol", {"query": "latin"})["result"]) == [("latin", "latin.ptx")]
    (bom,) = raw.ask("workspace/symbol", {"query": "bom"})["result"]
    assert bom["location"]["range"]["start"] == {"line": 0, "character": 6}, "the mark at the beginning is no letter"
    assert names(raw.ask("workspace/symbol", {"query": "hidden"})["result"]) == []
    assert len(raw.ask("workspace/symbol", {"query": "kernel"})["result"]) == 1
    assert raw.leave() == 0


def test_a_very_large_file_counts_only_while_it_is_open(raw: RawClient, folder: Path) -> None:
    with (folder / "large.ptx").open("wb") as file:
        file.truncate(17 << 20)
    start(raw, folder)
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": user(folder), "type": 2}]})
    told = raw.wait(lambda message: message.get("method") == "window/logMessage")
    assert "large.ptx is larger than 16 MB" in told["params"]["message"]
    raw.open(HEADER + ".func large() { ret; }", uri=(folder / "large.ptx").as_uri())
    assert names(raw.ask("workspace/symbol", {"query": "large"})["result"]) == [("large", "large.ptx")]


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 8), ("utf-16", 6), ("utf-32", 5)])
def test_columns_in_files_are_in_the_units_of_the_client(
    raw: RawClient, tmp_path: Path, encoding: str, column: int
) -> None:
    (tmp_path / "a.ptx").write_text(HEADER + "/*\U0001f600*/.func smile() { ret; }")
    start(raw, tmp_path, general={"positionEncodings": [encoding]})
    (found,) = raw.ask("workspace/symbol", {"query": "smile"})["result"]
    assert found["location"]["range"]["start"]["character"] == column + 6


def test_reading_many_files_shows_progress(raw: RawClient, tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.ptx").write_text(HEADER + f".func f{number}() {{ ret; }}")
    start(raw, tmp_path, window={"workDoneProgress": True})
    create = raw.wait(lambda message: message.get("method") == "window/workDoneProgress/create")
    raw.answer(create, None)
    kinds = []
    while "end" not in kinds:
        message = raw.wait(lambda message: message.get("method") == "$/progress")
        assert message["params"]["token"] == create["params"]["token"]
        kinds.append(message["params"]["value"]["kind"])
    assert kinds[0] == "begin"
    assert "report" in kinds


# ---- definition, references


def test_a_call_leads_to_the_body_in_another_file(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    for method in ("definition", "implementation"):
        assert place(raw.ask(f"textDocument/{method}", about(user(folder)))["result"]) == ("library.ptx", 3)
    assert place(raw.ask("textDocument/declaration", about(user(folder)))["result"]) == ("user.ptx", 3)
    counter = about(user(folder), {"line": 4, "character": 23})
    assert place(raw.ask("textDocument/definition", counter)["result"]) == ("library.ptx", 5)


def test_what_has_no_linkage_stays_in_its_file(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    assert place(raw.ask("textDocument/definition", about(user(folder), MINE))["result"]) == ("user.ptx", 5)
    found = raw.ask("textDocument/references", about(user(folder), MINE, context={"includeDeclaration": True}))
    assert [place(one) for one in found["result"]] == [("user.ptx", 5), ("user.ptx", 10)]


def test_links_for_clients_that_take_them(raw: RawClient, folder: Path) -> None:
    start(raw, folder, textDocument={"definition": {"linkSupport": True}})
    raw.open(USER, uri=user(folder))
    (link,) = raw.ask("textDocument/definition", about(user(folder)))["result"]
    assert link["originSelectionRange"] == {"start": {"line": 9, "character": 5}, "end": {"line": 9, "character": 11}}
    assert link["targetUri"] == library(folder)
    assert link["targetSelectionRange"]["start"] == {"line": 3, "character": 15}
    assert link["targetRange"]["end"] == {"line": 4, "character": 8}, "all of the function"
    (link,) = raw.ask("textDocument/definition", about(user(folder), MINE))["result"]
    assert link["targetRange"] == {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 21}}


def test_what_nobody_defines_leads_to_its_declaration(raw: RawClient, folder: Path) -> None:
    (folder / "deep" / "library.ptx").unlink()
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    assert place(raw.ask("textDocument/definition", about(user(folder)))["result"]) == ("user.ptx", 3)
    assert raw.ask("textDocument/implementation", about(user(folder)))["result"] is None


def test_references_in_all_files(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    all_of_them = raw.ask("textDocument/references", about(user(folder), context={"includeDeclaration": True}))
    assert [place(one) for one in all_of_them["result"]] == [("user.ptx", 3), ("user.ptx", 9), ("library.ptx", 3)]
    uses = raw.ask("textDocument/references", about(user(folder), context={"includeDeclaration": False}))
    assert [place(one) for one in uses["result"]] == [("user.ptx", 9)]


CALLERS = [
    ".extern .func helper(.reg .b32 a);\n.entry k() { call helper, (1);\ncall helper, (2);\nret; }",
    "// helper and taken\n.extern .func helper(.reg .b32 a);\n.entry k() { .reg .b64 r; mov.b64 r, helper; ret; }",
    ".extern .func helper(.reg .b32 a);\n.entry k() { .reg .b64 helpers; { .reg .b32 helper; mov.b32 helper, 1; } }",
]
"""Files of which what is kept of them suffices to find all places, and of which it does not."""


@pytest.mark.parametrize("is_open", [False, True])
def test_every_place_in_other_files_open_or_not(raw: RawClient, folder: Path, is_open: bool) -> None:
    start(raw, folder)
    for number, text in enumerate(CALLERS):
        (folder / f"{number}.ptx").write_text(HEADER + text)
        if is_open:
            raw.open(HEADER + text, uri=(folder / f"{number}.ptx").as_uri())
    raw.open(LIBRARY, uri=library(folder))
    helper = {"line": 3, "character": 16}
    found = raw.ask("textDocument/references", about(library(folder), helper, context={"includeDeclaration": True}))
    assert [(place(one), one["range"]["start"]["character"]) for one in found["result"]] == [
        (("library.ptx", 3), 15),
        (("0.ptx", 3), 14),
        (("0.ptx", 4), 18),
        (("0.ptx", 5), 5),
        (("1.ptx", 4), 14),
        (("1.ptx", 5), 37),
        (("2.ptx", 3), 14),
        (("user.ptx", 3), 14),
        (("user.ptx", 9), 5),
    ]
    for new in ("fresh", "taken"):
        assert renamed(raw.ask("textDocument/rename", about(library(folder), helper, newName=new))) == {
            "library.ptx": 1,
            "0.ptx": 3,
            "1.ptx": 2,
            "2.ptx": 1,
            "user.ptx": 2,
        }


# ---- rename


def renamed(answer: Message) -> dict[str, int]:
    """How many places change in which file."""
    changes = answer["result"]["changes"]
    return {uri.rsplit("/", 1)[1]: len(edits) for uri, edits in changes.items()}


def test_rename_in_all_files(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    assert renamed(raw.ask("textDocument/rename", about(user(folder), newName="fresh"))) == {
        "user.ptx": 2,
        "library.ptx": 1,
    }
    assert renamed(raw.ask("textDocument/rename", about(user(folder), MINE, newName="fresh"))) == {"user.ptx": 2}


def test_a_rename_says_which_versions_it_is_meant_for(raw: RawClient, folder: Path) -> None:
    start(raw, folder, workspace={"workspaceEdit": {"documentChanges": True}})
    raw.open(USER, version=7, uri=user(folder))
    answer = raw.ask("textDocument/rename", about(user(folder), newName="fresh"))["result"]
    identifiers = [one["textDocument"] for one in answer["documentChanges"]]
    assert identifiers == [{"uri": user(folder), "version": 7}, {"uri": library(folder), "version": None}]


@pytest.mark.parametrize(
    ("text", "new", "says"),
    [
        (LIBRARY.replace("mine", "taken"), "taken", "library.ptx: 'taken' is already declared"),
        (
            LIBRARY.replace("{ ret; }", "{ .reg .b32 taken; call helper, (1); ret; }"),
            "taken",
            "library.ptx: 'taken' would",
        ),
        (".visible .global .b32 taken;", "taken", "is defined in a file that is not part"),
    ],
)
def test_a_rename_that_would_capture_in_another_file_is_refused(
    raw: RawClient, folder: Path, text: str, new: str, says: str
) -> None:
    (folder / "deep" / "library.ptx").write_text(text if text.startswith(".version") else HEADER + text)
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    assert says in raw.ask("textDocument/rename", about(user(folder), newName=new))["error"]["message"]


def test_a_rename_to_a_name_of_a_third_file_is_refused(raw: RawClient, folder: Path) -> None:
    (folder / "third.ptx").write_text(HEADER + ".visible .func taken() { ret; }")
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    message = raw.ask("textDocument/rename", about(user(folder), newName="taken"))["error"]["message"]
    assert "third.ptx" in message


# ---- calls


def test_calls_across_files(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    (item,) = raw.ask("textDocument/prepareCallHierarchy", about(user(folder)))["result"]
    assert (item["name"], item["uri"]) == ("helper", library(folder))
    assert item["detail"] == ".visible .func · deep/library.ptx"
    (caller,) = raw.ask("callHierarchy/incomingCalls", {"item": item})["result"]
    assert (caller["from"]["name"], caller["from"]["uri"]) == ("kernel", user(folder))
    assert [one["start"] for one in caller["fromRanges"]] == [{"line": 9, "character": 5}]
    callees = raw.ask("callHierarchy/outgoingCalls", {"item": caller["from"]})["result"]
    assert [(one["to"]["name"], one["to"]["uri"]) for one in callees] == [
        ("helper", library(folder)),
        ("mine", user(folder)),
    ]
    assert raw.ask("callHierarchy/outgoingCalls", {"item": item})["result"] == []
    gone = {**item, "uri": "file:///nowhere/else.ptx"}
    assert raw.ask("callHierarchy/incomingCalls", {"item": gone})["result"] == []


def test_nothing_to_call(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    for where in ({"line": 0, "character": 0}, {"line": 99, "character": 0}, {"line": 8, "character": 16}):
        assert raw.ask("textDocument/prepareCallHierarchy", about(user(folder), where))["result"] is None
    assert raw.ask("textDocument/prepareCallHierarchy", about("file:///else.ptx"))["result"] is None


# ---- findings


PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def reports(found: Message) -> dict[str, Message]:
    return {one["uri"].rsplit("/", 1)[1]: one for one in found["items"]}


def test_findings_of_all_files(raw: RawClient, folder: Path) -> None:
    (folder / "bad.ptx").write_text(HEADER + ".entry k() { bogus; ret; }")
    result = start(raw, folder, **PULL)
    assert result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is True
    raw.open(USER.replace("call mine", "call yours"), version=3, uri=user(folder))
    found = reports(raw.ask("workspace/diagnostic", {"previousResultIds": []})["result"])
    assert {name: (one["kind"], one["version"], len(one["items"])) for name, one in found.items()} == {
        "user.ptx": ("full", 3, 1),
        "bad.ptx": ("full", None, 1),
        "library.ptx": ("full", None, 0),
    }
    known = [{"uri": one["uri"], "value": one["resultId"]} for one in found.values()]
    again = reports(raw.ask("workspace/diagnostic", {"previousResultIds": known})["result"])
    assert {one["kind"] for one in again.values()} == {"unchanged"}
    (folder / "bad.ptx").unlink()
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": (folder / "bad.ptx").as_uri(), "type": 3}]})
    third = reports(raw.ask("workspace/diagnostic", {"previousResultIds": known})["result"])
    assert (third["bad.ptx"]["kind"], third["bad.ptx"]["items"]) == ("full", []), "what was told is taken back"


def test_findings_of_a_file_are_the_same_open_or_not(raw: RawClient, folder: Path) -> None:
    text = HEADER.replace("W62", "X") + ".entry k() { .reg .b32 a; mov.b32 a, 1; bogus; }"
    (folder / "bad.ptx").write_text(text)
    start(raw, folder, **PULL)
    closed = reports(raw.ask("workspace/diagnostic", {"previousResultIds": []})["result"])["bad.ptx"]["items"]
    uri = (folder / "bad.ptx").as_uri()
    raw.open(text, uri=uri)
    raw.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    opened = raw.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]["items"]
    assert closed == opened != []


def test_findings_come_in_parts_with_progress(raw: RawClient, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.ptx").write_text(HEADER + ".entry k() { " + "bogus;\n" * 20 + "ret; }")
    start(raw, tmp_path, **PULL)
    params = {"previousResultIds": [], "partialResultToken": "part", "workDoneToken": 5}
    raw.send_body(json.dumps({"jsonrpc": "2.0", "id": 50, "method": "workspace/diagnostic", "params": params}).encode())
    files, kinds, parts = set(), [], 0
    while (message := raw.read()).get("id") != 50:
        token, value = message["params"]["token"], message["params"]["value"]
        if token == "part":
            files |= reports(value).keys()
            parts += 1
        elif token == 5:
            kinds.append(value["kind"])
    assert message["result"] == {"items": []}
    assert len(files) == 30
    assert parts > 1
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert "report" in kinds


def test_a_long_request_can_be_cancelled(raw: RawClient, tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number}.ptx").write_text(HEADER + f".entry k() {{ {LONG_BODY} ret; }}")
    start(raw, tmp_path, **PULL)
    params = {"previousResultIds": []}
    raw.send_body(json.dumps({"jsonrpc": "2.0", "id": 50, "method": "workspace/diagnostic", "params": params}).encode())
    time.sleep(0.1)
    raw.notify("$/cancelRequest", {"id": 50})
    assert raw.wait(lambda message: message.get("id") == 50)["error"]["code"] == -32800, "it is not brought to its end"
    raw.notify("$/cancelRequest", {"id": 50})  # too late: nobody minds
    assert raw.leave() == 0


def test_a_text_that_changes_meanwhile_gets_no_answer_for_the_old_one(raw: RawClient, folder: Path) -> None:
    for number in range(20):
        text = HEADER + f".extern .func helper(.reg .b32 a);\n.entry k{number}() {{ {LONG_BODY} ret; }}"
        (folder / f"{number}.ptx").write_text(text)
    start(raw, folder)
    raw.open(USER, uri=user(folder))
    raw.published(1)
    params = about(user(folder), newName="fresh")
    raw.send_body(json.dumps({"jsonrpc": "2.0", "id": 50, "method": "textDocument/rename", "params": params}).encode())
    raw.change(2, insertion(3, 0, "\n"), uri=user(folder))
    assert raw.wait(lambda message: message.get("id") == 50)["error"]["code"] == -32801


def test_other_settings_are_other_findings(raw: RawClient, folder: Path) -> None:
    (folder / "bad.ptx").write_text(HEADER + ".entry k() { bogus; ret; }")
    start(raw, folder, **PULL)
    found = reports(raw.ask("workspace/diagnostic", {"previousResultIds": []})["result"])
    known = [{"uri": one["uri"], "value": one["resultId"]} for one in found.values()]
    raw.notify("workspace/didChangeConfiguration", {"settings": {"ptx-lsp": {"ignore": ["E301"]}}})
    raw.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    again = reports(raw.ask("workspace/diagnostic", {"previousResultIds": known})["result"])
    assert (again["bad.ptx"]["kind"], again["bad.ptx"]["items"]) == ("full", [])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_the_workspace_is_not_waited_for(raw: RawClient, folder: Path) -> None:
    start(raw, folder)
    raw.ask("workspace/symbol", {"query": "helper"})  # the folders are looked through
    os.mkfifo(folder / "pipe.ptx")
    change = {"uri": (folder / "pipe.ptx").as_uri(), "type": 1}
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    assert raw.ask("workspace/symbol", {"query": "helper"})["result"]
    assert raw.leave() == 0
