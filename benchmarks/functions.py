"""How well we agree with ptxas on functions: heads, declarations of one name, calls, prototypes.

    python -m benchmarks.functions [-n 300] [--seed 1] [--show 10] [--ptxas PTXAS …]

Small modules made at random, for versions and targets of all times, each mostly right: ptxas and ptx-lsp say of each
whether it is. An error of ours counts as false if one of the given releases of ptxas takes the module.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from benchmarks import assembler
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity

MODULES = (
    ("1.4", "sm_13"),
    ("2.0", "sm_20"),
    ("2.3", "sm_20"),
    ("3.0", "sm_30"),
    ("6.0", "sm_60"),
    ("6.5", "sm_75"),
    ("7.0", "sm_80"),
    ("8.0", "sm_90"),
    ("9.0", "sm_100a"),
    ("9.4", "sm_103a"),
)
BAR = 99.0
"""Percent of the verdicts that must be those of ptxas."""

_TYPES = ".b32 .b32 .b32 .u32 .s32 .f32 .b64 .u64 .f64 .b16 .u16 .f16 .b8 .u8 .s64".split()
_REGISTERS = """\
.reg .b32 %r<4>; .reg .u32 %u<4>; .reg .b64 %rd<4>; .reg .u64 %ud<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>;
.reg .b16 %h<4>; .reg .u16 %uh<4>; .reg .f16 %hf<4>; .reg .b8 %b<4>; .reg .pred %p<4>; .reg .v2 .b32 pair;
.reg .v4 .f32 four; .reg .align 8 .b32 far;
"""
_NAMED = {
    ".b32": "%r1",
    ".u32": "%u1",
    ".s32": "%u2",
    ".f32": "%f1",
    ".b64": "%rd1",
    ".u64": "%ud1",
    ".s64": "%ud2",
    ".f64": "%fd1",
    ".b16": "%h1",
    ".u16": "%uh1",
    ".f16": "%hf1",
    ".b8": "%b1",
    ".u8": "%b2",
    ".pred": "%p1",
}
_UNUSUAL = "5 1.5 0f3F800000 _ pair four far %laneid place memory callee caller_parameter".split()
_LARGE = (200, 250, 256, 4000, 4340, 4352, 4353, 32764, 32765)
_KERNEL_DIRECTIVES = (
    ".maxntid 128",
    ".maxntid 8,8,4",
    ".reqntid 128",
    ".maxnreg 32",
    ".minnctapersm 2",
    ".maxnctapersm 2",
    ".reqnctapercluster 2,1,1",
    ".maxclusterrank 4",
    ".explicitcluster",
    ".blocksareclusters",
    '.pragma "nounroll";',
    ".language 3",
    ".minperctamemory 64",
)
_FUNCTION_DIRECTIVES = (".noreturn", ".abi_preserve 4", ".abi_preserve_control 2", ".language 3")


class Parameter(NamedTuple):
    """A parameter as it is written."""

    space: str
    align: str
    type: str
    length: str

    def named(self, name: str) -> str:
        """Its declaration."""
        return " ".join(filter(None, (self.space, self.align, self.type, name + self.length)))


class Answer(NamedTuple):
    """The verdicts on one module."""

    text: str
    accepted: bool
    message: str
    ours: tuple[Diagnostic, ...]

    @property
    def agrees(self) -> bool:
        """Whether both take it or both refuse it."""
        return self.accepted is not bool(self.ours)

    @property
    def is_false(self) -> bool:
        """Whether we alone refuse it."""
        return self.accepted and bool(self.ours)


class Writer:
    """Makes modules at random."""

    def __init__(self, seed: int, version: str) -> None:
        self.random = random.Random(seed)
        self.is_old = float(version) < 2

    def _rarely(self, chance: float = 0.04) -> bool:
        return self.random.random() < chance

    def module(self) -> str:
        """One module, without its header."""
        return self.random.choice([self._calls, self._calls, self._heads, self._again, self._kernel, self._indirect])()

    def parameter(self, *, is_last: bool = False) -> Parameter:
        """A parameter of a function."""
        choose = self.random.choice
        space = ".reg" if self.is_old else choose([".reg", ".param", ".param"])
        if self._rarely():
            space = choose([".shared", ".global", ".param", ".reg", ".local", ".const"])
        type_ = choose(_TYPES)
        align = choose([".align 8", ".align 16", ".align 4", ".align 1"]) if self._rarely(0.15) else ""
        if self._rarely(0.02):
            align = choose([".align 3", ".align 0"])
        length = f"[{choose([1, 2, 4, 8, 16])}]" if space == ".param" and self._rarely(0.3) else ""
        if self._rarely(0.02) or is_last and space == ".param" and self._rarely(0.1):
            length = "[]"
        if self._rarely(0.02):
            type_ = choose([".pred", ".v2 .b32", ".v4 .f32"])
        return Parameter(space, align, type_, length)

    def signature(self) -> tuple[list[Parameter], list[Parameter]]:
        """Results and parameters."""
        results = [self.parameter() for _ in range(self.random.choice([0, 0, 1, 1, 1] + [2] * self._rarely(0.1)))]
        count = self.random.choice([0, 1, 1, 2, 3])
        return results, [self.parameter(is_last=at == count - 1) for at in range(count)]

    def changed(self, parameter: Parameter) -> Parameter:
        """The same, or nearly the same, parameter."""
        if not self._rarely(0.2):
            return parameter
        other = self.parameter()
        field = self.random.choice(["space", "align", "type", "length"])
        return parameter._replace(**{field: getattr(other, field)})

    def head(self, name: str, results: list[Parameter], parameters: list[Parameter]) -> str:
        """The head of a function."""
        returned = f"({', '.join(one.named(f'o{at}') for at, one in enumerate(results))}) " if results else ""
        return f".func {returned}{name}({', '.join(one.named(f'i{at}') for at, one in enumerate(parameters))})"

    def _end(self) -> str:
        return ";" if self._rarely(0.3) else " { ret; }"

    def _heads(self) -> str:
        words = (
            ""
            if not self._rarely(0.3)
            else " "
            + " ".join(
                self.random.sample(_FUNCTION_DIRECTIVES + _KERNEL_DIRECTIVES[:1], self.random.choice([1, 1, 2, 3]))
            )
        )
        linkage = self.random.choice([""] * 4 + [".visible ", ".weak ", ".extern "])
        return linkage + self.head("callee", *self.signature()) + words + self._end()

    def _again(self) -> str:
        results, parameters = self.signature()
        lines = []
        for _ in range(self.random.choice([2, 2, 3])):
            linkage = self.random.choice(["", "", "", ".visible ", ".weak ", ".extern "]) if self._rarely(0.3) else ""
            end = ";" if self._rarely(0.7) else " { ret; }"
            lines.append(linkage + self.head("callee", results, parameters) + end)
            results = [self.changed(one) for one in results]
            parameters = [self.changed(one) for one in parameters]
        return "\n".join(lines)

    def _kernel(self) -> str:
        parameters = []
        for at in range(self.random.choice([0, 1, 2, 3])):
            one = self.parameter()._replace(space=".param" if not self._rarely(0.03) else ".reg")
            if self._rarely(0.1):
                one = one._replace(length=f"[{self.random.choice(_LARGE)}]")
            parameters.append(one.named(f"i{at}"))
        words = self.random.sample(_KERNEL_DIRECTIVES, self.random.choice([0, 0, 1, 2, 3]))
        if self._rarely(0.1):
            words.append(self.random.choice([".maxntid 0", ".maxnreg 0", ".maxnreg 1,2", ".noreturn", ".reqntid 1,0"]))
        end = ";" if self._rarely(0.05) else " { ret; }"
        return f".entry kernel({', '.join(parameters)}) {' '.join(words)}{end}"

    def _calls(self) -> str:
        results, parameters = self.signature()
        declared, given, taken = self._passed(results, parameters)
        call = f"call {f'({taken}), ' if taken else ''}callee{f', ({given})' if given else ''};"
        if self._rarely(0.1):
            call = "@%p1 " + call
        return f"{self.head('callee', results, parameters)}{self._end()}\n{self._caller(declared, call)}"

    def _indirect(self) -> str:
        results, parameters = self.signature()
        declared, given, taken = self._passed(results, parameters)
        prototype = self.head("_", results, parameters).removeprefix(".func ")
        prototype = re.sub(r"\b[io]\d\b", "_", prototype)
        through = self.random.choice([f"LIST: .callprototype {prototype};", "LIST: .calltargets callee;"])
        if self._rarely():
            through = self.random.choice(["LIST:", "LIST: .branchtargets LIST;", through.replace("LIST: ", "")])
        target = self.random.choice(["%rd1", "%rd1", "%ud1", "%r1", "%h1" if self._rarely(0.1) else "%rd2"])
        call = f"call {f'({taken}), ' if taken else ''}{target}, ({given}), LIST;"
        body = f"{call}\n{through}" if self._rarely() else f"{through}\n{call}"
        return f"{self.head('callee', results, parameters)} {{ ret; }}\n{self._caller(declared, body)}"

    def _passed(self, results: list[Parameter], parameters: list[Parameter]) -> tuple[list[str], str, str]:
        """Declarations, arguments and results of a call that mostly fits."""
        declared: list[str] = []
        taken = [self._argument(one, declared) for one in results]
        given = [self._argument(one, declared) for one in parameters]
        if self._rarely(0.05):
            given = given[:-1] if self._rarely(0.5) else [*given, "%r1"]
        return declared, ", ".join(given), ", ".join(taken)

    def _argument(self, parameter: Parameter, declared: list[str]) -> str:
        kind = self.random.random()
        if kind < 0.1:
            return self.random.choice([*_NAMED.values(), *_UNUSUAL])
        if kind < 0.4 and not parameter.length and parameter.type in _NAMED:
            return _NAMED[parameter.type]
        name = f"a{len(declared)}"
        length = "[4]" if parameter.length == "[]" else parameter.length
        passed = self.changed(parameter._replace(space=".param", length=length))
        space = ".reg" if self.is_old else ".param"
        declared.append(passed._replace(space=space, length=passed.length.replace("[]", "[2]")).named(name) + ";")
        return name

    def _caller(self, declared: list[str], body: str) -> str:
        parameter = ".reg" if self.is_old else ".param"
        lines = [f".func caller({parameter} .b32 caller_parameter) {{", _REGISTERS, *declared, ".shared .b32 memory;"]
        return "\n".join([*lines, "place:", body, "ret; }"])


def ask(texts: list[str], judges: list[str]) -> Iterator[Answer]:
    """The verdicts on modules; ptxas takes what one of the judges takes."""
    found = [tuple(one for one in check_text(text) if one.severity is Severity.ERROR) for text in texts]
    with ThreadPoolExecutor(2) as pool:
        judged = list(pool.map(lambda text, ours: [_verdict(text, ptxas, ours) for ptxas in judges], texts, found))
    for text, ours, verdicts in zip(texts, found, judged, strict=True):
        if any(verdict.crashed for verdict in verdicts):
            continue
        message = verdicts[0].errors[0].text if verdicts[0].errors else ""
        yield Answer(text, any(verdict.accepted for verdict in verdicts), message, ours)


def _verdict(text: str, ptxas: str, ours: tuple[Diagnostic, ...]) -> assembler.Verdict:
    """The verdict of one release; where we alone find an error, that of generating code, which finds more."""
    verdict = assembler.judge(text, ptxas)
    return assembler.judge(text, ptxas, generate=True) if verdict.accepted and ours else verdict


def made(version: str, target: str, seed: int, count: int) -> list[str]:
    """Whole modules."""
    writer = Writer(seed, version)
    return [f".version {version}\n.target {target}\n{writer.module()}\n" for _ in range(count)]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if the bar is missed or an error is false, 2 without ptxas."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.functions", description=__doc__)
    parser.add_argument("-n", type=int, default=300, help="modules for each version (300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="how many disagreements of a kind are shown (10)")
    parser.add_argument("--ptxas", nargs="+", default=[assembler.find()])
    options = parser.parse_args(arguments)
    if None in options.ptxas:
        print("no ptxas: install the extra 'test', or name one with --ptxas", file=sys.stderr)
        return 2
    answers: list[Answer] = []
    for number, (version, target) in enumerate(MODULES):
        found = list(ask(made(version, target, options.seed * 100 + number, options.n), options.ptxas))
        answers += found
        _print_row(f"{version} {target}", found)
    good = _print_row("all", answers)
    _show(answers, options.show)
    return 0 if good else 1


def _print_row(name: str, answers: list[Answer]) -> bool:
    refused = sum(not answer.accepted for answer in answers)
    false = sum(answer.is_false for answer in answers)
    agreed = 100 * sum(answer.agrees for answer in answers) / max(len(answers), 1)
    print(f"{name:14}{len(answers):7,} asked{refused:7,} refused{agreed:8.2f} % agreed{false:5} false")
    return agreed >= BAR and not false


def _show(answers: list[Answer], limit: int) -> None:
    """Disagreements, one of each kind first."""
    kinds: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        if not answer.agrees:
            said = "FALSE " + answer.ours[0].message if answer.ours else answer.message
            kinds[re.sub(r"'[^']*'", "'…'", said)].append(answer)
    for said, found in sorted(kinds.items(), key=lambda kind: (not kind[0].startswith("FALSE"), -len(kind[1]))):
        print(f"\n{len(found):5} x {said}")
        for answer in found[:limit]:
            body = answer.text.replace(_REGISTERS, "")
            print("        " + " ".join(body.split()))


if __name__ == "__main__":
    sys.exit(main())
