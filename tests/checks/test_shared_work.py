"""Work that is done once for many statements of a file in which everything is wrong, or up to a bound."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.divergence import Divergence
from ptx_lsp.analysis.dataflow.steps import Steps
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.surroundings import Surroundings
from ptx_lsp.analysis.statements import accesses
from ptx_lsp.analysis.statements.matcher import Matcher
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Scope
from ptx_lsp.checks import all_checks
from ptx_lsp.checks.engine import concerned, examination, flow_checks
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.examination import Examination
from ptx_lsp.checks.rules.suspicious import misaligned_access
from ptx_lsp.isa.diagnosis.repair import Repairer
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax import parse_statement, token_columns
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.text import Span

HEADER = ".version 8.8\n.target sm_100a\n.address_size 64\n"
REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .reg .f32 %f<9>;\n"


def kernel(statement: Callable[[int], str], count: int) -> str:
    return f"{HEADER}.visible .entry k()\n{{\n{REGISTERS}{''.join(map(statement, range(count)))}ret;\n}}\n"


def recorded(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[object, ...]]:
    """The arguments of each call of a function from now on."""
    calls: list[tuple[object, ...]] = []
    original = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given: calls.append(given) or original(*given))
    return calls


def check_matched(monkeypatch: pytest.MonkeyPatch, statement: Callable[[int], str], most: int) -> None:
    """Of 300 statements that differ in a constant, at most so many are compared with the pages."""
    matched = recorded(monkeypatch, Matcher, "_matched")
    Checker(kernel(statement, 300)).findings(1000)
    assert 0 < len(matched) <= most


def test_coordinates_of_copies_are_not_limited(monkeypatch: pytest.MonkeyPatch):
    copy = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
    check_matched(monkeypatch, lambda n: f"{copy} [%r1], [%rd1, {{%r2, {n + 1000}}}], [%r3];\n", 20)


def test_masks_are_legal_or_too_large(monkeypatch: pytest.MonkeyPatch):
    check_matched(monkeypatch, lambda n: f"lop3.b32 %r1, %r2, %r3, %r4, {n};\n", 8)


VALUES = [*range(40), 63, 64, 65, 127, 128, 255, 256, 257, 1023, 1024, 65535, 65536, 99999999, 4294967295, 4294967296]


@pytest.mark.parametrize(
    "text",
    [
        "bar.sync {};",
        "barrier.cta.sync {}, {};",
        "lop3.b32 %r1, %r2, %r3, %r4, {};",
        "shfl.sync.idx.b32 %r1, %r2, {}, 31, {};",
        "setmaxnreg.inc.sync.aligned.u32 {};",
        "cp.async.wait_group {};",
        "cp.async.ca.shared.global [%r1], [%rd1], {};",
        "wgmma.wait_group.sync.aligned {};",
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], {};",
        "prmt.b32 %r1, %r2, %r3, {};",
        "mov.b32 %r1, -{};",
        "shf.l.wrap.b32 %r1, %r2, %r3, -{};",
        "isspacep.misspelt %p1, {};",
    ],
)
def test_constants_of_one_class_have_the_same_answer(text: str):
    """The answer that constants share equals the one for each."""
    matcher = Matcher(Version.parse("8.8"), Target.parse("sm_100a"))
    checker = Checker(kernel(lambda _: "", 0))
    scope = checker.module.functions[1].scope
    for value in VALUES:
        statement = Statement(text.replace("{}", str(value)))
        shape = statement.shape
        codes = tuple(scope.lookup(statement.word(token)).code for token, _ in shape.names)
        shared = matcher.match(shape, codes, statement, values=True)
        alone = matcher._matched(shape, codes, statement, statement)
        assert (shared is None) == (alone is None)
        assert shared is None or shared._replace(operands=()) == alone._replace(operands=()), (text, value)
    assert OPERANDS[0].kind == "unknown"


def test_errors_outside_of_statements_are_listed_up_to_a_bound():
    text = HEADER + "".join(f".target sm_{one}z;\n" for one in range(200))
    assert len(next(Examination(Semantics(Checker(text).module)).errors(20))) == 21


def test_uses_of_one_undeclared_name_are_not_all_looked_at_before_the_first_findings_are_sent():
    checker = Checker(kernel(lambda n: f"add.s32 %r1, %q{n}, 1;\n", 5000))
    checker.findings(100, at_once=False)
    assert checker.statements.of_chunks.examined < len(checker.document.chunks) / 4
    for _ in checker.follow():
        pass
    (found,) = [one for one in checker.findings(100, at_once=False).shown if one.code == "E201"]
    assert "and in 4979 more places" in found.related[-1].message


def test_a_statement_that_lacks_a_declaration_is_shown_to_few_checks(monkeypatch: pytest.MonkeyPatch):
    shown = recorded(monkeypatch, examination, "lacking_declarations")
    Checker(kernel(lambda n: f"ld.shared.u32 %r1, [buffer{n}+{8 * n}];\n", 10)).findings(100)
    assert shown
    assert max(map(len, shown)) < 10


def test_a_graph_that_is_made_in_steps_is_the_same():
    checker = Checker(kernel(lambda n: f"L{n}: add.s32 %r1, %r1, 1; @%p1 bra L{n // 2};\n", 2000))
    function, effects = checker.module.functions[1], checker.semantics.effects
    whole = Graph(checker.module, function, effects)
    graph = Graph(checker.module, function, effects, at_once=False)
    assert len(list(graph.making())) > 10
    assert [node.successors for node in graph.nodes] == [node.successors for node in whole.nodes]
    assert [node.predecessors for node in graph.nodes] == [node.predecessors for node in whole.nodes]
    for chunk in function.chunks:
        for index in range(len(chunk)):
            node = graph.node_at(chunk, index)
            assert node is None or node.chunk is chunk and node.piece.start <= index < node.piece.end


def test_what_reads_before_writes_need_is_made_in_steps():
    text = kernel(lambda n: f"L{n}: add.s32 %r1, %r1, 1; @%p1 bra L{n // 2};\n", 2000)
    checker = Checker(text)
    flow = checker.semantics.flow(checker.module.functions[1])
    run_to_completion(flow.preparing())
    assert len(list(flow.unwritten.preparing())) > 4


@pytest.mark.parametrize(
    "text",
    [
        "add.s32 %r1, %r2, 3;",
        "\n  // a comment;\n add.s32 %r1, %r2, 3;",
        "/* one */ add.s32 /* two; */ %r1, %r2, 3;",
        "add.s32 %r1, %r2 // and so on;",
        "  /* open\n add.s32 %r1;",
        '.pragma "open ;',
        "// only this;",
        "",
        " \n",
        '# 12 "a.cu"\nret;',
        "{",
        "add.s32 %r1, é;",
    ],
)
def test_a_statement_begins_and_ends_with_its_tokens(text: str):
    """The offsets that are found without the tokens equal those of the tokens."""
    lead, end = Statement(text).lead, Statement(text).end
    tokens = Statement(text).tokens
    assert (lead, end) == ((tokens[0].start, tokens[-1].end) if tokens else (len(text), 0))


def test_the_text_of_a_declaration_is_compared_once_for_all_its_names(monkeypatch: pytest.MonkeyPatch):
    names = ", ".join(f"name{n}" for n in range(300))
    body = f".reg .b32 {names};\n{'ret;' * 600}\n"  # of several chunks
    semantics = Checker(f"{HEADER}.visible .entry k()\n{{\n{body}}}\n").semantics
    function = list(semantics.module.functions)[-1]
    read = []
    original = Chunk.part
    monkeypatch.setattr(Chunk, "part", lambda chunk, index: read.append(index) or original(chunk, index))
    run_to_completion(Surroundings(semantics.module).finding(function, function.chunks[-1]))
    assert 0 < len(read) <= 3


def test_forms_that_lack_a_word_are_not_repaired(monkeypatch: pytest.MonkeyPatch):
    repaired = []
    original = Repairer.repair
    monkeypatch.setattr(Repairer, "repair", lambda one, most=None: repaired.append(one) or original(one, most))
    Checker(kernel(lambda _: "cvt.rna.satfinite.u64.e4m3x2 %r1, %f1;\n", 1)).findings(1000)
    assert 0 < len(repaired) <= 20


CALLS_WITH_BLOCKS = "{{ .param .b32 a{0}; st.param.b32 [a{0}], %r1; call (%r2), helper, (a{0}); }}\n"


def test_calls_of_an_undeclared_function_that_pass_equal_variables_are_judged_once(monkeypatch: pytest.MonkeyPatch):
    checked = recorded(monkeypatch, concerned, "_with_traits")
    Checker(kernel(CALLS_WITH_BLOCKS.format, 100)).findings(1000)
    assert 0 < len(checked) <= 4


def test_names_without_a_meaning_are_not_looked_up_again_to_flag_a_statement(
    monkeypatch: pytest.MonkeyPatch,
):
    looked_up = []
    original = Scope.lookup
    monkeypatch.setattr(Scope, "lookup", lambda scope, name: looked_up.append(name) or original(scope, name))
    Checker(kernel(lambda n: f"@%q{n} bra END;\n", 100)).findings(1000)
    assert looked_up.count("%q50") <= 3


def test_whether_arguments_are_stored_is_found_by_their_names_alone(monkeypatch: pytest.MonkeyPatch):
    made = recorded(monkeypatch, Steps, "_made")
    Checker(kernel(CALLS_WITH_BLOCKS.format, 100)).findings(1000)
    assert len(made) < 20


def asked(monkeypatch: pytest.MonkeyPatch, bodies: list[str], before: str = "") -> int:
    """The number of kernels with some bodies of which the faults of addresses are looked for."""
    flows = []
    check = next(one for one in all_checks() if one.rule is misaligned_access.RULE)
    shown = check._replace(check_flow=lambda flow: flows.append(flow) or misaligned_access.check_flow(flow))
    monkeypatch.setattr(flow_checks, "flow_checks", lambda *_, **__: (shown,))
    kernels = [f".visible .entry k{n}()\n{{\n{REGISTERS}{body}ret;\n}}\n" for n, body in enumerate(bodies)]
    Checker(HEADER + before + "".join(kernels)).findings(1000)
    return len(flows)


def test_what_is_not_found_in_a_function_is_not_looked_for_in_those_alike(monkeypatch: pytest.MonkeyPatch):
    array = ".shared .align 8 .b32 s[128]; "
    store = "mov.u32 %r1, s; add.u32 %r1, %r1, {}; st.shared.u32 [%r1], %r2;\n"
    assert asked(monkeypatch, [array + store.format(4)] * 9) == 2, "of the last one the text ends otherwise"
    assert asked(monkeypatch, [array + store.format(4 * n) for n in range(9)]) == 9
    assert asked(monkeypatch, [array + store.format(2)] * 9) == 9, "it is found in each"
    register = ".reg .b32 %g;\n"
    assert asked(monkeypatch, ["mov.u32 %r1, %g; st.shared.u32 [%r1], %r1;\n"] * 9, register) == 9, (
        "it is of the module"
    )


def test_functions_of_some_hundred_kinds_are_remembered(monkeypatch: pytest.MonkeyPatch):
    array = ".shared .align 8 .b32 s[1024]; "
    kinds = [f"{array}mov.u32 %r1, s; add.u32 %r1, %r1, {4 * n}; st.shared.u32 [%r1], %r2;\n" for n in range(150)]
    assert asked(monkeypatch, kinds * 2) <= len(kinds) + 1


def test_functions_that_call_others_of_one_signature_are_alike(monkeypatch: pytest.MonkeyPatch):
    assert asked(monkeypatch, [f"call f{n}, (%r1);\n" for n in range(9)], functions(9, "(.reg .b32 a)")) == 2
    assert asked(monkeypatch, [f"call f{n};\n" for n in range(9)], functions(9, "")) == 2
    mixed = [f"call f{n // 2 * 2}; call f{n};\n" for n in range(10)]
    assert asked(monkeypatch, mixed, functions(10, "")) == 3, "some call one function twice, others two"


def test_functions_that_name_variables_declared_alike_are_alike(monkeypatch: pytest.MonkeyPatch):
    access = [f"mov.u32 %r1, s{n}; add.u32 %r1, %r1, 4; st.shared.u32 [%r1], %r2;\n" for n in range(9)]
    same = "".join(f".shared .align 8 .b32 s{n}[128];\n" for n in range(9))
    assert asked(monkeypatch, access, same) == 2, "of the last one the text ends otherwise"
    assert asked(monkeypatch, access, ".shared .align 8 .b32 " + ", ".join(f"s{n}[128]" for n in range(9)) + ";") == 9
    sizes = "".join(f".shared .align 8 .b32 s{n}[{n + 2}];\n" for n in range(9))
    assert asked(monkeypatch, access, sizes) == 9
    named = ".global .u32 g;\n" + "".join(f".global .u64 s{n} = g;\n" for n in range(9))
    assert asked(monkeypatch, access, named) == 9, "they name another variable"
    tables = functions(9, "") + "".join(f".global .u64 s{n}[2] = {{ f{n}, f{n // 2} }};\n" for n in range(9))
    assert asked(monkeypatch, access, tables) == 3, "the first one has one function twice"


def functions(count: int, parameters: str) -> str:
    return "".join(f".extern .func f{n}{parameters};\n" for n in range(count))


def test_functions_are_compared_with_those_of_the_same_text_only():
    shifted = "mov.u32 %r1, s; add.u32 %r1, %r1, 2; st.shared.u32 [%r1], %r2;\n"
    one = f".visible .entry k()\n{{\n.reg .b32 %r<9>; .shared .align 8 .b32 s[128]; {shifted}ret;\n}}\n"
    right = one.replace("%r1, 2;", "%r1, 4;")
    checker = Checker(HEADER + right + right.replace(" k(", " l("))
    first = [found.code for found in checker.findings(None).shown]
    at = checker.document.text.rindex("%r1, 4;") + 5
    checker.edit(Span(at, at + 1), "2")
    codes = [found.code for found in checker.findings(None).shown]
    assert codes == [found.code for found in Checker(checker.document.text).findings(None).shown]
    assert len(codes) > len(first)


def test_chunks_are_examined_once_though_some_warnings_are_only_counted():
    checker = Checker(kernel(lambda n: f"st.u32 [%rd1], 68719476735; add.s32 %r1, %q{n}, 1;\n", 3000))
    checker.findings(1000)
    assert checker.statements.of_chunks.examined <= len(checker.document.chunks)


def test_directives_with_unknown_words_are_parsed_once(monkeypatch: pytest.MonkeyPatch):
    parsed = recorded(monkeypatch, parse_statement, "parsing")
    Document(kernel(lambda n: f".unknown{n}x {n}, {n};\n", 50))
    assert len(parsed) < 10


def test_the_tokens_of_a_long_statement_are_found_once(monkeypatch: pytest.MonkeyPatch):
    read = []
    original = token_columns.masked
    monkeypatch.setattr(token_columns, "masked", lambda text: read.append(len(text)) or original(text))
    Checker(f"{HEADER}.shared .b8 {', '.join(f'long{n}[4]' for n in range(9000))};\n")
    assert [length for length in read if length > 90000] == [max(read)]


def test_calls_through_prototypes_that_are_alike_are_judged_once(monkeypatch: pytest.MonkeyPatch):
    shown = recorded(monkeypatch, concerned, "traits_of")
    Checker(kernel(lambda n: f"P{n}: .callprototype _ (.param .b32 _); call %rd1, (%r1), P{n};\n", 50)).findings(100)
    assert len(shown) < 10


def test_the_sizes_of_accesses_that_a_constant_decides_are_found_once(monkeypatch: pytest.MonkeyPatch):
    found = recorded(monkeypatch, accesses, "_addresses")
    array = ".shared .align 16 .b8 s[8192];\n"
    copy = "cp.async.ca.shared.global [s+{}], [%rd1], {};\n"
    Checker(kernel(lambda n: array * (not n) + copy.format(n * 16, 4 << n % 3), 50)).findings(100)
    assert len(found) < 10


def test_functions_without_a_comparison_that_divides_a_warp_are_not_searched(monkeypatch: pytest.MonkeyPatch):
    looked = recorded(monkeypatch, Divergence, "finding_jumps")
    body = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, {}; @%p1 bra L; bar.sync 0; L:\n"
    codes = [one.code for one in Checker(kernel(lambda n: body.format(64), 1)).findings(100).shown]
    assert "W626" not in codes
    assert not looked
    codes = [one.code for one in Checker(kernel(lambda n: body.format(9), 1)).findings(100).shown]
    assert "W626" in codes
    assert looked


def test_labels_of_compilers_need_no_flow(monkeypatch: pytest.MonkeyPatch):
    made = []
    monkeypatch.setattr(Graph, "__init__", lambda *given: made.append(given))
    functions = "".join(f".func f{number}()\n{{\n$Lb{number}:\nret;\n$Le{number}:\n}}\n" for number in range(20))
    Checker(HEADER + functions).findings(1000)
    assert not made


def test_jumps_that_lack_declarations_are_not_shown_to_other_checks(monkeypatch: pytest.MonkeyPatch):
    chosen = recorded(monkeypatch, concerned.ConcernedChecks, "choose")
    found = Checker(kernel(lambda number: f"@%q{number} bra END;\n", 20)).findings(1000).shown
    assert [one.code for one in found if one.code in ("E201", "E203")] == ["E201", "E203"]
    assert not chosen
