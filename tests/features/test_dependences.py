"""The origin and the uses of values: type hierarchy of registers, and pages."""

from __future__ import annotations

from urllib.parse import quote, unquote

import pytest

from ptx_lsp.features import flow_pages, type_hierarchy
from ptx_lsp.features.type_hierarchy import HierarchyItem

from .cursor import opened

KERNEL = """//- sm_90 ptx 8.0 module
.extern .shared .align 16 .b8 smem[];
.visible .entry kernel(.param .u64 kernel_param_0)
{
.reg .b32 %r<9>; .reg .pred %p<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [kernel_param_0];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r2, [%rd3];
mov.u32 %r3, smem;
again:
add.s32 %r3, %r3, 4;
st.shared.u32 [%r3], %r2;
setp.lt.u32 %p1, %r3, 64;
@%p1 bra again;
ret;
}
"""


def at(place: str) -> tuple[type_hierarchy.Semantics, int]:
    """The kernel with a cursor before a text."""
    checker, offset, _ = opened(KERNEL.replace(place, f"<|>{place}", 1))
    return checker.semantics, offset


def names(found: list[HierarchyItem] | None) -> list[str]:
    """The items as texts."""
    assert found is not None
    return [f"{one.name}: {one.detail}" for one in found]


def test_a_register_stands_for_its_writes() -> None:
    semantics, offset = at("%r3, 64;")
    assert names(type_hierarchy.prepare(semantics, offset)) == ["%r3: add.s32 %r3, %r3, 4;"]
    semantics, offset = at("again;")
    assert names(type_hierarchy.prepare(semantics, offset)) == []


def test_above_a_write_is_what_it_depends_on() -> None:
    semantics, offset = at("%rd3, %rd1")
    assert names(type_hierarchy.supertypes(semantics, offset)) == [
        "%rd1: ld.param.u64 %rd1, [kernel_param_0];",
        "%rd2: mul.wide.u32 %rd2, %r1, 4;",
    ]
    semantics, offset = at("%rd1, [")
    assert names(type_hierarchy.supertypes(semantics, offset)) == ["kernel_param_0: .param .u64"]
    semantics, offset = at("%r3, smem")
    assert names(type_hierarchy.supertypes(semantics, offset)) == ["smem: .shared .b8"]
    semantics, offset = at("%r3, %r3, 4")
    assert names(type_hierarchy.supertypes(semantics, offset)) == [
        "%r3: add.s32 %r3, %r3, 4;",
        "%r3: mov.u32 %r3, smem;",
    ]


def test_below_a_write_is_what_depends_on_it() -> None:
    semantics, offset = at("%r3, %r3, 4")
    assert names(type_hierarchy.subtypes(semantics, offset)) == [
        "st.shared.u32: st.shared.u32 [%r3], %r2;",
        "%p1: setp.lt.u32 %p1, %r3, 64;",
        "%r3: add.s32 %r3, %r3, 4;",
    ]
    semantics, offset = at("%r2;")
    assert names(type_hierarchy.subtypes(semantics, offset)) == []


def page(kind: str, place: str) -> str | None:
    """A page at a place of the kernel."""
    semantics, offset = at(place)
    for _ in flow_pages.preparing(semantics, kind, offset):
        pass
    return flow_pages.page(semantics, kind, offset, "file:///k.ptx")


def test_the_page_of_an_origin_is_a_tree_with_values() -> None:
    text = page(flow_pages.ORIGIN, "%rd3];")
    assert text is not None
    lines = [line.split(" ([")[0] for line in text.splitlines()[2:]]
    assert lines == [
        "- `add.s64 %rd3, %rd1, %rd2;`",
        "  - `ld.param.u64 %rd1, [kernel_param_0];`",
        "    - `kernel_param_0`",
        "  - `mul.wide.u32 %rd2, %r1, 4;`",
        "    - `mov.u32 %r1, %tid.x;`",
    ]
    assert text.splitlines()[2].endswith("= `param_0 + 4 * tid.x`")


def test_the_page_of_uses_follows_each_statement_once() -> None:
    text = page(flow_pages.USES, "%r3, smem")
    assert text is not None
    lines = [line.replace(" ([", " (").split(" (line")[0] for line in text.splitlines()[2:]]
    assert lines[:3] == [
        "- `mov.u32 %r3, smem;`",
        "  - `add.s32 %r3, %r3, 4;`",
        "    - `st.shared.u32 [%r3], %r2;`",
    ]
    assert text.count("(see above)") == 1


def test_the_page_of_control_flow_has_a_picture_and_a_table() -> None:
    text = page(flow_pages.FLOW, "mov.u32 %r1")
    assert text is not None
    for part in (
        "# Control flow of `kernel`",
        "3 blocks, 1 loops".replace("1 loops", "1 loop"),
        'subgraph loop0 ["loop over %r3"]',
        "b1 --> b1",
        'click b1 href "file:///k.ptx#L',
        "| [`again`](file:///k.ptx#L",
        "- loop over `%r3`: header [`again`]",
    ):
        assert part in text, text


def test_there_is_no_page_where_there_is_nothing() -> None:
    assert page(flow_pages.ORIGIN, "again;") is None
    assert page(flow_pages.FLOW, ".extern .shared") is None


@pytest.mark.parametrize("kind", flow_pages.KINDS)
def test_addresses(kind: str) -> None:
    found = flow_pages.FlowPageAddress(kind, "file:///a b/k%20l.ptx", 3, 14)
    assert flow_pages.address(str(found)) == found
    titled = found._replace(title="origin of a<int, (b)1>::c/d.md, line 4")
    assert flow_pages.address(str(titled)) == titled


def test_addresses_as_vs_code_writes_them() -> None:
    """It parses an address and writes it again, without the escapes of slashes and without empty folders."""
    found = flow_pages.FlowPageAddress("barriers", "file:///cuda/12.9/k%20l.ptx", 3, 14, "barriers of k<1/2>")
    path = unquote(str(found).removeprefix("ptx-lsp:"))
    assert "//" not in path
    assert flow_pages.address("ptx-lsp:" + quote(path)) == found
    once = "ptx-lsp:/barriers/file%3A%2F%2F%2Fcuda%2F12.9%2Fk%2520l.ptx/3.14/barriers%20of%20k%3C1/2%3E.md"
    assert flow_pages.address(once) == found


@pytest.mark.parametrize(
    "text",
    [
        "ptx-lsp:/isa/mma.md",
        "ptx-lsp:/flow/x.md",
        "ptx-lsp:/flow/x/a.b.md",
        "file:/flow/x/1.2.md",
        "ptx-lsp:/flow/x/1.²",
    ],
)
def test_other_addresses(text: str) -> None:
    assert flow_pages.address(text) is None


MANGLED = """//- sm_90 ptx 8.0 module
.shared .align 8 .b8 _ZN3lib4smemE[64];
.visible .entry _ZN3lib4gemmIfLi4EEEvPT_(.param .u64 _ZN3lib4gemmIfLi4EEEvPT__param_0)
{
.reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [_ZN3lib4gemmIfLi4EEEvPT__param_0];
mov.b32 %r1, _ZN3lib4smemE;
add.s32 %r2, %r1, 8;
mbarrier.init.shared.b64 [%r2], 1;
bar.sync 0;
bar.sync 0;
bar.sync 0, 64;
st.global.u32 [%rd1], %r2;
ret;
}
"""


def test_pages_name_functions_and_variables_as_they_were_written() -> None:
    checker, offset, _ = opened(MANGLED.replace("%rd1], %r2", "%rd1], <|>%r2"))
    semantics = checker.semantics
    texts = {}
    for kind in flow_pages.KINDS:
        for _ in flow_pages.preparing(semantics, kind, offset):
            pass
        text = flow_pages.page(semantics, kind, offset, "u")
        assert text is not None
        assert "_Z" not in text
        texts[kind] = text
    assert texts[flow_pages.BARRIERS].startswith("# Barriers and asynchronous work of `lib::gemm<float, 4>`")
    assert "## mbarrier `lib::smem + 8`" in texts[flow_pages.BARRIERS]
    assert "`mov.b32 %r1, lib::smem;`" in texts[flow_pages.ORIGIN]
    assert flow_pages.title(semantics, flow_pages.BARRIERS, offset) == "barriers of lib::gemm<float, 4>"
    assert flow_pages.title(semantics, flow_pages.ORIGIN, offset).startswith("origin of %r2, line ")


def test_waits_that_do_the_same_share_a_row() -> None:
    checker, offset, _ = opened(MANGLED.replace("ret;", "<|>ret;"))
    for _ in flow_pages.preparing(checker.semantics, flow_pages.BARRIERS, offset):
        pass
    text = flow_pages.page(checker.semantics, flow_pages.BARRIERS, offset, "u")
    assert text is not None
    rows = text.partition("## barrier 0\n\n")[2].splitlines()
    first = checker.document.text[: checker.document.text.index("bar.sync")].count("\n") + 1
    assert rows == [
        "| line | does | instruction |",
        "|:---|:---|:---|",
        f"| lines [{first}](u#L{first}), [{first + 1}](u#L{first + 1}) | waits | `bar.sync 0;` |",
        f"| [line\N{NO-BREAK SPACE}{first + 2}](u#L{first + 2}) | waits (64 threads) | `bar.sync 0, 64;` |",
    ]
