"""Soak: many edits of a file of 100,000 lines and of twenty others, in one server.

    python -m tests.model.soak [--edits 500000] [--seconds N] [--seed S] [--write]

Words are typed letter by letter, lines are pasted, removed, broken with garbage, and all is undone, the last edit
first. Prints the memory of the server after each twentieth of the edits, as the mean of the last thousands.

After 50,000 edits and at the end all files get their first text again; the memory after a thousand more edits and a
pause, in which what is free goes back to the system, is that of the same state. The last thousand edits are the first
thousand again: of both it prints how long a change took until its findings came, and the CPU time of the server for it,
analyses in pauses included, which does not depend on what else the machine does. Linux only.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import NamedTuple

from benchmarks import kept
from ptx_lsp.server.documents import free_memory

from . import texts
from .client import PATIENCE, Client, Message
from .forks import Plan
from .report import machine, write_section

LARGE = "f100k.ptx"
_FILES = 20
_SHARE = 0.2
"""Of the edits: that of the file of 100,000 lines."""
_LONGEST = 5_000
"""Lines of one of the twenty files."""
_DEEPEST = 60
"""Edits of a file that are undone one after the other."""
_LONGEST_WORD = 16
"""Letters that are typed one after the other."""
_PATIENCE = 600
"""Seconds until the findings of whole files come."""
WARM = 50_000
"""Edits after which memory counts; a tenth of the edits if there are fewer than ten times as many."""
_TIMED = 1000
_READ_EVERY, _READINGS = 50, 100
"""The memory is read after so many edits, and the mean of so many readings is printed."""
_REST = free_memory.PAUSE + 3 * free_memory.QUIET
"""Seconds without an edit after which what is free has gone back to the system."""
SECTION = "Soak"


class Sample(NamedTuple):
    """The state after some edits."""

    edits: int
    memory: int
    """Resident memory in MB: the mean of the last edits, or that after a pause."""


class Edit(NamedTuple):
    """What one edit took."""

    wait: float
    """Seconds until its findings came."""
    worked: float
    """CPU seconds of the server from its start until then."""


class _Word(NamedTuple):
    """What is being typed: the place of the next letter, and the letters that are left."""

    row: int
    column: int
    letters: str


class EditedFile:
    """An open document as lines, with the edits that undo brings back."""

    def __init__(self, uri: str, text: str, version: int = 1) -> None:
        self.uri = uri
        self.version = version
        self.lines = text.split("\n")
        self._undo: list[tuple[int, int, list[str]]] = []
        self._is_undoing = False
        self._typed = _Word(0, 0, "")

    def change(self, draw: random.Random) -> Message:
        """The next change; the lines follow it."""
        if self._typed.letters:
            return self._type()
        self._is_undoing = bool(self._undo) and (self._is_undoing or len(self._undo) >= _DEEPEST)
        if self._is_undoing:
            return self._replace(*self._undo.pop())
        first = draw.randrange(len(self.lines))
        kind = draw.random()
        old = self.lines[first : first + 1]
        if kind < 0.25:
            words = draw.choice(self.lines)
            start = draw.randrange(len(words) + 1)
            letters = words[start : start + _LONGEST_WORD] or ";"
            self._typed = _Word(first, draw.randrange(len(old[0]) + 1), letters)
            return self._type()
        if kind < 0.5:
            at = draw.randrange(len(old[0]) + 1)
            new = [old[0][:at] + draw.choice("abcr0123456789;,.%{ ") + old[0][at:]]
        elif kind < 0.75:
            new = [*old, *re.split(r"\r\n|\n|\r", texts.piece(draw))]
        elif kind < 0.9:
            new = [old[0] + re.sub(r"[\r\n]", " ", texts.garbage(draw, 20))]
        else:
            old = self.lines[first : first + draw.randrange(1, 4)]
            new = []
        if first + len(old) >= len(self.lines):  # the last line has no line end to remove
            new = new or [""]
        self._undo.append((first, len(new), old))
        return self._replace(first, len(old), new)

    def _type(self) -> Message:
        """The next letter of a word."""
        row, column, letters = self._typed
        self._typed = _Word(row, column + 1, letters[1:])
        line = self.lines[row]
        self._undo.append((row, 1, [line]))
        return self._replace(row, 1, [line[:column] + letters[0] + line[column:]])

    def _replace(self, first: int, count: int, new: list[str]) -> Message:
        is_last = first + count >= len(self.lines)
        last = first + count - 1
        end = {"line": last, "character": 1 << 20} if is_last else {"line": first + count, "character": 0}
        text = "\n".join(new) + ("\n" if new and not is_last else "")
        self.lines[first : first + count] = new
        self.version += 1
        return {"range": {"start": {"line": first, "character": 0}, "end": end}, "text": text}


class Soak:
    """A server with the open files.

    Args:
        seed: selects the edits.

    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.done: list[Edit] = []
        """What each edit took."""
        self._draw = random.Random(seed)
        self._client = Client(None, Plan(), lambda method, params: {"result": None})
        encodings: Message = {"general": {"positionEncodings": ["utf-32"]}}
        self._client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": encodings})
        self._client.notify("initialized")
        self._texts = {f"file:///nowhere/{name}": text for name, text in _texts()}
        self._files = [EditedFile(uri, text) for uri, text in self._texts.items()]
        for file in self._files:
            item = {"uri": file.uri, "languageId": "ptx", "version": 1, "text": self._texts[file.uri]}
            self._client.notify("textDocument/didOpen", textDocument=item)
        self._client.wait(lambda: len(self._client.published) == len(self._files), _PATIENCE)
        self._memory = deque([_memory(self._client.pid)], _READINGS)

    def run(self, edits: int, seconds: float) -> Iterator[Sample]:
        """Edit the files; the state from time to time.

        Args:
            edits: the number of edits.
            seconds: end after so many seconds.

        """
        begin = monotonic()
        warm = warm_after(edits)
        for number in range(1, edits - _TIMED + 1):
            if number == warm - _TIMED + 1:
                self._restore()
            self._edit()
            is_over = monotonic() - begin > seconds
            if number == warm:
                yield self._sample_at_rest()
            elif number % max(1, edits // 20) == 0 or number == 1 or is_over:
                yield self._sample()
            if is_over:
                break
        self._restore()
        self._draw = random.Random(self.seed)
        for _ in range(_TIMED):
            self._edit()
        yield self._sample_at_rest()
        self._client.leave()

    def _edit(self) -> None:
        file = self._files[0] if self._draw.random() < _SHARE else self._draw.choice(self._files[1:])
        change = file.change(self._draw)
        start = perf_counter()
        self._send(file, change)
        self.done.append(Edit(perf_counter() - start, _worked(self._client.pid)))
        if not len(self.done) % _READ_EVERY:
            self._memory.append(_memory(self._client.pid))

    def _restore(self) -> None:
        """Give all files their first text."""
        self._files = [EditedFile(one.uri, self._texts[one.uri], one.version + 1) for one in self._files]
        for file in self._files:
            self._send(file, {"text": self._texts[file.uri]}, _PATIENCE)

    def _send(self, file: EditedFile, change: Message, patience: float = PATIENCE) -> None:
        document = {"uri": file.uri, "version": file.version}
        self._client.notify("textDocument/didChange", textDocument=document, contentChanges=[change])
        self._client.wait(lambda: self._client.published[file.uri]["version"] == file.version, patience)

    def _sample(self) -> Sample:
        return Sample(len(self.done), sum(self._memory) // len(self._memory))

    def _sample_at_rest(self) -> Sample:
        sleep(_REST)
        return Sample(len(self.done), _memory(self._client.pid))


def _texts() -> list[tuple[str, str]]:
    found = [(LARGE, kept.read(LARGE))]
    for name in kept.names():
        text = kept.read(name) if len(found) <= _FILES else ""
        if name != LARGE and 0 < text.count("\n") < _LONGEST:
            found.append((name, text))
    return found


def _memory(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s*(\d+)", status)
    assert found is not None
    return int(found[1]) >> 10


def _worked(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def warm_after(edits: int) -> int:
    """The number of edits after which memory counts, of so many."""
    return min(WARM, edits // 10)


def table(samples: list[Sample], done: list[Edit], planned: int) -> str:
    """The figures as Markdown.

    Args:
        samples: those that were taken.
        done: what each edit took.
        planned: the number of edits that were to be made.

    """
    edits = samples[-1].edits
    warm = next((one for one in samples if one.edits == warm_after(planned)), samples[0])
    growth = 100 * (samples[-1].memory / warm.memory - 1)
    rows = [
        ("edits", f"{edits:,}"),
        (f"memory after {warm.edits:,} edits, of which a thousand of the first texts", f"{warm.memory} MB"),
        ("memory at the end, after a thousand of the first texts", f"{samples[-1].memory} MB ({growth:+.0f} %)"),
        ("most memory", f"{max(one.memory for one in samples)} MB"),
    ]
    for name, part in (("first", done[:_TIMED]), ("last", done[-_TIMED:])):
        waits = sorted(one.wait for one in part)
        median, late = waits[len(part) // 2], waits[len(part) * 99 // 100]
        worked = (part[-1].worked - part[0].worked) / (len(part) - 1)
        rows += [
            (f"edit to findings, {name} {len(part):,}", f"p50 {median * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms"),
            (f"CPU time of the server for an edit, {name} {len(part):,}", f"{worked * 1e3:.1f} ms"),
        ]
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def main() -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.model.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--edits", type=int, default=500_000)
    parser.add_argument("--seconds", type=float, default=1e9, help="end after so many seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="write the figures to docs/reliability.md")
    options = parser.parse_args()
    samples: list[Sample] = []
    soak = Soak(options.seed)
    for sample in soak.run(options.edits, options.seconds):
        samples.append(sample)
        print(f"{sample.edits:,} edits: {sample.memory} MB", flush=True)
    figures = table(samples, soak.done, options.edits)
    print(figures)
    if options.write:
        command = f"python -m tests.model.soak --edits {samples[-1].edits} --seed {options.seed}"
        write_section(SECTION, f"`{command}`, {machine()}.\n\n{figures}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
