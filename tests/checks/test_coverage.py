"""Coverage of the rules about whole functions: what they analyse is counted, what they do not has a reason."""

from __future__ import annotations

import lzma
from pathlib import Path

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.coverage import Coverage, coverage

CORPUS = Path(__file__).parent.parent.parent / "benchmarks" / "corpus"
KNOWN = {
    "a function: its callers decide which threads come to it",
    "a function: its callers may take part",
    "a call, which may not return",
    "more than 100 statements: only the first accesses are looked at",
    "a call of a function that may take part",
}
"""Reasons that lie in the text itself."""


def covered(text: str) -> Coverage:
    return coverage(Checker(text).semantics)


def test_what_is_not_analysed_has_a_reason() -> None:
    found = covered(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".entry one() { ret; }\n"
        ".func two() { ret; }\n"
        ".entry three() { .reg .b32 %r<2>; mov.b32 %r1 %r1; ret; }\n"
        ".entry four() { call two; ret; }\n"
    )
    assert list(found.lines()) == [
        "functions: 4",
        "data flow: 3 of 4 analysed",
        "  not 1: a statement that cannot be read",
        "values of threads: 1 of 4 analysed",
        "  not 1: a statement that cannot be read",
        "  not 1: a function: its callers decide which threads come to it",
        "  not 1: a call, which may not return",
        "asynchronous work: 0 of 0 analysed",
    ]


def check_asynchronous(body: str, *reasons: str) -> None:
    """Fail unless asynchronous work of a kernel that calls a function with a body is left out for these reasons."""
    found = covered(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        f".func callee() {{ .reg .b32 %r<2>; {body} ret; }}\n"
        ".entry kernel() { cp.async.commit_group; call callee; ret; }\n"
    )
    assert tuple(reason for family, reason, _ in found.reasons if family == "asynchronous work") == reasons


def test_calls_are_followed_to_see_who_takes_part_in_asynchronous_work() -> None:
    takes_part = "a call of a function that may take part"
    check_asynchronous("mov.b32 %r1, 0;")
    check_asynchronous("call callee;")
    check_asynchronous("bar.sync 0;", takes_part)
    check_asynchronous("fence.acq_rel.gpu;", takes_part)
    check_asynchronous("call elsewhere;", takes_part)
    check_asynchronous("cp.async.commit_group;", "a function: its callers may take part", takes_part)


def test_a_long_decimal_constant_does_not_end_the_analysis() -> None:
    found = covered(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".entry one() { .reg .b64 %rd<3>; or.b64 %rd1, %rd2, 4611686293305344000; ret; }\n"
    )
    assert found.reasons == ()


def test_functions_of_compilers_are_analysed() -> None:
    found = Coverage()
    for path in sorted(CORPUS.glob("*.plain.ptx.xz"))[::4]:
        found = found.plus(covered(lzma.decompress(path.read_bytes()).decode()))
    assert found.functions > 100
    assert {reason for _, reason, _ in found.reasons} <= KNOWN
