"""How long an editor waits: the real server over standard input and output, driven by a client of its own.

    python benchmarks/server_latency.py FILE.ptx [FILE.ptx …]

Prints one table per file: time to ``initialize``, to the first diagnostics, from a
keystroke to its diagnostics, from a hover to its answer, and the server's memory.
All times are wall-clock times as the client sees them. Linux only (memory is read from /proc).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]

BUDGETS = {
    "process start to initialize answered": "60",
    "keystroke to diagnostics": "5 / 20",
    "hover": "- / 10",
    "definition": "- / 10",
    "inlay hints of a screen": "- / 15",
    "code lenses": "- / 50",
}
"""Milliseconds, median / 99th percentile; those of a file of 100,000 lines."""

CAPABILITIES: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
}


class Client:
    """A client that does nothing but send, wait and take the time."""

    def __init__(self, command: list[str]) -> None:
        self.started = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._requests = 0
        self.arrived = 0.0
        """When the last message had come, before it was parsed: our parser is slower than an editor's."""

    def notify(self, method: str, params: Message) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Message | None) -> Message:
        """Send a request and wait for its answer."""
        self._requests += 1
        number = self._requests
        self._send({"id": number, "method": method, "params": params})
        answer = self.wait(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer

    def wait(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted; others are dropped."""
        while not wanted(message := self._read()):
            pass
        return message

    def diagnostics(self, version: int) -> Message:
        """The next publish for at least this version."""
        return self.wait(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"].get("version", -1) >= version
            )
        )

    def memory(self) -> tuple[float, float]:
        """Resident memory of the server now and at its peak, in MB."""
        with open(f"/proc/{self._process.pid}/status", encoding="ascii") as status:
            found = dict(re.findall(r"(VmRSS|VmHWM):\s+(\d+) kB", status.read()))
        return int(found["VmRSS"]) / 1024, int(found["VmHWM"]) / 1024

    def stop(self) -> int:
        """Shut the server down; its exit status."""
        self.request("shutdown", None)
        self._send({"method": "exit"})
        return self._process.wait(10)

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._to.flush()

    def _read(self) -> Message:
        length = 0
        while (line := self._from.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the server has closed its output")
        body = self._from.read(length)
        self.arrived = time.perf_counter()
        message: Message = json.loads(body)
        return message


class Session:
    """One file opened in a fresh server, and the measurements on it."""

    def __init__(self, path: str, seed: int) -> None:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        self.uri = f"file://{path}"
        self.lines = text.splitlines()
        self.random = random.Random(seed)
        self.rows: list[tuple[str, list[float]]] = []
        self.version = 1
        self.client = Client([sys.executable, "-m", "ptx_lsp.server.startup.boot", "--stdio"])
        self._open(text)

    def _open(self, text: str) -> None:
        client = self.client
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES})
        self._add("process start to initialize answered", [time.perf_counter() - client.started])
        client.notify("initialized", {})
        item = {"uri": self.uri, "languageId": "ptx", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
        self.first = client.diagnostics(1)["params"]["diagnostics"]
        self._add("process start to first diagnostics", [time.perf_counter() - client.started])
        warm = {**item, "uri": self.uri + ".again"}
        self._add("open to diagnostics, warm", [self._timed(lambda: self._open_again(warm))])
        client.notify("textDocument/didClose", {"textDocument": {"uri": warm["uri"]}})

    def _open_again(self, item: Message) -> None:
        self.client.notify("textDocument/didOpen", {"textDocument": item})
        self.client.wait(lambda message: message.get("params", {}).get("uri") == item["uri"])

    def type_digits(self, count: int) -> None:
        """Type a digit at the end of a number or register somewhere, and delete it again."""
        times = []
        for _ in range(count):
            line, column = self._a_place(r"[%\w]\d+(?=[,;\]])")
            times.append(self._change(line, column, column, "1"))
            times.append(self._change(line, column, column + 1, ""))
        self._add("keystroke to diagnostics", times)

    def type_statements(self, count: int) -> None:
        """Type a whole statement on a line of its own, letter by letter, and delete it again."""
        times = []
        for _ in range(count):
            line, _ = self._a_place(r"[%\w]\d+(?=[,;\]])")
            statement = "\tadd.s32 \t%r1, %r2, 1;\n"
            for column, character in enumerate(statement):
                times.append(self._change(line, column, column, character))
            times.append(self._replace_line(line))
        self._add("statement typed, per keystroke", times)

    def ask(self, name: str, method: str, count: int) -> None:
        """Ask about ``count`` random words."""
        times = []
        for _ in range(count):
            line, column = self._a_place(r"[%.\w]+")
            where = {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": column - 1}}
            times.append(self._timed(lambda where=where: self.client.request(method, where)))
        self._add(name, times)

    def outline(self) -> None:
        """Ask for the document's symbols."""
        params = {"textDocument": {"uri": self.uri}}
        times = [self._timed(lambda: self.client.request("textDocument/documentSymbol", params)) for _ in range(3)]
        self._add("document symbols", times)

    def hints(self, count: int) -> None:
        """Ask for the hints of ``count`` screens, and for the lenses of the document."""
        document = {"textDocument": {"uri": self.uri}}
        times = []
        for _ in range(count):
            line = self.random.randrange(len(self.lines))
            within = {"start": {"line": line, "character": 0}, "end": {"line": line + 60, "character": 0}}
            params = {**document, "range": within}
            times.append(self._timed(lambda params=params: self.client.request("textDocument/inlayHint", params)))
        self._add("inlay hints of a screen", times)
        times = [self._timed(lambda: self.client.request("textDocument/codeLens", document)) for _ in range(3)]
        self._add("code lenses", times)

    def report(self) -> None:
        """Print the table and end the server."""
        now, peak = self.client.memory()
        print(f"\n{self.uri.rsplit('/', 1)[1]}: {len(self.lines):,} lines, {len(self.first)} diagnostics at first")
        print(f"{'milliseconds':42}{'n':>6}{'p50':>10}{'p99':>10}{'max':>10}   budget at 100,000 lines")
        for name, times in self.rows:
            ordered = sorted(1000 * seconds for seconds in times)
            p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
            budget = BUDGETS.get(name, "")
            print(f"{name:42}{len(times):6}{statistics.median(ordered):10.1f}{p99:10.1f}{ordered[-1]:10.1f}   {budget}")
        print(f"{'memory, MB: now, peak':42}{'':6}{now:10.0f}{'':10}{peak:10.0f}   130")
        status = self.client.stop()
        if status:
            print(f"the server ended with status {status}")

    def _a_place(self, pattern: str) -> tuple[int, int]:
        """Line and column of the end of a random match."""
        while True:
            line = self.random.randrange(len(self.lines))
            found = list(re.finditer(pattern, self.lines[line]))
            if found and self.lines[line].isascii() and "//" not in self.lines[line]:
                return line, self.random.choice(found).end()

    def _change(self, line: int, start: int, end: int, text: str) -> float:
        return self._edit({"line": line, "character": start}, {"line": line, "character": end}, text)

    def _replace_line(self, line: int) -> float:
        return self._edit({"line": line, "character": 0}, {"line": line + 1, "character": 0}, "")

    def _edit(self, start: Message, end: Message, text: str) -> float:
        self.version += 1
        change = {"range": {"start": start, "end": end}, "text": text}
        document = {"uri": self.uri, "version": self.version}
        begin = time.perf_counter()
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.client.diagnostics(self.version)
        return time.perf_counter() - begin

    def _add(self, name: str, times: list[float]) -> None:
        self.rows.append((name, times))

    @staticmethod
    def _timed(action: Callable[[], object]) -> float:
        begin = time.perf_counter()
        action()
        return time.perf_counter() - begin


def main() -> None:
    """Measure every file named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("files", nargs="+", metavar="FILE.ptx")
    parser.add_argument("--count", type=int, default=200, help="keystrokes and hovers to take the time of")
    parser.add_argument("--seed", type=int, default=1, help="the same seed edits the same places")
    options = parser.parse_args()
    for path in options.files:
        session = Session(path, options.seed)
        session.type_digits(options.count // 2)
        session.type_statements(max(options.count // 40, 1))
        session.ask("hover", "textDocument/hover", options.count)
        session.ask("definition", "textDocument/definition", options.count)
        session.outline()
        session.hints(options.count)
        session.report()


if __name__ == "__main__":
    main()
