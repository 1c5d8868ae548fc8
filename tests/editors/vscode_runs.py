"""Runs the programs of ``vscode/`` on an extension's package, in a VS Code of their own, and reads what they report."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.editors.programs import CODE_SERVER, EXTENSION, ROOT, clangd, needed, pyright

HANDWRITTEN = ROOT / "benchmarks" / "handwritten"
KERNELS = ("calls_and_tables", "hopper_pipeline", "tensor_memory", "warp_reduction")
# What the window shows: real kernels, and two files with mistakes.
WORKSPACE = (*sorted((ROOT / "examples").glob("*.ptx")), *(HANDWRITTEN / f"{name}.ptx" for name in KERNELS))
SOURCES = sorted((CODE_SERVER / "sources").iterdir())
"""A workspace without PTX files: CUDA C++ and Python with inline assembly, with mistakes of both languages."""
LONGEST = 600  # seconds that a run may take before it is taken for hanging


@dataclass(slots=True)
class Outcome:
    """What a run reported: of each test its name, the seconds it took, and what it said or how it failed."""

    reports: list[dict[str, object]]
    state: Path
    pictures: Path
    errors: str
    failed: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.failed = [str(report["name"]) for report in self.reports if "failed" in report]

    def explain(self, name: str) -> str | None:
        """How the tests of that name failed, or nothing if all passed; a test that was not reported failed too."""
        found = [report for report in self.reports if str(report["name"]).split(":")[0] == name]
        if not found:
            return f"{name} was not reported; what was: {self.reports}\n{self.errors}\nsee {self.state}"
        wrong = [f"{report['name']}: {report['failed']}" for report in found if "failed" in report]
        return "\n".join([*wrong, f"see {self.state} and {self.pictures}"]) if wrong else None


def build(target: Path) -> Path:
    """The extension's package, made from what stands in the repository."""
    environment = {**os.environ, "PATH": f"{needed('node').parent}{os.pathsep}{os.environ['PATH']}"}
    needed("vsce")
    bundle, compiled = [sys.executable, "bundle.py"], ["npm", "run", "--silent", "build"]
    for command in (bundle, compiled, ["node", "package.mjs", "--no-secret-scan"]):
        done = subprocess.run(command, cwd=EXTENSION, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}"
    (made,) = EXTENSION.glob("*.vsix")
    shutil.move(made, target)
    return target


def thousand_lines() -> str:
    """A module of a little over 1,000 lines with one mistake, in its last function."""
    example = (ROOT / "examples" / "saxpy.ptx").read_text()
    head, function = example[: (start := example.index(".visible"))], example[start:]
    functions = [function.replace("saxpy", f"saxpy_{number}") for number in range(1000 // function.count("\n") + 1)]
    functions[-1] = functions[-1].replace("%f2, %f1, %f3", "%f2, %f1, %f9")
    return head + "".join(functions)


def run_with_host_servers(vsix: Path, state: Path, *options: str) -> Outcome:
    """Run the steps of ``vscode/hosts``, with clangd and pyright beside our server."""
    commands = {"cuda-cpp": clangd(), "python": pyright()}
    state.mkdir(parents=True)
    done = subprocess.run(
        [needed("node"), CODE_SERVER / "host-servers" / "package.mjs", state / "host-servers.vsix"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    settings = {"ptx-lsp.inlineAssembly": ["cuda-cpp", "python"], "hostServers.commands": commands}
    return run(
        "browser.mjs", vsix, state / "run", "--steps", "hosts", "--with", str(state / "host-servers.vsix"),
        "--settings", json.dumps(settings), *options, workspace=SOURCES,
    )  # fmt: skip


def run(program: str, vsix: Path, state: Path, *options: str, workspace: Sequence[Path] = WORKSPACE) -> Outcome:
    """Run one of the programs in ``vscode/``.

    The extension finds a Python in a new virtual environment: one that has none of the server's libraries.
    """
    node, chromium = needed("node"), needed("chromium")
    needed("code-server")
    state.mkdir(parents=True)
    venv.create(state / "python", with_pip=False, symlinks=True)
    if workspace is WORKSPACE:
        (state / "thousand.ptx").write_text(thousand_lines())
        workspace = (*workspace, state / "thousand.ptx")
    pictures = state / "pictures"
    files = [argument for file in workspace for argument in ("--file", str(file))]
    searched = f"{state / 'python' / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"
    done = subprocess.run(
        [node, CODE_SERVER / program, "--state", state, "--vsix", vsix, "--path", searched, "--chromium", chromium,
         "--pictures", pictures, *files, *options],
        capture_output=True, text=True, timeout=LONGEST, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    reports = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    outcome = Outcome(reports, state, pictures, done.stderr[-2000:])
    if done.returncode and not outcome.failed:
        outcome.reports.append({"name": program, "failed": f"ended with {done.returncode}:\n{outcome.errors}"})
        outcome.failed.append(program)
    if not outcome.failed:
        for part in ("extensions", "python", "user"):
            shutil.rmtree(state / part, ignore_errors=True)
    return outcome


def run_or_again(program: str, vsix: Path, folder: Path) -> Outcome:
    """Run one of the programs; if something fails, once more. Both runs are printed then."""
    return twice(lambda state: run(program, vsix, state), folder)


def twice(start: Callable[[Path], Outcome], folder: Path) -> Outcome:
    """Start a run; if something fails, once more. Both are printed then."""
    outcome = start(folder / "first")
    if outcome.failed:
        print("first run:", *outcome.reports, sep="\n")
        outcome = start(folder / "again")
        print("second run:", *outcome.reports, sep="\n")
    return outcome


def names(folder: str) -> list[str]:
    """The names of the files in a folder of ``vscode/``, in the order in which they run."""
    return sorted(file.stem for file in (CODE_SERVER / folder).iterdir() if file.suffix in {".js", ".mjs"})
