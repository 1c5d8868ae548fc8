"""Statements of one shape have the same number of words before each operand."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.transfer_functions import transfer_function, words_of
from ptx_lsp.syntax.document import Document


def test_a_number_with_an_exponent_is_one_word() -> None:
    chunk = Document("".join(f"\nselp.f64 %fd1, {number}, %fd2, %p1;" for number in ("1e+5", "1.5", "2.E-3"))).chunks[0]
    assert len(set(chunk.shapes)) == 1
    for index in range(3):
        known = transfer_function(chunk, index)
        assert known is not None
        words = words_of(chunk, index)
        assert [words[one.word] for one in known.operands if one.word >= 0] == ["%fd1", "%fd2", "%p1"]
