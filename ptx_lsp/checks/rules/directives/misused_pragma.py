"""E114 misused-pragma."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.pragmas import pragma_strings
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.rare_words import PragmaWord
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import FunctionHead, Pragma, Prototype

RULE = error("E114", phase=Phase.SYNTAX).in_trees(Pragma, FunctionHead, Prototype)

_NUMBER = compiled_on_use(r"\+?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)")


def accepts_shape(shape: Shape) -> bool:
    """Statements that may contain a ``.pragma``."""
    return shape.kind == Kind.PRAGMA or shape.kind in HEADS


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether a statement does."""
    return ".pragma" in text


def prefilter_chunk(text: str) -> bool:
    """Whether there is any in a piece of a document."""
    return ".pragma" in text


def check(context: StatementContext) -> Iterator[Finding]:
    """A `.pragma` that is not allowed at this place, or with a wrong number.

    ```ptx
    //- sm_90 ptx 9.0 module
    .pragma "used_bytes_mask 0xff";
    //      ^^^^^^^^^^^^^^^^^^^^^^ error[E114]: pragma 'used_bytes_mask' is only allowed in the body of a function
    // ptxas: Pragma 'used_bytes_mask 0xff' is allowed only within function scope
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 9.0 module
    .entry kernel(.param .u64 p)
    {
        .reg .b64 %rd<2>;
        .reg .b32 %r<3>;
        ld.param.u64 %rd1, [p];
        .pragma "used_bytes_mask 0xff";
        ld.global.v2.u32 {%r1, %r2}, [%rd1];
        ret;
    }
    ```

    ---

    Only `nounroll` is allowed before a body or outside of functions. `enable_smem_spilling` is only allowed in kernels.
    `frequency` requires one integer above 0; when it only checks, ptxas does not read what follows the names of the
    others, and accepts unknown strings: see W605.
    """
    module = context.module
    for token, name, rest in pragma_strings(context.statement):
        pragma = catalogue().vocabulary.rare.pragmas.get(name)
        if pragma is None or pragma.gate.why_not(module.version, module.target) is not None:
            continue
        message = _misplaced(context, pragma) or _wrong_number(pragma, rest)
        if message:
            yield RULE.at(context.span(token), message)


def _misplaced(context: StatementContext, pragma: PragmaWord) -> str:
    places = pragma.place.split(", ")
    if context.statement.kind in HEADS or not context.is_inside:
        return "" if "module" in places else f"pragma '{pragma.name}' is only allowed in the body of a function"
    symbol = context.function.symbol
    if places == ["kernel body"] and symbol is not None and symbol.type == ".func":
        return f"pragma '{pragma.name}' is only allowed in a kernel, not in a '.func'"
    return ""


def _wrong_number(pragma: PragmaWord, rest: str) -> str:
    if pragma.grammar != f"{pragma.name} n":
        return ""
    if _NUMBER().fullmatch(rest) is None or not rest.strip("+0xX"):
        return f"pragma '{pragma.name}' requires one number above 0, such as '{pragma.name} 4'"
    return ""
