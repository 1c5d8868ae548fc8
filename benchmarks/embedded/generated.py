"""Generated statements of inline assembly: samples of all pages, with many constraints, literals and escapes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.certification.gates import samples_of
from benchmarks.certification.packing import accepted
from benchmarks.certification.releases import Release
from benchmarks.certification.writing import Writer, module_names, register_type
from benchmarks.embedded.wrapped import wrapped
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Severity
from ptx_lsp.embedded.constraints import letters_of
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.settings import Settings

_REGISTER = re.compile(r"%([a-z]+)(\d+)(?![\w$])")
_OF_KERNELS = re.compile(r'\b(?:L0|lc|pm)\b|"')
"""Names that the other questions to ptxas declare."""
_SPECIAL = re.compile(r"%(?=[a-z])")
_NUMBER = re.compile(r"(?<![\w$.%:+])\d+(?![\w.])")
_LETTERS = {".b16": "h", ".b32": "r", ".b64": "l", ".f32": "f", ".f64": "d", ".b128": "q"}
_SEPARATORS = ('" "', '"\n        "', '" /* and */ "', '"  // to here\n        "')
_ENDS = ("", r"\n", r"\n\t", r"\t")
_OTHER_LETTER = 0.15
"""The part of the operands with a random letter."""
_CONSTANT = 0.2
"""The part of the numbers that are operands."""
_LOCAL = 0.15
"""The part of the registers that the template declares."""


_RELEASE_DEPENDENT = "W604"


class Statement(NamedTuple):
    """A generated statement."""

    page: str
    source: str
    has_constants: bool


class Difference(NamedTuple):
    """A statement about which ptxas says otherwise."""

    statement: Statement
    target: str
    is_taken: bool
    """Whether ptxas takes it."""
    said: str
    """Our first error."""


class Result(NamedTuple):
    """The comparison with one release."""

    asked: int
    taken: int
    differences: list[Difference]


def statements(release: Release, per_form: int, seed: int) -> Iterator[Statement]:
    """Statements made of samples of all pages."""
    chance = random.Random(seed)
    known = catalogue()
    for page in known.instructions:
        for sample in samples_of(page, release, chance, per_form):
            text = Writer().statement(sample.opcode, sample.operands)
            if not module_names(text) and _OF_KERNELS.search(text) is None:
                yield _statement(page.names[0], text, chance)


def _statement(page: str, text: str, chance: random.Random) -> Statement:
    outputs: list[str] = []
    inputs: list[str] = []
    local: dict[str, str] = {}
    numbers: dict[str, int] = {}
    every = [*letters_of("gcc")][:6]
    names = dict.fromkeys(match[0] for match in _REGISTER.finditer(text))
    kinds = {name: kind for name in names if (kind := register_type(name)) is not None}
    chosen = []
    for name, kind in kinds.items():
        letter = _LETTERS.get(kind)
        if letter is None or chance.random() < _LOCAL:
            local[name] = kind
            continue
        if chance.random() < _OTHER_LETTER:
            letter = chance.choice(every)
        chosen.append((name, letter))
    for at, (name, letter) in enumerate(chosen):
        numbers[name] = at
        (outputs if at == 0 else inputs).append(f'"{"+" if at == 0 else ""}{letter}"(x{at})')
    has_constants = False

    def number(match: re.Match[str]) -> str:
        nonlocal has_constants
        if chance.random() >= _CONSTANT:
            return match[0]
        has_constants = True
        inputs.append(f'"n"({match[0]})')
        return f"%{len(outputs) + len(inputs) - 1}"

    opcode, blank, operands = text.partition(" ")
    operands = _REGISTER.sub(
        lambda match: f"%{numbers[match[0]]}" if match[0] in numbers else f"\0{match[0][1:]}", operands
    )
    operands = _NUMBER.sub(number, operands)
    operands = _SPECIAL.sub("\0", operands)
    body = opcode + blank + operands
    sigil = "%%" if outputs or inputs else "%"
    if local:
        declared = " ".join(f".reg {kind} \0{name[1:]};" for name, kind in local.items())
        body = f"{{ {declared} {body} }}"
    body = body.replace("\0", sigil)
    return Statement(page, _source(_literals(body, chance), outputs, inputs, chance), has_constants)


def _literals(body: str, chance: random.Random) -> str:
    """The text as one literal, as several, or as a raw one."""
    style = chance.random()
    if style < 0.1:
        return f'R"ptx({body})ptx"'
    words = body.split(" ")
    parts = [words[0]]
    for word in words[1:]:
        if style < 0.5 and chance.random() < 0.3:
            parts.append(" " + chance.choice(_SEPARATORS) + word)
        else:
            parts.append(" " + word)
    return f'"{"".join(parts)}{chance.choice(_ENDS)}"'


def _source(literals: str, outputs: list[str], inputs: list[str], chance: random.Random) -> str:
    keyword = chance.choice(("asm", "asm volatile", "__asm__ __volatile__"))
    operands = f" : {', '.join(outputs)} : {', '.join(inputs)}" if outputs or inputs else ""
    memory = ' : "memory"' if operands and chance.random() < 0.5 else ""
    return f"__device__ void f() {{\n    {keyword}({literals}{operands}{memory});\n}}\n"


def compare(some: list[Statement], target: str, release: Release, jobs: int) -> Result:
    """Compare our verdicts on statements for one target with those of a release."""
    settings = Settings(ptx_version=str(release.newest), ignore=("E9",))
    ours: list[str] = []
    texts: list[list[str]] = []
    for one in some:
        sites = find_sites(one.source, "cuda-cpp")
        checker = HostChecker(HostText(one.source, "cuda-cpp", (target,)), sites, settings)
        found = checker.findings()
        if any(finding.code == _RELEASE_DEPENDENT for finding in found):
            ours.append("")
            texts.append([])
            continue
        errors = [finding for finding in found if finding.severity is Severity.ERROR]
        ours.append(f"{errors[0].code}: {errors[0].message}" if errors else "")
        (fragment,) = checker.fragments(sites[0])
        readings = [wrapped(fragment, older=True), wrapped(fragment, older=False)]
        texts.append(list(dict.fromkeys(text for text in readings if text is not None)))
    flat = [text for readings in texts for text in readings]
    answers = iter(accepted(flat, str(release.newest), target, release.path, jobs))
    differences = []
    count = taken = 0
    for one, error, readings in zip(some, ours, texts, strict=True):
        said = [next(answers) for _ in readings]
        if not said:
            continue
        is_taken = any(said)
        count += 1
        taken += is_taken
        if is_taken == (not error) or one.has_constants and not is_taken:
            continue  # another value of the constant may be right
        alone = any(accepted([text], str(release.newest), target, release.path, 1)[0] for text in readings)
        if alone != (not error):
            differences.append(Difference(one, target, alone, error))
    return Result(count, taken, differences)
