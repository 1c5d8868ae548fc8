"""What an editor asks while someone works in a large file: every request of the server, with its budget.

    python -m benchmarks.editing FILE.ptx [--count N] [--seed N]

All requests go to a real server over its standard input and output, at random words of the file; some of the
times are taken right after a keystroke, as an editor asks. A time ends when the answer has come, not when it is parsed.
Prints a table of milliseconds with the budgets for
100,000 lines and what part of them was used. The exit status is 1 if a budget is missed.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from typing import NamedTuple

from benchmarks.speed.client import CAPABILITIES, Client, Message

SCREEN = 60
"""Lines that an editor shows."""


class Budget(NamedTuple):
    """A request and the milliseconds that its answer may take at the 99th percentile."""

    name: str
    limit: float


COMPLETION = Budget("completion", 30)
COMPLETION_TYPED = Budget("completion after a keystroke", 30)
HOVER = Budget("hover", 10)
DEFINITION = Budget("definition", 10)
HIGHLIGHT = Budget("highlight", 10)
SIGNATURE = Budget("signature help", 15)
SIGNATURE_TYPED = Budget("signature help after that", 15)
OFTEN = Budget("highlight of a register used 10,000 times", 150)
REFERENCES = Budget("references of it", 150)
RENAME = Budget("rename of it", 150)
FOLDING = Budget("folding", 150)
SYMBOLS = Budget("document symbols", 150)
TOKENS_FIRST = Budget("semantic tokens, first", 500)
TOKENS_AGAIN = Budget("semantic tokens, again", 100)
TOKENS_DELTA = Budget("semantic tokens, delta after a keystroke", 100)
TOKENS_RANGE = Budget("semantic tokens of a screen", 15)
HINTS = Budget("inlay hints of a screen", 15)
LENSES = Budget("code lenses", 100)
ACTIONS = Budget("code actions", 15)
ON_TYPE = Budget("formatting as a ';' is typed", 15)
UNCHANGED = Budget("diagnostics pulled, unchanged", 2)
CALLS = Budget("call hierarchy, prepared", 50)
LINKS = Budget("document links", 100)
SELECTION = Budget("selection ranges", 10)


class Editor:
    """One file opened in a fresh server, and the times of what was asked about it."""

    def __init__(self, path: str, text: str, seed: int) -> None:
        self.lines = text.split("\n")
        self.uri = f"file://{path}"
        self.random = random.Random(seed)
        self.times: dict[Budget, list[float]] = {}
        self.version = 1
        self.client = Client()
        capabilities = {**CAPABILITIES, "textDocument": {**CAPABILITIES["textDocument"], **_CAN}}
        self.client.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.client.notify("initialized", {})
        item = {"uri": self.uri, "languageId": "ptx", "version": 1, "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": item})
        self.client.diagnostics(1)

    def ask(self, budget: Budget, method: str, **params: object) -> Message:
        """Ask once and take the time."""
        begin = time.perf_counter()
        answer = self.client.request(method, {"textDocument": {"uri": self.uri}, **params})
        self.times.setdefault(budget, []).append(self.client.arrived - begin)
        return answer

    def words(self, count: int, pattern: str = r"[%.$\w]+") -> list[tuple[int, int]]:
        """Line and column inside of random words."""
        found: list[tuple[int, int]] = []
        while len(found) < count:
            line = self.random.randrange(len(self.lines))
            matches = [match for match in re.finditer(pattern, self.lines[line]) if "//" not in self.lines[line]]
            if matches:
                match = self.random.choice(matches)
                found.append((line, self.random.randint(match.start(), match.end())))
        return found

    def about_words(self, count: int) -> None:
        """What is asked at the cursor."""
        for line, column in self.words(count):
            position = {"line": line, "character": column}
            self.ask(HOVER, "textDocument/hover", position=position)
            self.ask(DEFINITION, "textDocument/definition", position=position)
            self.ask(HIGHLIGHT, "textDocument/documentHighlight", position=position)
            self.ask(COMPLETION, "textDocument/completion", position=position)
            self.ask(SIGNATURE, "textDocument/signatureHelp", position=position)
            self.ask(SELECTION, "textDocument/selectionRange", positions=[position])
            self.ask(CALLS, "textDocument/prepareCallHierarchy", position=position)
            here = {"start": position, "end": position}
            self.ask(ACTIONS, "textDocument/codeAction", range=here, context={"diagnostics": []})

    def typing(self, count: int) -> None:
        """Type statements and ask for completions at each letter that opens a list."""
        for line, _ in self.words(count, r"^\s+[a-z][\w.]*\s"):
            for column, letter in enumerate("\tadd.s32 %r1, %r2, %r1;"):
                self.change(line, column, line, column, letter if column else "\t\n")
                if letter not in ".%, ":
                    self.client.diagnostics(self.version)
                else:
                    position = {"line": line, "character": column + 1}
                    self.ask(COMPLETION_TYPED, "textDocument/completion", position=position)
                    self.ask(SIGNATURE_TYPED, "textDocument/signatureHelp", position=position)
            position = {"line": line, "character": 23}
            options = {"tabSize": 4, "insertSpaces": True}
            self.ask(ON_TYPE, "textDocument/onTypeFormatting", position=position, ch=";", options=options)
            self.change(line, 0, line + 1, 0, "")

    def screens(self, count: int) -> None:
        """What is asked for the lines in view."""
        for line, _ in self.words(count):
            shown = {"start": {"line": line, "character": 0}, "end": {"line": line + SCREEN, "character": 0}}
            self.ask(HINTS, "textDocument/inlayHint", range=shown)
            self.ask(TOKENS_RANGE, "textDocument/semanticTokens/range", range=shown)

    def whole(self, count: int) -> None:
        """What is asked for the whole file."""
        answer = self.ask(TOKENS_FIRST, "textDocument/semanticTokens/full")
        for number in range(count):
            self.ask(TOKENS_AGAIN, "textDocument/semanticTokens/full")
            self.ask(FOLDING, "textDocument/foldingRange")
            self.ask(SYMBOLS, "textDocument/documentSymbol")
            self.ask(LENSES, "textDocument/codeLens")
            self.ask(LINKS, "textDocument/documentLink")
            line, _ = self.words(1)[0]
            self.change(line, 0, line, 0, " " if number % 2 else "\n")
            previous = {"previousResultId": (answer.get("result") or {}).get("resultId")}
            answer = self.ask(TOKENS_DELTA, "textDocument/semanticTokens/full/delta", **previous)
        first = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        for _ in range(20):
            self.ask(UNCHANGED, "textDocument/diagnostic", previousResultId=first["result"]["resultId"])

    def often_used(self, count: int) -> None:
        """References, highlights and rename of the register ``%often``."""
        line = next(at for at, text in enumerate(self.lines) if "%often" in text)
        position = {"line": line, "character": self.lines[line].index("%often") + 1}
        for _ in range(count):
            self.ask(REFERENCES, "textDocument/references", position=position, context={"includeDeclaration": True})
            self.ask(OFTEN, "textDocument/documentHighlight", position=position)
            self.ask(RENAME, "textDocument/rename", position=position, newName="%renamed")

    def change(self, line: int, column: int, end_line: int, end_column: int, text: str) -> None:
        """Edit the text; the answer to the next request comes after it."""
        self.version += 1
        start, end = {"line": line, "character": column}, {"line": end_line, "character": end_column}
        change = {"range": {"start": start, "end": end}, "text": text}
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def report(self) -> bool:
        """Print the table and end the server; whether all budgets hold."""
        print(f"{self.uri.rsplit('/', 1)[1]}: {len(self.lines):,} lines")
        print(f"{'milliseconds':42}{'n':>6}{'p50':>9}{'p99':>9}{'max':>9}{'budget':>9}{'used':>8}")
        held = True
        for budget, times in self.times.items():
            ordered = sorted(1000 * seconds for seconds in times)
            p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
            held &= p99 <= budget.limit
            mark = "" if p99 <= budget.limit else "  missed"
            print(
                f"{budget.name:42}{len(ordered):6}{statistics.median(ordered):9.1f}{p99:9.1f}{ordered[-1]:9.1f}"
                f"{budget.limit:9.0f}{p99 / budget.limit:8.0%}{mark}"
            )
        print(f"memory, MB: {self.client.memory():.0f}")
        self.client.stop()
        return held


_CAN: Message = {
    "completion": {
        "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]},
        "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "data"]},
    },
    "semanticTokens": {
        "requests": {"full": {"delta": True}, "range": True},
        "tokenTypes": [],
        "tokenModifiers": [],
        "formats": ["relative"],
    },
    "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}}},
    "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
}


def text_with_one_register() -> str:
    """A kernel of 100,000 lines in which a register is used in every tenth."""
    lines = [
        f"    add.s32 {'%often' if at % 10 == 0 else f'%r{at % 50}'}, %r{at % 40}, {at % 7};" for at in range(99_990)
    ]
    header = ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry kernel()\n{"
    return "\n".join([header, "    .reg .b32 %r<50>;", "    .reg .b32 %often;", *lines, "    ret;", "}", ""])


def main() -> int:
    """Measure the files named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("files", nargs="+", metavar="FILE.ptx")
    parser.add_argument("--count", type=int, default=300, help="words to ask about")
    parser.add_argument("--seed", type=int, default=1, help="the same seed asks at the same places")
    options = parser.parse_args()
    held = True
    for path in options.files:
        with open(path, encoding="utf-8", newline="") as file:
            editor = Editor(path, file.read(), options.seed)
        editor.about_words(options.count)
        editor.screens(options.count // 3)
        editor.whole(5)
        editor.typing(options.count // 20)
        held &= editor.report()
    editor = Editor("/nowhere/often.ptx", text_with_one_register(), options.seed)
    editor.often_used(10)
    held &= editor.report()
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
