"""After any sequence of edits every feature answers as it would for the text as it stands.

A failure prints the seed; ``pytest tests/features/test_after_edits.py -k "seed-7"`` replays it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.text_sections import preparing
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.code_actions import code_actions
from ptx_lsp.features.code_actions.action import ActionRequest
from ptx_lsp.features.code_lenses import code_lenses, title
from ptx_lsp.features.completion import completion
from ptx_lsp.features.definition import definition
from ptx_lsp.features.folding import all_folds, folding, folding_with_loops
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.features.inlay_hints import preparing as preparing_hints
from ptx_lsp.features.outline import outline
from ptx_lsp.features.references import references
from ptx_lsp.features.rename import RenameError, prepare
from ptx_lsp.features.selection_ranges import selection
from ptx_lsp.features.signature import signature_help
from ptx_lsp.preferences import InlayHints
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax import chunk
from ptx_lsp.text import Span

from ..checks.test_incremental import DEBUG, MODULE, edits

PACKED = """\
.version 8.6
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry kernel(.param .u64 out)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    mov.u32 %r1, smem;
    shr.u32 %r2, %r1, 4;
    and.b32 %r3, %r2, 16383;
    cvt.u64.u32 %rd1, %r3;
    or.b64 %rd2, %rd1, 0x4000404000010000;
    mov.b32 %r4, 0x08200490;
LOOP:
    add.s64 %rd2, %rd2, 2;
    tcgen05.mma.cta_group::1.kind::f16 [%r5], %rd2, %rd2, %r4, %p1;
    lop3.b32 %r6, %r1, %r2, %r3, 0x6A;
    @%p1 bra LOOP;
    ret;
}
"""
UNOPTIMISED = """\
.version 8.6
.target sm_100a
.address_size 64
.func (.param .b64 made) make(.param .b32 stride, .param .b64 self)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<8>;
    ld.param.u32 %r1, [stride];
    shr.u32 %r2, %r1, 4;
    mov.b64 %rd1, {0x10000, %r2};
    ld.param.u64 %rd2, [self];
    st.u64 [%rd2+8], %rd1;
    or.b64 %rd3, %rd1, 0x4000400000000000;
    st.param.b64 [made], %rd3;
    ret;
}
.visible .entry kernel()
{
    .local .align 8 .b8 depot[32];
    .reg .b64 %SP;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    .reg .pred %p<2>;
    mov.u64 %SP, depot;
    { .param .b32 p0; st.param.b32 [p0], 1024; .param .b64 p1; st.param.b64 [p1], %SP; .param .b64 r0;
    call.uni (r0), make, (p0, p1);
    ld.param.b64 %rd1, [r0]; }
    st.u64 [%SP], %rd1;
    ld.u64 %rd2, [%SP];
    ld.u64 %rd3, [%SP+8];
    mov.b32 %r4, 0x08200490;
    tcgen05.mma.cta_group::1.kind::f16 [%r5], %rd2, %rd3, %r4, %p1;
    ret;
}
"""
"""What is known in one function depends on the text of another one."""
TABLES = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 out)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p3, %r1, 32;
    setp.eq.u32 %p1, %r1, 3;
    and.pred %p1, %p1, %p3;
    @%p1 st.global.u32 [%rd1], %r1;
    cvta.to.global.u64 %rd2, %rd1;
    mad.wide.u32 %rd3, %r1, 4, %rd2;
    st.global.u32 [%rd3+4], %r1;
    bra $NEXT;
    add.u32 %r1, %r1, 1;
    add.u32 %r1, %r1, 1;
$TABLE:
    .branchtargets $SMALL, $LARGE;
$NEXT:
    and.b32 %r2, %r1, 1;
    brx.idx %r2, $TABLE;
$SMALL:
    ret;
$L__tmp1:
$LARGE:
    ret;
}
"""
RAW = '.entry k\nE:\n;}\n.file "k"\n1\n.source_begin\n\0.func\n.source_end\n}\n'
"""Source text that names a function, and has a character that ptxas refuses anywhere."""
TEXTS = (MODULE, MODULE * 2, DEBUG, PACKED, UNOPTIMISED)
ALL_HINTS = InlayHints(register_types="all", source_lines=True)
SEEDS = range(10)
EDITS = 16


def answers(checker: Checker, text: str, offset: int) -> dict[str, Any]:
    """What the features say about a text and a place in it, as plain values."""
    module, semantics = checker.module, checker.semantics
    for _ in preparing(semantics):
        pass
    whole = Span(0, len(text))
    here = Span(offset, offset)
    lenses = code_lenses(semantics)
    asked = ActionRequest(semantics, checker.diagnostics(), here)
    return {
        "outline": outline(module),
        "folding": folding(module),
        "folding with loops": all_folds(run_to_completion(folding_with_loops(semantics))),
        "hints": hints(semantics, whole),
        "lenses": [(one, title(semantics, one)) for one in lenses],
        "hover": hover(semantics, offset),
        "completion": completion(semantics, offset),
        "signature": signature_help(module, offset),
        "definition": definition(semantics, offset),
        "references": references(semantics, offset),
        "rename": attempt(prepare, semantics, offset),
        "selection": selection(module, offset),
        "actions": [(one.title, one.resolved_edits(), one.disabled) for one in code_actions(asked)],
    }


def hints(semantics: Semantics, span: Span) -> list[tuple[int, str, str]]:
    """The hints, once the graphs are made for which the server's answer waits."""
    for _ in preparing_hints(semantics, span, ALL_HINTS) or ():
        pass
    return [(one.offset, one.label, one.tooltip()) for one in inlay_hints(semantics, span, ALL_HINTS).hints]


def attempt(ask: Callable[[Semantics, int], Any], semantics: Semantics, offset: int) -> Any:
    try:
        return ask(semantics, offset)
    except RenameError as error:
        return str(error)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"seed-{seed}")
def test_answers_are_those_of_the_text(seed: int) -> None:
    check_edits(seed, EDITS)


def check_edits(seed: int, count: int) -> None:
    text = TEXTS[seed % len(TEXTS)]
    places = random.Random(seed)
    checker = Checker(text)
    for span, new in edits(seed, text, count):
        checker.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
        offset = places.choice([min(len(text), span.start + len(new)), places.randrange(len(text) + 1)])
        answered, fresh = answers(checker, text, offset), answers(Checker(text), text, offset)
        for feature, answer in fresh.items():
            assert answered[feature] == answer, f"{feature} at {offset}"


@pytest.mark.parametrize("text", [*TEXTS, TABLES, RAW], ids=lambda text: str(len(text)))
def test_answers_do_not_depend_on_where_chunks_end(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    places = random.Random(len(text))
    for size in (1, 2, 3, 5):
        offset = places.randrange(len(text) + 1)
        expected = answers(Checker(text), text, offset)
        with monkeypatch.context() as patched:
            patched.setattr(chunk, "CHUNK_SIZE", size)
            found = answers(Checker(text), text, offset)
        for feature, answer in expected.items():
            assert found[feature] == answer, f"{feature} at {offset} in chunks of {size}"
