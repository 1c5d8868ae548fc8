"""A real Kate takes our settings as they are, starts the language server and is told of a mistake."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sysconfig
import time
from pathlib import Path

from tests.editors.programs import ROOT, needed

KATE = ROOT / "editors" / "kate"

PATIENCE = 60
"""Seconds until the server must have told Kate of the mistake."""

# Kate keeps what the server says to itself, so a program of the same name stands between them and writes it down.
LISTENER = """#!/bin/sh
"{server}" "$@" | tee "{log}"
"""

# Kate asks before it starts a program that it does not know; whoever said yes has this in katerc.
KATERC = """[General]
Show welcome view for new window=false
[lspclient]
AllowedServerCommandLines={server} --stdio
"""

MODULE = ".version 8.0\n.target sm_90\n.visible .entry kernel()\n{\n    addd.u32 %r1, 1, 2;\n    ret;\n}\n"


def test_kate_is_told_of_mistakes(tmp_path):
    kate, session = needed("kate"), needed("dbus-run-session")
    programs, configuration, data, log = (tmp_path / name for name in ("bin", "config", "data", "log"))
    server = programs / "ptx-lsp"
    _write(server, LISTENER.format(server=Path(sysconfig.get_path("scripts")) / "ptx-lsp", log=log)).chmod(0o755)
    _write(configuration / "katerc", KATERC.format(server=server))
    _copy(KATE / "lspclient.json", configuration / "kate" / "lspclient" / "settings.json")
    _copy(KATE / "ptx.xml", data / "org.kde.syntax-highlighting" / "syntax" / "ptx.xml")
    _write(tmp_path / "project" / "kernel.ptx", MODULE)
    (tmp_path / "run").mkdir(mode=0o700)
    process = subprocess.Popen(
        [session, "--", kate, "--new", "--block", tmp_path / "project" / "kernel.ptx"],
        env={
            **os.environ,
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(configuration),
            "XDG_DATA_HOME": str(data),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "XDG_RUNTIME_DIR": str(tmp_path / "run"),
            "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
            "QT_QPA_PLATFORM": "offscreen",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        found = _wait_for_findings(log)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)
    assert [one["code"] for one in found if "'addd'" in one["message"]] == ["E301"]


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def _wait_for_findings(log: Path) -> list[dict[str, str]]:
    """What the first message with findings says, once it is there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        said = log.read_bytes() if log.exists() else b""
        for part in said.split(b"Content-Length: ")[1:]:
            length, _, rest = part.partition(b"\r\n")
            body = rest.partition(b"\r\n\r\n")[2] or rest.removeprefix(b"\r\n")
            if len(body) >= int(length) and b"publishDiagnostics" in body:
                found = json.loads(body[: int(length)])["params"]["diagnostics"]
                if found:
                    return found
        time.sleep(0.05)
    raise AssertionError(f"Kate was told of nothing in {PATIENCE} seconds")
