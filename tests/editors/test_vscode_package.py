"""What VS Code's package says of itself is so: versions, commands, files; the server needs no more than it brings."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ptx_lsp
from ptx_lsp.cli import entry
from tests.editors.programs import needed

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text("utf-8"))
LOCK = (EXTENSION / "package-lock.json").read_text("utf-8")
CONTRIBUTES = MANIFEST["contributes"]
PINS = dict(re.findall(r"^([\w.-]+)==(\S+) --hash=sha256:", (EXTENSION / "requirements-bundle.txt").read_text(), re.M))


def source(name: str) -> str:
    return (EXTENSION / "src" / name).read_text("utf-8")


def paths(value: object) -> set[str]:
    """All texts in the manifest that name a file of the extension."""
    if isinstance(value, dict | list):
        return set().union(*map(paths, value.values() if isinstance(value, dict) else value))
    return set(filter(re.compile(r"(\./)?[\w-]+(/[\w.-]+)*\.(json|md|png)").fullmatch, [str(value)]))


# --------------------------------------------------------------------- manifest


def test_the_version_is_the_servers():
    assert MANIFEST["version"] == ptx_lsp.__version__
    assert json.loads(LOCK)["version"] == ptx_lsp.__version__


def test_the_files_that_it_names_are_there():
    named = paths(MANIFEST)
    assert {"images/icon.png", "walkthrough/open.md", "./syntaxes/ptx.tmLanguage.json"} <= named
    assert [name for name in named if not (EXTENSION / name).is_file()] == []


def test_every_command_of_the_menus_is_registered():
    registered = {f"ptx-lsp.{name}" for name in re.findall(r"register\('(\w+)'", source("commands.ts"))}
    contributed = {one["command"] for one in CONTRIBUTES["commands"]}
    assert contributed | {"ptx-lsp.showReferences"} == registered
    in_menus = {one["command"] for menu in CONTRIBUTES["menus"].values() for one in menu}
    in_walkthrough = set(re.findall(r"command:(ptx-lsp\.\w+)", json.dumps(CONTRIBUTES["walkthroughs"])))
    assert in_menus | in_walkthrough <= contributed


def test_it_is_built_for_the_vscode_that_it_asks_for():
    oldest = MANIFEST["engines"]["vscode"].removeprefix("^")
    assert MANIFEST["devDependencies"]["@types/vscode"] == oldest


def test_the_packages_that_build_it_are_pinned_and_have_no_address():
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in MANIFEST["devDependencies"].values())
    assert '"resolved"' not in LOCK


def test_nothing_is_reported_to_anybody():
    for file in (EXTENSION / "src").glob("*.ts"):
        assert not re.search(r"telemetry|fetch\(|https?\.request", file.read_text("utf-8"), re.IGNORECASE), file


# ------------------------------------------------------------------- unit tests


def test_the_unit_tests_of_the_extension():
    needed("vsce")
    environment = {**os.environ, "PATH": f"{needed('node').parent}{os.pathsep}{os.environ['PATH']}"}
    command = ["npm", "test", "--silent"]
    done = subprocess.run(command, cwd=EXTENSION, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# ----------------------------------------------------------------- the libraries


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like the installed extension's, with the pinned libraries and nothing else of this environment."""
    folder = tmp_path_factory.mktemp("extension")
    libs = folder / "libs"
    libs.mkdir()
    shutil.copy(EXTENSION / "bundled" / "server.py", folder)
    from importlib.metadata import distribution

    for name in PINS:
        found = distribution(name)
        for file in found.files or ():
            top = file.parts[0]
            if not top.startswith(("..", "__")) and not (libs / top).exists():
                (libs / top).symlink_to(Path(str(found.locate_file(top))))
    (libs / "ptx_lsp").symlink_to(Path(entry.__file__).parents[1])
    (libs / "grammar").symlink_to(ROOT / "grammar")
    return folder


def run(extension: Path, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The bundled program as the extension starts it."""
    command = (sys.executable, "-I", "-S", "-X", "utf8", str(extension / "server.py"), *arguments)
    return subprocess.run(command, input=given, capture_output=True, timeout=60, check=False)


def test_all_libraries_but_one_are_bundled():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {re.split(r"[<>=]", line)[0] for line in project["dependencies"]}
    assert wanted - set(PINS) == {"rich"}, "the terminal draws with it, the server does not"


def test_the_server_needs_no_more(extension: Path):
    messages = (
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "workspace/executeCommand", "params": {"command": "ptx-lsp.status"}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    )
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    sent = (b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in bodies)
    done = run(extension, "--stdio", given=b"".join(sent))
    assert done.returncode == 0, done.stderr.decode()
    answers = [json.loads(body) for body in re.findall(rb"\{.*\}", done.stdout)]
    (status,) = (answer["result"] for answer in answers if answer.get("id") == 2)
    assert status["server"] == {"name": "ptx-lsp", "version": ptx_lsp.__version__}
    assert done.stderr == b""


def test_decoding_needs_no_more(extension: Path):
    done = run(extension, "decode", "idesc", "--kind", "f16", "0x8200490")
    assert done.returncode == 0, done.stderr.decode()
    assert "M128 N128" in done.stdout.decode()
