"""The oldest version and the least target that would do for a module."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.statements.requirements import least_requirements
from ptx_lsp.checks.engine.checker import Checker, check_text
from ptx_lsp.settings import from_mapping

MODULE = """.version {version}
.target {target}
.address_size 64
.entry kernel(.param .u64 p)
{{
    .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>; .reg .b16 %h<9>;
    {body}
    ret;
}}
"""


@pytest.mark.parametrize(
    ("module", "body", "least"),
    [
        ("8.6 sm_100a", "mov.b32 %r1, %r2;", "2.3 sm_10"),
        ("8.6 sm_100a", "bar.warp.sync -1;", "5.1 sm_30"),
        ("8.6 sm_90", "ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%rd1];", "2.3 sm_10"),
        ("8.6 sm_90a", "wgmma.fence.sync.aligned;", "8.0 sm_90a"),
        ("8.8 sm_103a", "redux.sync.min.f32 %f1, %f2, -1;", "8.8 sm_100f"),
        ("8.0 sm_90", "mov.u32 %r1, %cluster_ctarank;", "7.8 sm_90"),
        ("8.0 sm_90", ".reg .f16x2 packed;", "4.2 sm_53"),
        ("8.0 sm_90", "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1; st.global.L1::no_allocate.f32 [%rd1], %f1;", "7.4 sm_70"),
    ],
)
def test_least_module(module, body, least):
    version, target = module.split()
    checker = Checker(MODULE.format(version=version, target=target, body=body))
    assert " ".join(map(str, least_requirements(checker.module))) == least


def test_is_only_said_on_demand():
    text = MODULE.format(version="8.6", target="sm_90", body="bar.warp.sync -1;")
    assert not [one for one in check_text(text) if one.code == "I702"]
    assert check_text(text, from_mapping({"select": ["I7"]})[0]) == []
    for wanted in ({"select": ["I702"]}, {"severity": {"unneeded-header": "hint"}}):
        found = check_text(text, from_mapping(wanted)[0])
        assert [one.message for one in found if one.code == "I702"] == [
            "this module only requires PTX 5.1",
            "this module only requires sm_30",
        ]
