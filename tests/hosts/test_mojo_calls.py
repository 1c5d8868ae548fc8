"""Calls of ``inlined_assembly`` in Mojo."""

from __future__ import annotations

import pytest
from host_texts import check_places, operands, template

from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site import Certainty, PieceKind, Site


def only(text: str) -> Site:
    (site,) = find_sites(text, "mojo")
    check_places(text, [site])
    return site


def test_values_follow_the_brackets():
    site = only(
        'return inlined_assembly[\n    "add.s32 $0, $1, $2;",\n    SIMD[DType.int32, 1],\n'
        '    constraints="=r,r,r,~{memory}",\n    has_side_effect=False,\n](a[0], f(b, c))\n'
    )
    assert template(site) == "add.s32 $0, $1, $2;"
    assert operands(site) == [("=r", ""), ("r", "a[0]"), ("r", "f(b, c)")]
    assert [one.text for one in site.variants[0].clobbers] == ["memory"]


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ('"a;"', "a;"),
        ('("a;"\n "b;")', "a;b;"),
        ('"""\n a;\n"""', "\n a;\n"),
        ('prefix + " $0;"', "<?> $0;"),
        ("asm", "<?>"),
        ('"a;" if is_new() else "b;"', "a;<?>b;"),
    ],
)
def test_the_template(argument: str, expected: str):
    assert template(only(f'inlined_assembly[{argument}, NoneType, constraints="l"](x)')) == expected


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ('if is_nvidia_gpu(): inlined_assembly["trap;", NoneType, constraints=""]()', Certainty.DEVICE),
        (
            'if is_nvidia_gpu() or is_amd_gpu(): inlined_assembly["trap;", NoneType, constraints=""]()',
            Certainty.UNKNOWN,
        ),
        ('inlined_assembly["s_sleep 0", NoneType, constraints=""]()', Certainty.HOST),
    ],
)
def test_the_file_says_whose_assembly_it_is(text: str, certainty: Certainty):
    assert only(text).certainty == certainty


@pytest.mark.parametrize(
    "text",
    [
        "fn inlined_assembly[asm: StringLiteral]():",
        "# inlined_assembly[x]()",
        '"inlined_assembly[x]"',
        "inlined_assembly(x)",
    ],
)
def test_other_text_is_no_call(text: str):
    assert find_sites(text, "mojo") == []


def test_a_call_that_is_half_typed():
    text = 'fn f():\n    inlined_assembly["exit;", NoneType,\n\nfn g():\n    pass\n'
    site = only(text)
    assert site.problems
    assert text[site.span.end :].lstrip() == "fn g():\n    pass\n"


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ('alias asm = "a;"\n', "a; $0;"),
        ('comptime asm: StringLiteral = "a;"  # as in the manual\n', "a; $0;"),
        ('alias asm = (\n    "a;"  # one\n    "b;"\n)\n', "a;b; $0;"),
        ('alias asm = "a;" if is_new() else "b;"\n', "<?> $0;"),
        ('alias asm = "a;"\nalias asm = "b;"\n', "<?> $0;"),
        ('alias asm = name\nalias asm = "b;"\n', "<?> $0;"),
        ('var asm = "a;"\n', "<?> $0;"),
        ('"""\nalias asm = "a;"\n"""\n', "<?> $0;"),
    ],
)
def test_names_of_templates(bound: str, expected: str):
    text = f'{bound}inlined_assembly[asm + " $0;", UInt32, constraints=letters](x)\nalias letters = "=r"\n'
    site = only(text)
    assert "".join("<?>" if one.kind is PieceKind.HOLE else one.text for one in site.pieces) == expected
    assert [one.constraint for one in site.operands] == ["=r"]


def test_names_of_a_function_are_those_before_the_call():
    sites = find_sites(
        """
def f():
    comptime asm = "f;"
    inlined_assembly[asm, NoneType, constraints=""]()
    if True:
        comptime asm = "inner;"
        inlined_assembly[asm, NoneType, constraints=""]()
    inlined_assembly[asm, NoneType, constraints=""]()
    comptime asm = name()
    inlined_assembly[asm, NoneType, constraints=""]()
def g():
    inlined_assembly[asm, NoneType, constraints=""]()
    comptime asm = '''
        g;'''
    inlined_assembly[asm, NoneType, constraints=""]()
""",
        "mojo",
    )
    texts = [[None if one.kind is PieceKind.HOLE else one.text for one in site.pieces] for site in sites]
    assert texts == [["f;"], ["inner;"], ["f;"], [None], [None], ["\n        g;"]]
