"""The codes of all findings: each pairs a number with a name; numbers are never reused.

E1 syntax, E2 names and scopes, E3 instruction forms, E4 operands and types, E5 version and target,
W6 suspicious code, W8 asynchronous protocols, I7 about the list of findings, H9 hints and style; E9, W9, I9 and H91
inline assembly in sources of other languages.
Names read well after "ignore".
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ptx_lsp.process_cache import memoized

if TYPE_CHECKING:
    from ptx_lsp.similar_words import SimilarWords

NAMES = {
    "E101": "missing-token",
    "E102": "stray-character",
    "E103": "malformed-number",
    "E104": "unclosed",
    "E105": "split-opcode",
    "E106": "misplaced-statement",
    "E107": "unknown-directive",
    "E108": "non-ascii",
    "E109": "module-header",
    "E110": "syntax-error",
    "E111": "debug-data",
    "E112": "source-location",
    "E113": "file-number",
    "E114": "misused-pragma",
    "E115": "unknown-language",
    "E116": "constant-bank",
    "E201": "undeclared-name",
    "E202": "duplicate-name",
    "E203": "undeclared-label",
    "E204": "wrong-scope",
    "E205": "wrong-symbol",
    "E206": "inconsistent-declaration",
    "E207": "alias",
    "E208": "undefined-function",
    "E301": "unknown-instruction",
    "E302": "unknown-qualifier",
    "E303": "missing-qualifier",
    "E304": "conflicting-qualifiers",
    "E305": "duplicate-qualifier",
    "E306": "qualifier-order",
    "E401": "operand-count",
    "E402": "operand-kind",
    "E403": "operand-type",
    "E404": "operand-value",
    "E405": "vector-length",
    "E406": "guard-predicate",
    "E407": "declared-type",
    "E408": "call-arguments",
    "E409": "narrow-address",
    "E411": "variable-space",
    "E412": "array-size",
    "E413": "alignment",
    "E414": "initial-value",
    "E415": "initial-shape",
    "E416": "variable-linkage",
    "E417": "attribute-place",
    "E418": "differing-declarations",
    "E421": "parameter-declaration",
    "E422": "parameter-size",
    "E423": "parameter-use",
    "E424": "head-directive",
    "E425": "missing-body",
    "E426": "missing-label",
    "E427": "constant-expression",
    "E428": "constant-memory",
    "E429": "register-bound",
    "E430": "missing-call",
    "E431": "unified-operand",
    "E501": "newer-version",
    "E502": "newer-target",
    "E503": "removed-feature",
    "E504": "unknown-version",
    "E505": "unknown-target",
    "E506": "version-target",
    "E507": "target-option",
    "E508": "texture-mode",
    "W601": "meaningless-qualifier",
    "W602": "doubled-qualifier",
    "W603": "non-ascii-comment",
    "W604": "release-dependent",
    "W605": "unknown-pragma",
    "W606": "missing-file",
    "W607": "ignored-directive",
    "W608": "ignored-suffix",
    "W610": "wide-literal",
    "W611": "unlikely-value",
    "W612": "misaligned-access",
    "W613": "out-of-bounds",
    "W614": "launch-limits",
    "W616": "shared-memory",
    "W620": "uninitialized-register",
    "W621": "maybe-uninitialized",
    "W622": "unused-result",
    "W623": "unused-declaration",
    "W624": "unreachable-code",
    "W625": "missing-return",
    "W626": "divergent-barrier",
    "W627": "wrong-space-address",
    "W628": "truncated-address",
    "W629": "shared-race",
    "W630": "weak-polling",
    "W631": "member-mask",
    "W632": "stale-load",
    "W633": "register-budget",
    "W634": "used-bytes-mask",
    "W635": "unpassed-argument",
    "W636": "missing-unified",
    "W637": "unified-write",
    "W638": "opaque-pointer",
    "W639": "narrow-scope",
    "W701": "illegal-field",
    "W702": "conflicting-fields",
    "W703": "foreign-descriptor",
    "W801": "unawaited-copy",
    "W802": "uncommitted-copy",
    "W803": "unfenced-wgmma",
    "W804": "uncommitted-wgmma",
    "W805": "unawaited-wgmma",
    "W806": "uninitialized-mbarrier",
    "W807": "unexpected-bytes",
    "W808": "wrong-parity",
    "W809": "unawaited-bulk-copy",
    "W810": "unfreed-tensor-memory",
    "W811": "kept-alloc-permit",
    "W812": "tensor-memory-columns",
    "W813": "unawaited-tensor-load",
    "W814": "uncommitted-tensor-work",
    "W815": "unawaited-tensor-store",
    "W816": "mixed-cta-groups",
    "W817": "unfenced-async-read",
    "W818": "unbounded-registers",
    "W820": "unfenced-mbarrier",
    "W821": "ignored-wait",
    "W822": "unpaired-cluster-barrier",
    "W823": "unsynchronized-cluster",
    "W824": "unfenced-tensor-map",
    "W830": "unsignaled-mbarrier",
    "W831": "reinitialized-mbarrier",
    "W832": "overwritten-mbarrier",
    "W833": "unpublished-mbarrier",
    "W834": "inverted-wait",
    "W835": "wrong-byte-count",
    "W836": "ring-parity",
    "W837": "circular-wait",
    "W838": "arrival-count",
    "W839": "unknown-pending-count",
    "W840": "late-allocation",
    "W841": "deallocated-columns",
    "W842": "repeated-allocation",
    "W843": "undefined-accumulator",
    "W844": "cluster-barrier-order",
    "W845": "barrier-count",
    "W846": "same-destination",
    "W847": "unpipelined-pair",
    "W848": "early-access",
    "W849": "unfinished-write",
    "W850": "excessive-allocation",
    "W851": "freed-columns",
    "W852": "missing-peer",
    "W853": "missing-cta",
    "W854": "partial-warpgroup",
    "W855": "overwritten-matrix",
    "W856": "accessed-mbarrier",
    "W857": "unfenced-tensor-access",
    "W858": "repeated-issue",
    "W859": "overwritten-source",
    "W860": "unshifted-matrix",
    "W861": "foreign-lanes",
    "W862": "outside-allocation",
    "W863": "empty-collector",
    "E901": "operand-number",
    "E902": "operand-modifier",
    "E903": "doubled-percent",
    "E904": "constraint-letter",
    "E905": "constraint-modifier",
    "E906": "clobber",
    "E907": "unfinished-template",
    "W901": "unused-operand",
    "W902": "unwritten-output",
    "W903": "outside-braces",
    "W904": "older-compiler",
    "W905": "missing-memory",
    "I701": "more-findings",
    "I702": "unneeded-header",
    "I901": "refusing-target",
    "H902": "unknown-code",
    "H903": "deprecated-spelling",
    "H904": "documented-order",
    "H905": "no-effect",
    "H911": "bare-percent",
    "H912": "missing-comma",
}
"""The name of each code, by number."""

ALIASES = MappingProxyType(
    {"uninitialised-register": "uninitialized-register", "maybe-uninitialised": "maybe-uninitialized"}
)
"""Former names to present ones: they stay valid in comments, in settings and for ``ptx-lsp explain``."""

_MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/#"
_SECTIONS = {
    "E1": "syntax",
    "E109": "ptx-module-directives",
    "E2": "identifiers",
    "E3": "instruction-set",
    "E4": "instruction-operands",
    "E5": "ptx-module-directives-target",
    "E501": "ptx-module-directives-version",
    "E504": "ptx-module-directives-version",
    "W6": "instruction-set",
    "H9": "instruction-set",
}
"""Anchors of the manual by code, or by the prefix of a family of codes."""

ON_DEMAND = frozenset({"I702", "W905"})
"""Codes that are reported only if the settings name them in full, in ``select`` or ``severity``."""


OF_MODULES = frozenset(
    {
        *("E109", "E208", "E425", "E429", "E430", "I702"),  # what a header, a head or another function says
        *("W606", "W607", "W614", "W616"),
        *("W634", "W635"),  # what the next instruction is, and other calls
        *("W624", "W625", "W626"),  # the way of control through a whole function
        *("W701", "W702", "W703"),  # values that are built elsewhere
        *(number for number in NAMES if number.startswith("W8")),  # what other statements of a function await or fence
    }
)
"""Codes of rules about whole modules or functions: statements of inline assembly are not judged by them."""


def numbers(word: str) -> tuple[str, ...]:
    """The numbers that a word stands for: a number, a prefix of numbers (``E5``), or a name, also a former one.

    >>> numbers("newer-target"), numbers("I7"), numbers("e502"), numbers("E0"), numbers("maybe-uninitialized")
    (('E502',), ('I701', 'I702'), ('E502',), (), ('W621',))
    """
    word = word.strip()
    known = _meanings()
    return known.get(ALIASES.get(word, word)) or known.get(word.upper(), ())


@cache
def _meanings() -> dict[str, tuple[str, ...]]:
    """The numbers that each name, number and prefix of a number stands for."""
    found: dict[str, tuple[str, ...]] = {}
    for number, name in NAMES.items():
        for word in (name, *(number[:length] for length in range(1, len(number) + 1))):
            found[word] = (*found.get(word, ()), number)
    return found


def manual_link(code: str) -> str | None:
    """The URL of the section of the manual that a code is about.

    >>> manual_link("E502")
    'https://docs.nvidia.com/cuda/parallel-thread-execution/#ptx-module-directives-target'
    """
    section = _SECTIONS.get(code) or _SECTIONS.get(code[:2])
    return _MANUAL + section if section else None


_LONGEST_WORD = 64
"""Characters; longer words are no misspelt names, and take long to compare."""


@memoized(1024)
def nearest(word: str) -> str | None:
    """The number or name closest in spelling to an unknown word; None if none is close."""
    if len(word) > _LONGEST_WORD:
        return None
    found = _spellings().near(word.lower(), 1)
    if not found:
        return None
    return found[0] if found[0] in NAMES.values() else found[0].upper()


@cache
def _spellings() -> SimilarWords:
    from ptx_lsp.similar_words import SimilarWords  # imported late: only unknown codes need it

    return SimilarWords([*NAMES.values(), *map(str.lower, NAMES)])
