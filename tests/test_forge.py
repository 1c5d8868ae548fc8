"""The files in .github and for pre-commit: workflows that are well-formed and safe, forms that the forge takes."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from ptx_lsp.hosts.host_tables import languages

ROOT = Path(__file__).parents[1]
FORGE = ROOT / ".github"
SCHEMAS = {
    "workflows/*.yml": "github-workflows",
    "ISSUE_TEMPLATE/[!c]*.yml": "github-issue-forms",
    "ISSUE_TEMPLATE/config.yml": "github-issue-config",
    "dependabot.yml": "dependabot",
}
"""Which files have which schema of check-jsonschema."""
FILES = [(path, schema) for pattern, schema in SCHEMAS.items() for path in sorted(FORGE.glob(pattern))]

UNSAFE = """\
on: issues
permissions: {}
jobs:
  greet:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "${{ github.event.issue.title }}"
"""
"""A title can hold a command, which this workflow would run."""

MISSPELT = UNSAFE.replace("steps:", "step:")


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the extra ``test``; without it a test is skipped, but not in CI."""
    path = Path(sysconfig.get_path("scripts")) / program
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"{program} is missing: ./setup test")
        pytest.skip(f"{program} is not installed: ./setup test")
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=False)


def audit(folder: Path) -> subprocess.CompletedProcess[str]:
    """Ask zizmor, without the network, about all workflows of a folder."""
    return run("zizmor", "--offline", "--strict-collection", "--no-progress", "--format=plain", folder)


def test_the_hook_of_pre_commit_gets_every_file_that_check_reads():
    wanted = re.search(r"files: '(.+)'", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert wanted is not None
    suffixes = {".ptx"}.union(*(one.suffixes for one in languages()))
    assert [one for one in sorted(suffixes) if not re.search(wanted[1], f"src/a{one}")] == []
    assert not re.search(wanted[1], "src/a.txt")


def test_every_yaml_file_has_a_schema():
    assert {path for path, _ in FILES} == set(FORGE.rglob("*.yml")) | set(FORGE.rglob("*.yaml"))


@pytest.mark.parametrize(("path", "schema"), FILES, ids=lambda one: one.name if isinstance(one, Path) else "")
def test_a_file_follows_its_schema(path, schema):
    found = run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", path)
    assert found.returncode == 0, found.stdout


def test_workflows_are_safe():
    found = audit(FORGE)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize(("workflow", "said"), [(UNSAFE, "template-injection"), (MISSPELT, "'step' was unexpected")])
def test_what_is_wrong_is_found(tmp_path, workflow, said):
    path = tmp_path / ".github" / "workflows" / "greet.yml"
    path.parent.mkdir(parents=True)
    path.write_text(workflow)
    found = audit(tmp_path)
    assert found.returncode != 0
    assert said in found.stdout + found.stderr
