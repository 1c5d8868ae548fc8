"""One file opened in a fresh server: the time to its first findings, of keystrokes, and the memory it takes."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

from benchmarks.speed.client import CAPABILITIES, Client, Message

_NUMBER = re.compile(r"[%\w]\d+(?=[,;\]])")
_STATEMENT = "\tadd.s32 \t%r1, %r2, 1;\n"
_LONGEST_PAUSE = 0.04
"""Seconds between two keystrokes, at most: the next may come while the server still analyses data flow."""


class Session:
    """A file in a server that was started for it, in a workspace if there is a ``folder``."""

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        text = path.read_text(encoding="utf-8")
        self.lines = text.splitlines()
        self._document = {"uri": path.as_uri()}
        self._version = 1
        self._random = random.Random(1)
        self.work: list[float] = []
        """Seconds that the event loop of the server has run during each edit, see ``Client.work``."""
        self.client = Client()
        folders = [{"uri": folder.as_uri(), "name": folder.name}] if folder else []
        params = {"processId": None, "rootUri": None, "capabilities": CAPABILITIES, "workspaceFolders": folders}
        self.client.request("initialize", params)
        self.client.notify("initialized", {})
        item = {**self._document, "languageId": "ptx", "version": 1, "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": item})
        self.client.diagnostics(1)
        self.first_findings = self.client.arrived - self.client.started
        """Seconds from the start of the process to the first findings."""

    def type_digits(self, count: int) -> list[float]:
        """Type a digit at the end of a number or register somewhere, and delete it again; seconds to the findings."""
        times = []
        for _ in range(count):
            line, column = self._a_number()
            times.append(self._edit((line, column), (line, column), "1"))
            times.append(self._edit((line, column), (line, column + 1), ""))
        return times

    def type_statements(self, count: int) -> list[float]:
        """Type a whole statement on a line of its own, letter by letter, and delete it again."""
        times = []
        for _ in range(count):
            line, _ = self._a_number()
            for column, letter in enumerate(_STATEMENT):
                times.append(self._edit((line, column), (line, column), letter))
            times.append(self._edit((line, 0), (line + 1, 0), ""))
        return times

    def open_and_close(self, mark: str, count: int) -> list[float]:
        """Type a mark that changes the meaning of all that follows into the first function, and delete it again."""
        line = next((at for at, text in enumerate(self.lines) if _NUMBER.search(text)), 0)
        times = []
        for _ in range(count):
            times.append(self._edit((line, 0), (line, 0), mark))
            times.append(self._edit((line, 0), (line, len(mark)), ""))
        return times

    def _a_number(self) -> tuple[int, int]:
        """Line and column of the end of a random number."""
        while True:
            line = self._random.randrange(len(self.lines))
            found = list(_NUMBER.finditer(self.lines[line]))
            if found and self.lines[line].isascii() and "//" not in self.lines[line]:
                return line, self._random.choice(found).end()

    def _edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> float:
        time.sleep(self._random.uniform(0, _LONGEST_PAUSE))
        self._version += 1
        change = {"range": {"start": _position(*start), "end": _position(*end)}, "text": text}
        document = {**self._document, "version": self._version}
        work, begin = self.client.work(), time.perf_counter()
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.client.diagnostics(self._version)
        self.work.append(self.client.work() - work)
        return self.client.arrived - begin


def _position(line: int, column: int) -> Message:
    return {"line": line, "character": column}
