"""Samplers in the independent texture mode: a name, or a handle in a register.

Source: manual, section "Texture Instructions: tex".
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MODULE = """\
.version 8.0
.target sm_80, texmode_independent
.address_size 64
.global .texref image;
.global .samplerref linear;
.visible .entry k()
{
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, linear, {%f5, %f6}];
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd2, {%f5, %f6}];
    tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, linear, {%f5, %f6}];
    ret;
}
"""


def test_samplers_are_named(tmp_path: Path) -> None:
    path = tmp_path / "samplers.ptx"
    path.write_text(MODULE)
    command = [sys.executable, "-m", "ptx_lsp", "check", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, "nothing wrong" in run.stdout + run.stderr) == (0, True), run.stdout + run.stderr
