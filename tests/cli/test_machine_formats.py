"""What programs read: JSON, SARIF, GitHub workflow commands."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest


def test_json(run, write):
    write("a.ptx", "ret;\nwrong;\n")
    result = run("check", "--format", "json", "a.ptx")
    place = {"line": 2, "column": 1, "end_line": 2, "end_column": 6}
    assert json.loads(result.out) == {
        "files": [
            {
                "path": "a.ptx",
                "diagnostics": [
                    {
                        **place,
                        "severity": "error",
                        "code": "E301",
                        "name": "unknown-instruction",
                        "message": "there is no instruction 'wrong'",
                        "fixes": [{"title": "write 'right'", "edits": [{**place, "text": "right"}]}],
                    }
                ],
            }
        ],
        "summary": {"files": 1, "errors": 1, "warnings": 0},
    }


def test_json_names_clean_files_too(run, write):
    write("a.ptx", "ret;")
    write("b.ptx", "odd")
    answer = json.loads(run("check", "--format=json", ".").out)
    assert [(file["path"], len(file["diagnostics"])) for file in answer["files"]] == [("a.ptx", 0), ("b.ptx", 1)]
    assert answer["summary"] == {"files": 2, "errors": 0, "warnings": 1}


def test_github_commands(run, write):
    write("a,b.ptx", "100% wrong\nodd")
    assert run("check", "--format=github", "a,b.ptx").out == (
        "::error file=a%2Cb.ptx,line=1,endLine=1,col=6,endColumn=10,title=E301 unknown-instruction"
        "::there is no instruction 'wrong'%0Afix: write 'right'\n"
        "::warning file=a%2Cb.ptx,line=2,endLine=2,col=1,endColumn=3,title=W601 meaningless-qualifier"
        "::'odd' means nothing\n"
    )


@pytest.fixture(scope="module")
def sarif():
    """The validator of SARIF 2.1.0, with the schema that its authors publish."""
    schema = json.loads((Path(__file__).parent / "sarif-2.1.0-rtm.5.schema.json").read_text("utf-8"))
    return jsonschema.Draft4Validator(schema)


def test_sarif_is_valid_and_says_where_and_what(run, write, sarif):
    write("a b.ptx", "ret;\nwrong; odd\n")
    log = json.loads(run("check", "--format=sarif", "a b.ptx", "missing.ptx").out)
    sarif.validate(log)
    (job,) = log["runs"]
    first, second = job["results"]
    assert job["columnKind"] == "unicodeCodePoints"
    assert (first["ruleId"], first["level"]) == ("E301", "error")
    assert (second["ruleId"], second["level"]) == ("W601", "warning")
    assert job["tool"]["driver"]["rules"][second["ruleIndex"]] == {"id": "W601", "name": "meaningless-qualifier"}
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.ptx"
    assert place["region"] == {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 6}
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == "right"


def test_sarif_names_what_could_not_be_checked(run, write, sarif):
    write("a.ptx", b"\x7fELF\x02")
    log = json.loads(run("check", "--format=sarif", "a.ptx").out)
    sarif.validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "an ELF file" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_sarif_of_nothing_wrong_is_valid(run, write, sarif):
    write("a.ptx", "ret;")
    log = json.loads(run("check", "--format=sarif", "a.ptx").out)
    sarif.validate(log)
    assert log["runs"][0]["results"] == []


def test_bytes_that_are_no_utf8_pass_through_every_format(run, write, sarif):
    write("a.ptx", b"// \xff\nodd")
    assert json.loads(run("check", "--format=json", "a.ptx").out)["summary"]["warnings"] == 1
    sarif.validate(json.loads(run("check", "--format=sarif", "a.ptx").out))
    assert "line=2" in run("check", "--format=github", "a.ptx").out
