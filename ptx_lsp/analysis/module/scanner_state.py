"""The state of a scan, and the chunks that are taken over as a whole: those whose marks are all of one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ptx_lsp.analysis.module.braces import MOST_UNMATCHED, BraceRegion, BraceStack, net_braces
from ptx_lsp.analysis.module.chunk_summary import ChunkSummary, Mark, PlainDeclarations
from ptx_lsp.analysis.module.function import Function, StructureFault, StructureFaultKind
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_MANY = 64
"""A chunk of more braces than this and nothing else is taken over as a whole."""


class ScannerState:
    """The knowledge of a function up to some chunk."""

    def __init__(self, function: Function, module: Scope, summaries: Mapping[Chunk, ChunkSummary]) -> None:
        self.function = function
        self.module = module
        self.summaries = summaries
        self.braces = BraceStack(module)
        self.outermost: Place | None = None
        """The last brace that was opened while none was."""
        self.unmatched = 0
        self.instructions = 0
        self.looked_at = 0
        """The marks that were looked at since the last pause."""
        self.outside: Place | None = None
        """The first label, register or block that stands outside."""
        self.expected: BraceRegion | None = None
        """The region that the next open brace begins."""
        self.region = BraceRegion.BODY
        """The region that the outermost open brace began."""
        self.has_stray_section = False
        """Whether a section stands where none can: nothing is said of what is in it."""
        self.section: Scope | None = None
        """The labels of the sections: those of one are seen in the others."""
        self.segments: list[tuple[Chunk, int, int, Scope]] = []
        self.label: Symbol | None = None
        """The label that was declared last."""
        self.before: Chunk | None = None
        """The chunk before the one that is scanned."""
        self.half_declared: set[str] = set()
        """Words of broken declarations."""
        self.implied = 0
        """Open braces that are not written."""

    def takes(self, chunk: Chunk, summary: ChunkSummary) -> bool:
        """Take over a chunk as a whole, if that is possible; whether it is."""
        if summary.plain is not None:
            return self._declares(chunk, summary.plain) if self.braces else self._adds(chunk, summary.plain)
        return len(summary.marks) == len(chunk.kinds) > _MANY and self._folded(chunk)

    def essential(self, summary: ChunkSummary) -> Sequence[Mark]:
        """The marks of a chunk that count: in a body those of blocks that declare nothing do not."""
        marks = summary.marks
        if len(summary.essential) == len(marks) or self.braces.depth <= summary.braces[0]:
            return marks
        is_usual = self.region is BraceRegion.BODY and not self.braces.may_be_full(len(marks))
        return summary.essential if is_usual else marks

    def _adds(self, chunk: Chunk, plain: PlainDeclarations) -> bool:
        """Take over declarations outside of bodies."""
        if plain.has_labels:
            return False
        self.function.globals += plain.names.values()
        if self.outside is None:
            faults = (StructureFault(StructureFaultKind.SPACE, one.place, one) for one in plain.misplaced)
            self.function.faults += faults
        self._passes(chunk)
        return True

    def _declares(self, chunk: Chunk, plain: PlainDeclarations) -> bool:
        """Take over labels and declarations in a body, where none of the names is declared yet."""
        scope, names = self.braces.scope, plain.names
        if type(scope) is not Scope or self.region is not BraceRegion.BODY:
            return False
        if not scope.names.keys().isdisjoint(names) or not scope.groups.keys().isdisjoint(plain.prefixes):
            return False
        if plain.last >= 0:
            is_late = self.instructions > self.braces.instructions
            if not is_late and 0 <= chunk.kinds.find(_INSTRUCTION) < plain.last:
                return False
            if is_late:
                late = self.function.late.setdefault(scope, {})
                late.update(one for one in names.items() if one[1].kind is not SymbolKind.LABEL)
        scope.names.update(names)
        scope.numbered |= plain.prefixes
        label = next((one for one in reversed(names.values()) if one.kind is SymbolKind.LABEL), None)
        self.label = label or self.label
        self._passes(chunk)
        return True

    def _passes(self, chunk: Chunk) -> None:
        """Go over a chunk in which no scope begins or ends."""
        self.instructions += chunk.kinds.count(Kind.INSTRUCTION)
        self.segments.append((chunk, 0, len(chunk.kinds), self.braces.scope))

    def _folded(self, chunk: Chunk) -> bool:
        """Take over a chunk of nothing but braces as a whole, if that is possible: its scopes are not needed."""
        net = net_braces(chunk.kinds)
        if net is None:
            return False
        closes, opens, most = net
        if self.braces:
            if self.braces.depth <= closes or self.region is BraceRegion.SECTION:
                return False
            if not self.braces.is_too_deep(closes) and self.braces.may_be_full(most):
                return False
            self.braces.close(closes)
            if opens:
                self.braces.open_run(opens, self.instructions)
        elif closes < len(chunk.kinds) or self.expected or self.unmatched < MOST_UNMATCHED:
            return False
        self.segments.append((chunk, 0, len(chunk.kinds), self.braces.scope))
        return True


_INSTRUCTION = bytes([Kind.INSTRUCTION])
