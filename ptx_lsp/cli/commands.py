"""The commands and options of ``ptx-lsp``: argument parsing and dispatch."""

from __future__ import annotations

import argparse
import io
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

from ptx_lsp import __version__
from ptx_lsp.value_text import truncated

FORMATS = ("text", "json", "sarif", "github")
USAGE = 2
"""Exit status for wrong usage and unreadable files."""
_COLUMNS = 80
"""The width of help where no terminal says it."""


def run(arguments: list[str]) -> int:
    """Run the command that the arguments name; the exit status."""
    if not arguments:
        _parser().print_help(sys.stderr)
        return USAGE
    parser = _parser(arguments[0])
    if os.path.exists(arguments[0]) and arguments[0] not in _ADD:
        parser.error(f"'{arguments[0]}' is not a command; did you mean 'ptx-lsp check {arguments[0]}'?")
    options, unread = parser.parse_known_args(arguments)
    if getattr(options, "command", "") in ("decode", "encode"):
        options.rest = unread
    elif unread:
        parser.error(f"unrecognized arguments: {' '.join(unread)}")
    if "command" not in options:
        parser.error("--host and --port require --tcp")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for terminals that cannot show all of Unicode
    if options.command in ("decode", "encode"):
        from ptx_lsp.cli.packed import decode_value, encode_fields

        return decode_value(options) if options.command == "decode" else encode_fields(options)
    if options.command == "explain":
        from ptx_lsp.cli.explain import explain

        return explain(options.topic)
    if options.command == "format":
        from ptx_lsp.cli.format import format_files

        return format_files(options)
    if options.command == "symbols":
        from ptx_lsp.cli.symbols import symbols

        return symbols(options)
    if options.command == "beside":
        parser.error("beside requires a command: ptx-lsp beside -- clangd")
    if options.command == "locate":
        from ptx_lsp.cli.locate import locate

        return locate(options)
    from ptx_lsp.cli.check import check

    return check(options)


class _HelpFormatter(argparse.HelpFormatter):
    """As wide as the terminal; argparse would import ``shutil`` to ask for that, and all that compresses files."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """The columns of the terminal, or what the environment says."""
    with suppress(ValueError):
        if (columns := int(os.environ.get("COLUMNS", ""))) > 0:
            return columns
    with suppress(ValueError, OSError):  # closed, or no terminal
        if sys.__stdout__ is not None:
            return os.get_terminal_size(sys.__stdout__.fileno()).columns or _COLUMNS
    return _COLUMNS


class _Parser(argparse.ArgumentParser):
    """Prints one line for wrong usage, without the usage text of argparse."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_HelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"ptx-lsp: {message} (see '{self.prog} --help')\n")


def _parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of all commands, or only of one: to make them all takes as long as to check 500 lines."""
    parser = _Parser(prog="ptx-lsp", description="Language server and checker for NVIDIA PTX.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"ptx-lsp {__version__}")
    server = parser.add_argument_group("language server")
    server.add_argument("--stdio", action="store_true", help="serve the editor that started this process")
    server.add_argument("--tcp", action="store_true", help="serve one client on a socket")
    server.add_argument("--host", help="with --tcp: the address to listen on (127.0.0.1: only this machine)")
    server.add_argument("--port", help="with --tcp: the port")
    # With a name given, argparse need not make a text of usage for it, which imports what compresses files.
    commands = parser.add_subparsers(prog=parser.prog, metavar="COMMAND", parser_class=_Parser, title="commands")
    for add in (_ADD[command],) if command in _ADD else dict.fromkeys(_ADD.values()):
        add(commands)
    return parser


def _add_check(commands: argparse._SubParsersAction[_Parser]) -> None:
    check = commands.add_parser(
        "check",
        help="check PTX files, and inline assembly in CUDA C++ and other sources",
        description="Check PTX files, and the inline assembly in sources of other languages, and print the findings. "
        "Exit status: 0 without errors, 1 with errors, "
        "2 for wrong usage or if a file could not be read (the others are still checked).",
        allow_abbrev=False,
    )
    check.set_defaults(command="check")
    check.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a file; a folder, searched for *.ptx and sources; - for standard input",
    )
    check.add_argument("--format", choices=FORMATS, default="text", help="output format (default: text)")
    check.add_argument(
        "--target", metavar="T", help="check as if the files contained '.target T'; T,T,… for inline assembly"
    )
    check.add_argument(
        "--language",
        metavar="L",
        help="the language of the files: ptx, cuda-cpp, python, mojo, rust, llvm, mlir (default: by suffix)",
    )
    check.add_argument("--ptx-version", metavar="V", help="check as if the files contained '.version V'")
    check.add_argument("--select", action="append", metavar="CODES", help="report only these: E502,W6,newer-target")
    check.add_argument("--ignore", action="append", metavar="CODES", help="do not report these; overrides --select")
    check.add_argument(
        "--jobs", type=_jobs, metavar="N", help="number of processes (default: depends on the size of the files)"
    )
    check.add_argument(
        "--statistics",
        action="store_true",
        help="also print, to standard error, how many functions the rules about whole functions have analysed, and why "
        "not the others",
    )


def _add_explain(commands: argparse._SubParsersAction[_Parser]) -> None:
    explain = commands.add_parser(
        "explain",
        help="show the page of a code or an instruction",
        description="Show the page of a code (E502, newer-target) or an instruction (cp.async.bulk.tensor).",
        allow_abbrev=False,
    )
    explain.set_defaults(command="explain")
    explain.add_argument("topic", metavar="CODE-OR-INSTRUCTION")


def _add_packed(commands: argparse._SubParsersAction[_Parser]) -> None:
    decode = commands.add_parser(
        "decode",
        help="decode a descriptor or another packed value",
        description="Print the fields of a packed value: 'ptx-lsp decode idesc --kind f16 0x8200490'. "
        "Exit status: 0 for a legal value, 1 with findings, 2 for wrong usage.",
        allow_abbrev=False,
    )
    encode = commands.add_parser(
        "encode",
        help="encode a descriptor or another packed value",
        description="Encode a packed value from its fields: 'ptx-lsp encode idesc --kind f16 --m 128 --n 256'. "
        "Without fields it lists the fields. Exit status: 0 for a legal value, 1 with findings, 2 for wrong usage.",
        allow_abbrev=False,
    )
    for name, command in (("decode", decode), ("encode", encode)):
        command.set_defaults(command=name)
        command.add_argument("layout", metavar="LAYOUT", help="idesc, smem-desc, … ('list' shows all)")
        command.add_argument(
            "--arch", metavar="T", help="the target, such as sm_90a; selects between layouts with the same name"
        )
        command.add_argument("--kind", metavar="K", help="the .kind of the opcode: f16, mxf4nvf4, …")
        command.add_argument("--cta-group", choices=("1", "2"), help="the .cta_group of the opcode")
        more = "another qualifier of the opcode: .sp, .ws, .block16"
        command.add_argument("--with", action="append", dest="words", metavar="WORD", help=more)
        command.add_argument("--json", action="store_true", help="print JSON")
    digits = "as PTX writes it: 0x…, 0b…, decimal; '?' for unknown digits"
    decode.add_argument("value", metavar="VALUE", nargs="?", help=digits)
    encode.usage = "ptx-lsp encode LAYOUT [options] [--FIELD VALUE …]"


def _add_format(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "format",
        help="format PTX files",
        description="Format PTX files in place, by the table [format] of ptx-lsp.toml. Only whitespace changes; "
        "statements with syntax errors are not changed. Exit status: 0; 1 with --check if a file would change; 2 for "
        "wrong usage or if a file could not be read or written (the others are still formatted).",
        allow_abbrev=False,
    )
    command.set_defaults(command="format")
    command.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="a file; a folder, searched for *.ptx; - for standard input, to standard output (default: this folder)",
    )
    command.add_argument("--check", action="store_true", help="write nothing; list the files that would change")
    command.add_argument("--diff", action="store_true", help="write nothing; print a diff")
    command.add_argument("--style", choices=("aligned", "nvcc"), help="overrides the style in ptx-lsp.toml")


def _add_symbols(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "symbols",
        help="list the declarations of PTX files",
        description="List functions, parameters, registers, variables, labels and blocks as a tree. Exit status: 0; "
        "1 if nothing matches --query; 2 for wrong usage or if a file could not be read.",
        allow_abbrev=False,
    )
    command.set_defaults(command="symbols")
    command.add_argument(
        "paths", nargs="+", metavar="PATH", help="a file; a folder, searched for *.ptx; - for standard input"
    )
    command.add_argument("--query", metavar="TEXT", help="only names that contain this, with their enclosing entries")
    command.add_argument("--json", action="store_true", help="print JSON; lines and columns count from 1")


def _add_locate(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "locate",
        help="find the asm statement for a line of compiled PTX",
        description="Name the asm statement of the source for lines of compiled PTX. Without arguments, copy standard "
        "input and add the place of each message of ptxas: 'nvcc --keep ... 2>&1 | ptx-lsp locate'. "
        "Exit status: 0; 1 if a line has no statement; 2 for wrong usage.",
        allow_abbrev=False,
    )
    command.set_defaults(command="locate")
    command.add_argument("places", nargs="*", metavar="FILE.ptx:LINE", help="a line of compiled PTX")
    command.add_argument(
        "--source", action="append", metavar="PATH", help="a source or a folder of sources (default: what .loc names)"
    )


def _add_beside(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "beside",
        help="serve inline assembly together with the server of the host language",
        description="Start another language server, answer within inline assembly, and pass on everything else; for "
        "editors with one server for a document: 'ptx-lsp beside -- clangd --background-index'.",
        usage="ptx-lsp beside -- COMMAND [ARGUMENT ...]",
        allow_abbrev=False,
    )
    command.set_defaults(command="beside")


_ADD = {
    "check": _add_check,
    "explain": _add_explain,
    "decode": _add_packed,
    "encode": _add_packed,
    "format": _add_format,
    "symbols": _add_symbols,
    "locate": _add_locate,
    "beside": _add_beside,
}


def _jobs(word: str) -> int:
    if not word.isdecimal() or len(word) > 3 or not 1 <= int(word) <= 256:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 256, not '{truncated(word)}'")
    return int(word)
