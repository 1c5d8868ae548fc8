"""``asm`` statements of CUDA C++: which words are statements, and what they contain."""

from __future__ import annotations

import pytest
from host_texts import check_places, cuda, operands, template

from ptx_lsp.embedded.fragment import fragments_of
from ptx_lsp.hosts import alike, c_statement
from ptx_lsp.hosts.blocks import MacroTable
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site import PieceKind


@pytest.mark.parametrize(
    "head",
    ["asm", "__asm__", "__asm", "asm volatile", "__asm__ __volatile__", "asm /* of */ volatile // it\n", "asm goto"],
)
def test_a_statement_is_a_word_and_a_parenthesis(head: str):
    (site,) = cuda(f'void f() {{ {head} ("exit;"); }}')
    assert template(site) == "exit;"
    assert site.text.endswith('("exit;")')


@pytest.mark.parametrize(
    "text",
    [
        '// asm("exit;");',
        '// a comment that continues \\\n asm("exit;");',
        '/* asm("exit;"); */',
        'auto s = "asm(\\"exit;\\")";',
        'auto s = R"x(asm("exit;"))x";',
        'auto c = \'"\'; // asm("exit;");\n',
        'int plasma("exit;"), asm_("exit;"), asmx("exit;");',
        "int asm;",
        '#if 0\nasm("exit;");\n#endif',
        '#if 1\n#else\nasm("exit;");\n#endif',
        '#if 0\n"\n#if A\n#endif\nasm("exit;");\n#endif',
        '#pragma asm("exit;")\n',
    ],
)
def test_comments_literals_and_excluded_lines_have_no_statements(text: str):
    assert cuda(text) == []


@pytest.mark.parametrize(
    "before",
    [
        "int n = 1'000'000;",
        "char c = '\"', d = '\\'', e = L'\\\\';",
        'auto s = "a \\" /* b";',
        'auto s = R"(" /* )";',
        '#include "a//b.h"\n',
        "#error it's not supported\n",
        "#if 0\n it's\n#endif\n",
        "/* */ /**/ // '\n",
        "#endif /* a comment of\n two lines */",
    ],
)
def test_what_stands_before_a_statement_does_not_hide_it(before: str):
    (site,) = cuda(f'{before} asm("exit;");')
    assert template(site) == "exit;"


def test_adjacent_literals_are_one_template():
    text = """
    asm volatile("add.s32 "   // the sum
                 "%0, " /* of */ R"(%1, )" u8"%2;\\n\\t"
                 "" : "=r"(a) : "r"(b), "r"(c));
    """
    (site,) = cuda(text)
    assert template(site) == "add.s32 %0, %1, %2;\n\t"
    kinds = [piece.kind.name for piece in site.pieces if piece.kind != PieceKind.JOIN]
    assert kinds == ["VERBATIM", "VERBATIM", "VERBATIM", "VERBATIM", "ESCAPE", "ESCAPE", "VERBATIM"]
    check_places(text, [site])


def test_escapes_and_line_splices():
    text = 'asm("a\\tb\\"c\\\\d\\x41\\101\\u00e9\\\ne");'
    (site,) = cuda(text)
    assert template(site) == 'a\tb"c\\dAA\u00e9e'
    check_places(text, [site])


def test_operands_clobbers_and_names():
    (site,) = cuda(
        'asm("x" : "=r"(a), [sum] "+f"(*(float*)&b[f(1, ")")]) : "l"(p->q), "n"((int)sizeof(T)) : "memory", "cc");'
    )
    assert operands(site) == [
        ("=r", "a"),
        ("+f", '*(float*)&b[f(1, ")")]'),
        ("l", "p->q"),
        ("n", "(int)sizeof(T)"),
    ]
    assert [one.is_output for one in site.operands] == [True, True, False, False]
    assert [one.name for one in site.operands] == [None, "sum", None, None]
    assert [one.text for one in site.variants[0].clobbers] == ["memory", "cc"]
    for one in site.operands:
        assert site.text[slice(*one.constraint_span)] == one.constraint
        assert site.text[slice(*one.expression_span)] == one.expression


def test_a_missing_comma_between_operands_is_legal():
    (site,) = cuda('asm("x" :: "r"(a) "r"(b), "r"(c));')
    assert operands(site) == [("r", "a"), ("r", "b"), ("r", "c")]
    assert not site.problems


def test_braces_and_semicolons_within_an_operand_do_not_end_it():
    (site,) = cuda('asm("x" :: "r"(uint32_t{1}), "r"([&] { return 1; }()), "r"(b)); int c;')
    assert [expression for _, expression in operands(site)] == ["uint32_t{1}", "[&] { return 1; }()", "b"]


@pytest.mark.parametrize(
    ("lists", "expected"), [("", False), (" :", True), (' ::: "memory"', True), (' : "=r"(a)', True)]
)
def test_escapes_of_the_template_count_only_with_operand_lists(lists: str, expected: bool):
    (site,) = cuda(f'asm("mov.u32 %0, %%laneid;"{lists});')
    assert site.variants[0].has_operand_lists == expected


def test_string_macros_of_the_file_are_part_of_the_template():
    (site,) = cuda('#define HINT ".L2" \\\n  "::128B"\nvoid f() { asm("ld" HINT ".b32 %0;" : "=r"(a)); }')
    assert template(site) == "ld.L2::128B.b32 %0;"
    (piece,) = (one for one in site.pieces if one.kind == PieceKind.MACRO)
    assert site.text[piece.start : piece.end] == "HINT"


@pytest.mark.parametrize(
    "macros",
    [
        "",
        '#define HINT(x) ".L2"\n',
        "#define HINT STRINGIFY(.L2)\n",
        '#ifdef A\n#define HINT ".L1"\n#else\n#define HINT ".L2"\n#endif\n',
        '#ifdef A\n#define HINT\n#else\n#define HINT ".L2"\n#endif\n',
    ],
)
def test_other_macros_are_unknown_text(macros: str):
    (site,) = cuda(f'{macros}void f() {{ asm("ld" HINT ".b32"); }}')
    assert template(site) == "ld<?>.b32"


def test_statements_in_a_macro():
    text = """#define ADD(type, x) \\
      asm("add." #type " %0, %0, 1;" \\
          : "+r"(x)); asm("exit;")
    """
    first, second = cuda(text)
    assert template(first) == "add.<?> %0, %0, 1;"
    assert operands(first) == [("+r", "x")]
    assert (first.macro, second.macro) == ("ADD", "ADD")
    assert first.block == second.block >= 0


def test_the_number_of_operands_is_unknown_where_a_macro_makes_them():
    known, unknown = cuda('asm("x" : "=r"(a)); asm("x" : "=r"(a) : INPUTS(b));')
    assert known.are_operands_known
    assert not unknown.are_operands_known


# ---------------------------------------------------------------- half typed


@pytest.mark.parametrize(
    "text",
    [
        'void f() { asm volatile("add.s32 %0, ',
        'void f() { asm volatile("add.s32 %0, \n  x = 1; }\nvoid g() {}',
        'void f() { asm volatile("add.s32 %0, "; }',
        'void f() { asm volatile("add.s32 %0, " }\nint g(int);',
        '#if A\nasm volatile("add.s32 %0, "\n#else\n)\n#endif',
    ],
)
def test_a_statement_without_its_end(text: str):
    (site,) = cuda(text)
    assert template(site) == "add.s32 %0, "
    assert any("missing" in problem.message for problem in site.problems)


def test_the_next_statement_is_found_after_one_without_its_end():
    assert [template(site) for site in cuda('asm("a;" : "=r"(x; int y; asm("b;");')] == ["a;", "b;"]


# ---------------------------------------------------------------- `#if` within a statement


def test_each_choice_of_branches_is_a_variant():
    text = """asm volatile("cp.async.ca.shared.global"
    #if ENABLE_L2_PREFETCH
        ".L2::128B"
    #elif __CUDA_ARCH__ >= 900
        ".L2::256B"
    #endif
        " [%0], [%1], %2;"
        :: "r"(a), "l"(b), "n"(c));"""
    (site,) = cuda(text)
    assert [template(variant) for variant in site.variants] == [
        "cp.async.ca.shared.global.L2::128B [%0], [%1], %2;",
        "cp.async.ca.shared.global.L2::256B [%0], [%1], %2;",
        "cp.async.ca.shared.global [%0], [%1], %2;",
    ]
    assert ["sm_90" in (variant.guards[0].targets or ()) for variant in site.variants[1:]] == [True, False]
    check_places(text, [site])


def test_branches_with_the_same_condition_are_chosen_together():
    (site,) = cuda('asm("x %0"\n#ifdef A\n", %1"\n#endif\n: "=r"(a)\n#ifdef A\n, "=r"(b)\n#endif\n);')
    assert [(template(one), len(one.operands)) for one in site.variants] == [("x %0, %1", 2), ("x %0", 1)]


def test_there_are_at_most_eight_variants():
    (site,) = cuda("asm(" + "".join(f'\n#if A{number}\n"a"\n#else\n"b"\n#endif\n' for number in range(9)) + ");")
    assert 1 < len(site.variants) <= 8


def test_a_condition_that_the_statement_does_not_close():
    (site,) = cuda('asm("x"\n#if A\n : "=r"(a));\n#else\n : "=r"(b));\n#endif')
    assert [operands(site)] == [[("=r", "a")]]
    assert len(site.variants) == 1


def test_a_statement_of_many_conditions_is_read_in_steps():
    text = "asm(\n" + "".join(f'#if A{number}\n"a;"\n#endif\n' for number in range(10_000)) + ");"
    (site,) = find_sites(text, "cuda-cpp")
    assert sum(1 for _ in site.reading()) > 30
    (fragment, *_) = fragments_of(site)
    assert fragment.text.count("a;") == 10_000


def test_statements_that_differ_in_digits_are_read_once(monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []
    reader = c_statement._Reader

    def counted(text: str, start: int, macros: MacroTable) -> c_statement._Reader:
        read.append(text)
        return reader(text, start, macros)

    monkeypatch.setattr(c_statement, "_Reader", counted)
    alike._KNOWN.clear()
    text = 'void f() { asm("ret;"); asm("ret;"); asm("a1;" :: "r"(a)); asm("ret;"); asm("a2;" :: "r"(a)); asm("a" X); }'
    found = [site.pieces for site in find_sites(text, "cuda-cpp")]
    assert read == ['asm("ret;")', 'asm("a1;" :: "r"(a))', 'asm("a" X)']
    assert found[0] == found[1] == found[3]
    assert [pieces[0].text for pieces in (found[2], found[4])] == ["a1;", "a2;"]


def test_a_macro_has_the_value_of_its_file():
    texts = [f'#define X "{value};"\nvoid f() {{ asm("ret;" X); }}' for value in ("exit", "trap")]
    found = [find_sites(text, "cuda-cpp")[0].pieces[-1].text for text in texts]
    assert found == ["exit;", "trap;"]
