"""How often each opcode is written: ``python -m benchmarks.frequencies [FOLDER …]`` writes frequencies.json.

Completion ranks by it. Counted are the kept corpus (what nvcc and LLVM write), the handwritten files, and what is in
the folders: PTX files, and PTX in strings of C++, CUDA and Python files, which people write. Only numbers are kept, no
text. A source counts with the square root of its number, so that an unrolled loop does not outweigh everything else.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks import kept
from benchmarks.mutations.bases import handwritten
from ptx_lsp.grammar_files import grammar_file
from ptx_lsp.isa.catalogue import catalogue

FILE = "frequencies.json"
_INSTRUCTION = re.compile(
    r"(?:^|[;{}\n:])[ \t]*(?:@!?%?[\w$]+[ \t]+)?"
    r"([a-z][a-z0-9_]*+(?:\.[A-Za-z0-9_]++(?:::[A-Za-z0-9_]++)*+)*+)(?:[ \t\n]+(?=[%\[{\w$-])|[ \t\n]*[;{[])",
    re.MULTILINE,
)
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_SOURCES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".inl", ".py", ".rs")
_LARGEST = 4 << 20
_LEAST = 2
"""The least weight; what is written once says nothing."""


def main(folders: list[str]) -> int:
    """Count and write the table; folders that are bare git repositories are read at their head."""
    weights: Counter[str] = Counter()
    for name in kept.names():
        _add(weights, _of_ptx(kept.read(name)))
    for text in handwritten().values():
        _add(weights, _of_ptx(text))
    for folder in folders:
        _add(weights, _of_folder(Path(folder)))
    table: dict[str, dict[str, int]] = {}
    for opcode, weight in sorted(weights.items()):
        if round(weight) >= _LEAST and _is_known(opcode):
            mnemonic, _, rest = opcode.partition(".")
            table.setdefault(mnemonic, {})[f".{rest}" if rest else ""] = round(weight)
    lines = [f"{json.dumps(name)}: {json.dumps(rests)}" for name, rests in table.items()]
    Path(grammar_file(FILE)).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{sum(map(len, table.values())):,} opcodes of {len(table)} instructions")
    return 0


def _add(weights: Counter[str], counts: Counter[str]) -> None:
    for opcode, count in counts.items():
        weights[opcode] += math.sqrt(count)  # type: ignore[assignment]


def _of_ptx(text: str) -> Counter[str]:
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    return Counter(found[1] for found in _INSTRUCTION.finditer(plain))


def _of_folder(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, text in _files(folder):
        if name.endswith(".ptx"):
            found += _of_ptx(text)
        elif "asm" in text:
            for match in _STRING.finditer(text):
                found += _of_ptx(match[1].replace("\\n", "\n").replace("\\t", "\t").replace("%%", "%"))
    return found


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    wanted = (*_SOURCES, ".ptx")
    if (folder / "HEAD").is_file():
        yield from _of_repository(folder, wanted)
        return
    for path in sorted(folder.rglob("*")):
        if path.suffix in wanted and path.is_file() and path.stat().st_size <= _LARGEST:
            yield path.name, path.read_text("utf-8", errors="replace")


def _of_repository(folder: Path, wanted: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The files of a bare repository at its head; those that are absent are left out."""
    git = ["git", "-C", str(folder)]
    listed = subprocess.run([*git, "ls-tree", "-r", "HEAD"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 3) for line in listed.splitlines() if line.endswith(wanted)]
    asked = "".join(f"{row[2]}\n" for row in rows if row[1] == "blob")
    answer = subprocess.run(
        [*git, "cat-file", "--batch"], input=asked.encode(), capture_output=True, check=False
    ).stdout
    at = 0
    for row in rows:
        end = answer.find(b"\n", at)
        head = answer[at:end].split()
        at = end + 1
        if len(head) == 3:
            size = int(head[2])
            if size <= _LARGEST:
                yield row[3], answer[at : at + size].decode("utf-8", "replace")
            at += size + 1


def _is_known(opcode: str) -> bool:
    first, *rest = opcode.split(".")
    words = (first, *(f".{word}" for word in rest))
    known = {
        word
        for page in catalogue().beginning_with(words[:1])
        for form in page.prepared.get(first, ())
        for word in form.homes
    }
    return known.issuperset(words[1:]) and bool(catalogue().candidates(words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
