"""Makes machine code of single instructions: each in a kernel that loads its operands and stores its results."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import assembler
from benchmarks.certification.writing import declarations, module_declarations, module_names, parameters
from benchmarks.cubin import machine_code

_PACK = 300
_REGISTER = re.compile(r"%([a-z]+)\d+\b")
_DECLARED = re.compile(r"\.reg (\.\w+) %([a-z]+)<")
_ERROR = re.compile(r"^ptxas.*?, line (\d+); (?:error|fatal)", re.MULTILINE)
_STEP = 16
"""The bytes between two operands in memory."""


def compiled(statements: Sequence[str], version: str, target: str, ptxas: str, jobs: int = 1) -> dict[str, bytes]:
    """The machine code of each statement for which ptxas makes some, in a module of this version and target."""
    groups: dict[frozenset[str], list[str]] = {}
    for statement in dict.fromkeys(statements):
        groups.setdefault(module_names(statement), []).append(statement)
    packs = [
        (names, group[start : start + _PACK])
        for names, group in groups.items()
        for start in range(0, len(group), _PACK)
    ]

    def make(pack: tuple[frozenset[str], list[str]]) -> dict[str, bytes]:
        names, pack_statements = pack
        mode = f"{target}, texmode_independent" if "texmode" in names else target
        header = f".version {version}\n.target {mode}\n.address_size 64\n{module_declarations(names)}"
        return _compiled(header, pack_statements, ptxas)

    with ThreadPoolExecutor(jobs) as pool:
        return {statement: code for made in pool.map(make, packs) for statement, code in made.items()}


def empty(statement: str) -> str:
    """What stands in a kernel that loads and stores the same as that of a statement, and has nothing between."""
    return f"// {statement}"


def _compiled(header: str, statements: Sequence[str], ptxas: str) -> dict[str, bytes]:
    """The code of those that ptxas does not refuse; without the refused ones the others are asked for again."""
    if not statements:
        return {}
    kernels = [_kernel(number, statement) for number, statement in enumerate(statements)]
    text = header + "".join(kernels)
    cubin, output = _assembled(text, ptxas)
    if cubin is not None:
        code = machine_code(cubin)
        return {statement: code[f"case{number}"] for number, statement in enumerate(statements)}
    if len(statements) == 1:
        return {}
    lines = set(map(int, _ERROR.findall(output)))
    kept, line = [], header.count("\n") + 1
    for kernel, statement in zip(kernels, statements, strict=True):
        following = line + kernel.count("\n")
        if lines.isdisjoint(range(line, following)):
            kept.append(statement)
        line = following
    if len(kept) < len(statements):
        return _compiled(header, kept, ptxas)
    half = len(statements) // 2
    return _compiled(header, statements[:half], ptxas) | _compiled(header, statements[half:], ptxas)


def _assembled(text: str, ptxas: str) -> tuple[bytes | None, str]:
    """The cubin, or None, and what ptxas prints."""
    with TemporaryDirectory() as folder:
        out = Path(folder, "out.cubin")
        command = [ptxas, f"-arch=sm_{assembler.architecture(text, ptxas)}", "-O3", "-o", str(out), "/dev/stdin"]
        run = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False)
        return out.read_bytes() if run.returncode == 0 else None, run.stdout + run.stderr


def _kernel(number: int, statement: str) -> str:
    """A kernel in which every register of a statement is loaded before and stored after."""
    plain = statement.removeprefix("// ")
    declared = declarations(plain)
    types = {prefix: kind for kind, prefix in _DECLARED.findall(declared)}
    registers = dict.fromkeys(match[0] for match in _REGISTER.finditer(plain) if match[1] in types)
    loads, stores = [], []
    for at, register in enumerate(registers):
        kind = types[register.rstrip("0123456789").removeprefix("%")]
        loads.append(_load(register, kind, _STEP * at))
        stores.append(_store(register, kind, _STEP * at))
    own = "".join(f", {one}" for one in (parameters(plain),) if one)
    return (
        f".entry case{number}(.param .b64 memory{own})\n{{\n.reg .b64 %memory; .reg .pred %set; .reg .b32 %word;\n"
        f"ld.param.b64 %memory, [memory];\n{declared}\n{' '.join(loads)}\n{statement}\n{' '.join(stores)}\n}}\n"
    )


def _load(register: str, kind: str, offset: int) -> str:
    if kind == ".pred":
        return f"ld.volatile.global.b32 %word, [%memory+{offset}]; setp.ne.b32 {register}, %word, 0;"
    return f"ld.volatile.global.{_bits(kind)} {register}, [%memory+{offset}];"


def _store(register: str, kind: str, offset: int) -> str:
    if kind == ".pred":
        return f"selp.b32 %word, 1, 0, {register}; st.volatile.global.b32 [%memory+{offset}], %word;"
    return f"st.volatile.global.{_bits(kind)} [%memory+{offset}], {register};"


def _bits(kind: str) -> str:
    """The untyped type of a register's size."""
    return f"b{32 if kind == '.f16x2' else kind.lstrip('.bfus')}"
