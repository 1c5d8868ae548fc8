"""``bra $L__BB0_2 ↑ 12 lines;``: direction and distance of a branch."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, OperandKind
from ptx_lsp.syntax.trivia import trivia_length

LARGEST = 2000
"""The maximum size in statements of a function whose loops are detected, for the latency of tooltips."""


def applies_to(shape: Shape) -> bool:
    """Whether it is a direct branch."""
    return shape.opcode[:1] == ("bra",) and not shape.errors


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the hint of a branch's direction and distance."""
    tree = seen.context.instruction
    if not isinstance(tree, Instruction) or len(tree.operands) != 1 or tree.operands[0].kind is not OperandKind.NAME:
        return
    target = seen.context.scope.lookup(seen.context.word(tree.operands[0].name))
    if target is None or target.kind is not SymbolKind.LABEL:
        return
    label = target.place
    there = seen.module.positions.statement_start(label.chunk, label.statement) + trivia_length(
        label.chunk.part(label.statement)
    )
    line = _line(seen, there)
    distance = line - _line(seen, seen.start + trivia_length(seen.text))
    if not distance:
        return
    lines = f"{abs(distance):,} line{'' if abs(distance) == 1 else 's'}"
    offset = seen.start + seen.context.operand_span(tree.operands[0]).end
    words = f"{'↓' if distance > 0 else '↑'} {lines}"

    def tooltip() -> str:
        way = "forward" if distance > 0 else "back"
        loop = "\nthe end of a loop that begins there" if distance < 0 and _closes_a_loop(seen, target) else ""
        return f"{way} to `{target.name}` in line {line}{loop}"

    yield Hint(offset, words, "branches", HintPosition.AFTER, tooltip, target.place)


def _line(seen: VisibleStatement, offset: int) -> int:
    """Return the line of an offset, counted from 1."""
    return seen.module.document.position(offset)[0] + 1


def _closes_a_loop(seen: VisibleStatement, target: Symbol) -> bool:
    """Whether the branch is a back edge: its target dominates it. False also in functions that are too large."""
    function: Function = seen.context.function
    if sum(map(len, function.chunks)) > LARGEST:
        return False
    graph = seen.visible.graph(function)
    here, there = graph.node_at(seen.chunk, seen.index), graph.node_at(target.place.chunk, target.place.statement)
    if here is None or there is None or here.number not in graph.reachable:
        return False
    return graph.dominance.dominates(there.number, here.number)
