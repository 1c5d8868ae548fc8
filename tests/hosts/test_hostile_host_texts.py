"""Texts that no compiler takes: nothing raises, and the time is proportional to the length."""

from __future__ import annotations

import random

import pytest
from host_texts import check_places

from ptx_lsp.hosts.find import find_sites
from tests.timed import cpu_seconds

LONG = 16_000

REPEATED = {
    "cuda-cpp": [
        *(
            "(",
            "asm(",
            "asm ",
            "asm",
            "asm /**/",
            "{\n",
            "void f(int a) {\n",
            '"',
            "'",
            "\\",
            "\\\n",
            "1'",
            "#",
            "x ",
            "/*",
        ),
        *(
            'R"(',
            "#if X\n",
            "#elif __CUDA_ARCH__ > 3\n",
            "(A || ",
            '"=r"(x), ',
            '"=r"(x ',
            "add.s32 %0;\\n",
            "template<",
        ),
        *(
            "NV_IF_TARGET(",
            "NV_IF_TARGET(NV_PROVIDES_SM_90, (a, ",
            "if(__CUDA_ARCH__ ",
            "alignas((",
            "}else {",
            "[",
            ": ",
        ),
        *(
            '#define A "x" \\\n',
            '#define A asm("x");\n',
            '\n#if A\n"a"\n#endif\n',
            "__CUDA_ARCH__ ",
            "defined(",
            "  f(){",
        ),
    ],
    "python": [
        *(
            '"""',
            "inline_asm(",
            "[",
            "a,",
            "{",
            '"a"+',
            "a+",
            '"a".format(',
            "=r,",
            "{},",
            'asm(\\"x\\");',
            "\\",
            "#\n",
            "%",
        ),
        *("inline_asm()\n", 'x="asm(1)"\n', 'f"', "dedent(", "\ndef ", "asm=", "inline_asm_elementwise(f'{", "+", ")"),
    ],
    "llvm": ['asm "x", ""(', "(", "asm ", "asm sideeffect ", '"', "\\", '"\\', ";", '"a",'],
    "mlir": [
        *('llvm.inline_asm "x", "" %a', "llvm.inline_asm ", "a = ", "[", '"', "/", "%a, ", 'nvvm.inline_ptx "x" ro('),
        *(
            "nvvm.inline_ptx ",
            "ro(",
            "%a ",
            "-> i32, ",
            " : ",
            "{a",
            "i32, ",
            "<",
            "!llvm.struct<(",
            "%c = arith.constant\n",
        ),
    ],
    "rust": [
        *(
            "asm!(",
            "asm! ",
            'asm!("x");',
            'asm!("x"',
            "(",
            "{",
            ")",
            "}",
            '"',
            "'",
            "'a",
            "\\",
            "/*",
            "*/",
            "//\n",
            'r#"',
        ),
        *(
            'r"',
            "#",
            "concat!(",
            "in(reg32) x, ",
            "in( ",
            "x = ",
            "options(",
            ", ",
            ";",
            '"a", ',
            "#[cfg(x)] ",
            "label {",
        ),
    ],
    "mojo": [
        "inlined_assembly[",
        "[",
        "]",
        "(",
        "a,",
        '"',
        '"""',
        '"a" ',
        "\n",
        "inlined_assembly[]()",
        "constraints=",
        "+",
    ],
}
OPENINGS = {
    "llvm": ["", 'asm "', 'asm "x", "', 'asm "x", "r"('],
    "mlir": [
        "",
        "llvm.inline_asm ",
        'llvm.inline_asm "',
        'llvm.inline_asm "x", "" ',
        'nvvm.inline_ptx "x" ',
        'nvvm.inline_ptx "x" ro(',
    ],
    "rust": ["", "asm!(", 'asm!("', 'asm!("x", ', 'asm!("x", in(', 'asm!("x", x = out(reg32) '],
    "mojo": [
        "",
        "inlined_assembly[",
        'inlined_assembly["',
        'inlined_assembly["a", T, constraints="',
        'inlined_assembly["a"](',
    ],
    "cuda-cpp": [
        "",
        'asm("x"); ',
        "asm(",
        'asm("',
        'asm("x" : ',
        "#if ",
        "__CUDA_ARCH__ NV_IF_TARGET(",
        'asm("x");\n#if \\\n',
    ],
    "python": [
        "",
        "inline_asm_elementwise(",
        'inline_asm_elementwise("',
        'inline_asm_elementwise("a", "',
        'x = """asm',
    ],
}


def cost(text: str, host: str) -> float:
    return cpu_seconds(lambda: [(site.certainty, site.parts) for site in find_sites(text, host)])


@pytest.mark.parametrize(
    ("host", "part"),
    [(host, part) for host, parts in REPEATED.items() for part in parts],
    ids=repr,
)
def test_a_long_text_of_one_part_takes_linear_time(host: str, part: str):
    for opening in OPENINGS[host]:
        long = opening + part * (LONG // len(part)) + ' asm("x") inline_asm("x") asm!("x") inlined_assembly["x"]'
        short = opening + part * (LONG // len(part) // 8) + ' asm("x") inline_asm("x") asm!("x") inlined_assembly["x"]'
        # Eight times the text: far from 64 times the time, also on a busy machine.
        assert cost(long, host) < 30 * cost(short, host) + 0.2


@pytest.mark.parametrize("host", REPEATED)
def test_random_texts_and_truncated_ones_never_raise(host: str):
    choose = random.Random(3)
    parts = [*REPEATED[host], *OPENINGS[host], "\n", " ", ";", '"', "\x00", "\ufffc", "é", "asm(", ")", "\r\n"]
    for _ in range(600):
        text = "".join(choose.choice(parts) for _ in range(choose.randint(1, 30)))
        for cut in (text, text[choose.randint(0, len(text)) :]):
            check_places(cut, find_sites(cut, host))
