"""Random constant expressions have the value that ptxas gives them: it names numbers of barriers that are too large."""

from __future__ import annotations

import random
import re

from asked import ask

from ptx_lsp.constant_arithmetic import ConstantFault
from ptx_lsp.syntax.constants import evaluate, fault_of
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction

SEED = 11
COUNT = 3000
INTEGERS = (
    "0 1 2 3 7 16 31 32 63 64 0x7fffffff 0x80000000 0xffffffff 0x100000000 0x7fffffffffffffff 0x8000000000000000 "
    "0xffffffffffffffff 0U 1U 3U 4294967295 9223372036854775807 9223372036854775808 010 0b101 WARP_SZ 0777U"
).split()
FLOATS = "0.0 1.0 2.5 1.5e3".split()
OPERATORS = "+ - * / % << >> < > <= >= == != & | ^ && ||".split()
HEAD = ".version 8.6\n.target sm_90\n.address_size 64\n.entry kernel()\n{\n"
_VALUE = re.compile(r"Barrier number '(\d+)' out of range")
_FAULTS = {
    ConstantFault.MIXED: "Constant expression type mismatch",
    ConstantFault.FLOAT: "Integer constant expression expected",
}


def expression(choose: random.Random, depth: int) -> str:
    if depth == 0 or choose.random() < 0.2:
        return choose.choice(INTEGERS if choose.random() < 0.95 else FLOATS)
    kind = choose.random()
    one = expression(choose, depth - 1)
    if kind < 0.65:
        text = f"{one} {choose.choice(OPERATORS)} {expression(choose, depth - 1)}"
        return f"({text})" if choose.random() < 0.6 else text
    if kind < 0.8:
        return f"{choose.choice('-~!+')}({one})"
    if kind < 0.9:
        return f"{choose.choice(['(.s64)', '(.u64)'])}({one})"
    return f"({one} ? {expression(choose, depth - 1)} : {expression(choose, depth - 1)})"


def ours(text: str) -> int | ConstantFault | None:
    """The value, cut as ptxas prints it (-1 for what is in range), or what is wrong; None where it is not told."""
    statement = Statement(f"bar.sync {text};")
    if statement.shape.errors:
        return None
    tree = statement.shape.tree
    assert isinstance(tree, Instruction)
    value = evaluate(statement, tree.operands[0])
    if isinstance(value, int):
        return -1 if (value & 0xFFFFFFFF) < 16 else value & (1 << 64) - 1
    fault = fault_of(statement, tree.operands[0])
    # A quotient behind the first fault may be one by zero, which would end the run.
    return None if fault is not ConstantFault.DIVISION and re.search("[/%]", text) else fault


def test_values(ptxas_13) -> None:
    choose = random.Random(SEED)
    made = [expression(choose, choose.choice([1, 2, 3])) for _ in range(COUNT)]
    asked = [(text, value) for text in made if (value := ours(text)) not in (ConstantFault.DIVISION, None)]
    answer = ask(ptxas_13, HEAD + "".join(f"bar.sync {text};\n" for text, _ in asked) + "}\n")
    wrong = []
    for line, (text, value) in enumerate(asked, HEAD.count("\n")):
        said = answer.errors.get(line, [])
        if isinstance(value, ConstantFault):
            agrees = set(_FAULTS.values()).intersection(said)
        else:
            found = [int(match[1]) for message in said if (match := _VALUE.match(message))]
            agrees = not said if value == -1 else found == [value]
        if not agrees:
            wrong.append(f"{text}: {value} here, {said}")
    assert len(asked) > COUNT // 2
    assert not wrong, "\n".join(wrong)


def test_division_by_zero_is_found_wherever_it_stands(ptxas_13) -> None:
    for text in ("1 / 0", "0 ? 1 / 0 : 2", "1 || 2 / (3 - 3)", "1.0 / 0.0", "1 / 0.0", "5 % 0U"):
        assert ours(text) is ConstantFault.DIVISION
        errors = ask(ptxas_13, f"{HEAD}bar.sync {text};\n}}\n").errors
        assert errors[HEAD.count("\n")][-1] == "Constant expression has division by zero"
