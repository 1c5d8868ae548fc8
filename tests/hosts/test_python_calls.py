"""Calls of Python with a template as argument, and CUDA C++ in strings."""

from __future__ import annotations

import random

import pytest
from host_texts import check_places, operands, python, template

from ptx_lsp.hosts.site import Certainty, PieceKind, Site


def only(text: str) -> Site:
    (site,) = python(text)
    check_places(text, [site])
    return site


def elementwise(argument: str) -> str:
    return f'y = tl.inline_asm_elementwise({argument}, "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)'


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ('"add $0, $1;"', "add $0, $1;"),
        ("'add'", "add"),
        ('"""\n  add;\n"""', "\n  add;\n"),
        ('"a\\n\\t\\x41\\\\"', "a\n\tA\\"),
        ('r"a\\n"', "a\\n"),
        ('"a\\d"', "a\\d"),
        ('"a;\\\nb;"', "a;b;"),
        ('"a;" "b;"  # of\n  "c;"', "a;b;c;"),
        ('("a;"\n "b;")', "a;b;"),
        ('"a;" + "b;"', "a;b;"),
        ('"a" + kind + ".b32;"', "a<?>.b32;"),
        ('f"add.{kind} {{$0}};"', "add.<?> {$0};"),
        ('f"add.{d[\'a\']:>{width}} $0;" ".x"', "add.<?> $0;.x"),
        ('rf"\\n{a}"', "\\n<?>"),
        ('"add.{} {{x}}".format(kind)', "add.<?> {x}"),
        ('"add.%s %%0" % kind', "add.<?> %0"),
        ('textwrap.dedent("""a""")', "a"),
        ('"a".join(parts)', "<?>"),
        ("source", "<?>"),
        ("make(a, b)", "<?>"),
        ('asm="add;"', "add;"),
    ],
)
def test_the_template_is_an_expression_of_strings(argument: str, expected: str):
    assert template(only(elementwise(argument))) == expected


def test_constraints_are_operands():
    site = only('tl.inline_asm_elementwise("x", "=r,=&f, r,l,~{memory}", [a[0], f(b, c)], tl.int32, True, 1)')
    assert operands(site) == [("=r", ""), ("=&f", ""), ("r", "a[0]"), ("l", "f(b, c)")]
    assert [one.is_output for one in site.operands] == [True, True, False, False]
    assert [one.text for one in site.variants[0].clobbers] == ["memory"]
    assert [site.text[slice(*one.constraint_span)] for one in site.operands] == ["=r", "=&f", "r", "l"]
    assert site.certainty == Certainty.DEVICE


def test_the_arguments_of_the_operation_of_mlir():
    site = only('llvm.inline_asm(T.i32(), [a, b], "add.s32 $0, $1, $2;", "=r,r,r", has_side_effects=True)')
    assert (template(site), site.dialect) == ("add.s32 $0, $1, $2;", "llvm")
    assert operands(site) == [("=r", ""), ("r", "a"), ("r", "b")]


def test_a_call_of_llvmlite():
    site = only('from numba import cuda\nf = ir.InlineAsm(ir.FunctionType(i32, []), "activemask.b32 $0;", "=r")')
    assert (template(site), operands(site)) == ("activemask.b32 $0;", [("=r", "")])
    assert site.certainty == Certainty.DEVICE


def test_a_file_that_says_nothing_of_devices_is_in_doubt():
    assert only('llvm.inline_asm(t, [], "nop", "")').certainty == Certainty.UNKNOWN - 1
    assert only('llvm.inline_asm(t, [], "add $0, 1;", "=r")').certainty == Certainty.UNKNOWN


@pytest.mark.parametrize("constraints", ["constraints", 'f"={letter},r"', '",".join(letters)'])
def test_constraints_that_are_computed_leave_the_operands_unknown(constraints: str):
    site = only(f'tl.inline_asm_elementwise("x", {constraints}, [a], tl.int32, True, 1)')
    assert not site.are_operands_known
    assert site.operands == ()


@pytest.mark.parametrize(
    "text",
    [
        '# inline_asm_elementwise("x", "=r")',
        'x = "inline_asm_elementwise(1)"',
        '"""\ninline_asm_elementwise("x", "=r")\n"""',
        "def inline_asm_elementwise(asm): ...",
        "tl.inline_asm_elementwise",
        "from a import inline_asm",
    ],
)
def test_comments_strings_and_definitions_are_no_calls(text: str):
    assert python(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    y = tl.inline_asm_elementwise("add;", "=r",\n\ndef g(): pass\n',
        'def f():\n    y = tl.inline_asm_elementwise("add;",\n    return y\n',
        'tl.inline_asm_elementwise("add;"\nx = 1',
        'tl.inline_asm_elementwise("add;\nx = 1',
        'tl.inline_asm_elementwise("""add;',
    ],
)
def test_a_call_without_its_end(text: str):
    site = only(text)
    assert template(site) == "add;"
    assert site.problems


def test_the_template_is_what_python_evaluates():
    """Of random expressions of literals."""
    choose = random.Random(5)
    for _ in range(400):
        parts = []
        for _ in range(choose.randint(1, 4)):
            quote = choose.choice(["'", '"', "'''", '"""'])
            prefix = choose.choice(["", "", "r", "R", "u"])
            body = "".join(
                choose.choice(["a", "$0", " ", "{", "}", "\\n", "\\t", "\\x41", "\\\n", "#", "%"]) for _ in range(6)
            )
            parts.append(f"{prefix}{quote}{body}{quote}")
        expression = choose.choice([" ", "\n  ", " + ", " # of\n + "]).join(parts)
        value = eval(f"({expression})")  # of literals
        assert template(only(elementwise(f"({expression})"))) == value


# ---------------------------------------------------------------- CUDA C++ in strings


def test_cuda_in_a_string():
    text = 'SOURCE = """\n__device__ void f() { asm("add.s32 %0, %1;\\\\n" : "=r"(a) : "r"(b)); }\n"""\n'
    site = only(text)
    assert (site.host, template(site)) == ("cuda-cpp", "add.s32 %0, %1;\n")
    assert operands(site) == [("=r", "a"), ("r", "b")]
    assert site.certainty == Certainty.DEVICE
    assert text[site.block] == "{"


def test_cuda_in_an_f_string():
    site = only('S = rf"""__global__ void k() {{ asm("{{ add.{kind} %0; }}\\n" : "={letter}"(x)); }}"""')
    assert template(site) == "{ add.<?> %0; }\n"
    assert operands(site) == [(None, "x")]
    assert not site.are_operands_known


def test_constants_of_the_module():
    call = "inline_asm_elementwise(ADD, LETTERS, [a], dtype=tl.int32)\n"
    both = 'ADD = "add.s32 $0, $1, 1;"\nLETTERS: str = "=r,r"\n'
    site = only(both + call)
    assert [(one.kind, one.text) for one in site.pieces] == [(PieceKind.MACRO, "add.s32 $0, $1, 1;")]
    assert [one.constraint for one in site.operands] == ["=r", "r"]
    assert only(both + "ADD = other\n" + call).pieces[0].kind is PieceKind.HOLE
    assert only("def f():\n    " + both.replace("\n", "\n    ") + call).pieces[0].kind is PieceKind.HOLE
