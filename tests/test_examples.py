"""The examples are what the README says of them: real PTX without errors, and one file of mistakes."""

from __future__ import annotations

import re
import subprocess

import pytest

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Severity

REAL = ["saxpy.ptx", "matmul.ptx", "tensor_tile.ptx"]


def errors(text):
    return [one for one in check_text(text) if one.severity is Severity.ERROR]


@pytest.mark.parametrize("name", REAL)
def test_real_ptx_has_no_errors(examples, name):
    assert errors((examples / name).read_text()) == []


@pytest.mark.parametrize("name", REAL)
def test_real_ptx_is_taken_by_ptxas(examples, name, ptxas_13):
    target = re.search(r"\.target (\w+)", (examples / name).read_text())[1]
    subprocess.run([ptxas_13, f"-arch={target}", "-o", "/dev/null", examples / name], check=True)


def test_every_mistake_is_found_once(examples):
    """The numbered comments cut the file in parts; in each of them there is one error."""
    text = (examples / "mistakes.ptx").read_text()
    cuts = [match.start() for match in re.finditer(r"// \d+\. ", text)]
    found = [(sum(cut < one.span.start for cut in cuts), one.code) for one in errors(text)]
    assert found == [
        (1, "E105"),  # blank in the opcode
        (2, "E101"),  # missing semicolon
        (3, "E201"),  # undeclared register
        (4, "E201"),  # misspelt register
        (5, "E301"),  # unknown instruction
        (6, "E403"),  # 32 bits where 64 are wanted
        (7, "E303"),  # missing '.lo'
        (8, "E402"),  # a register where an address is wanted
        (9, "E401"),  # an operand too few
        (10, "E304"),  # two roundings
        (11, "E502"),  # newer target
        (12, "E203"),  # undeclared label
    ]


def test_every_mistake_has_a_page(examples):
    from ptx_lsp.features.pages.code_pages import code_page

    for one in errors((examples / "mistakes.ptx").read_text()):
        assert "```ptx" in code_page(one.code)


def test_what_is_suspicious_is_no_error(examples, ptxas_13):
    text = (examples / "suspicious.ptx").read_text()
    assert [one.code for one in check_text(text)] == ["W613", "W801", "W620", "W610", "W611", "W626"]
    subprocess.run([ptxas_13, "-arch=compute_90a", "-o", "/dev/null", examples / "suspicious.ptx"], check=True)
