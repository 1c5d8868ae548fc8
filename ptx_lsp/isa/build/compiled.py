"""Compiles all pages into one data file, ``grammar/compiled/isa.json``: ``python -m ptx_lsp.isa.build``.

An installed server reads this file and no page, unless a hover wants words. In a checkout the file is only believed
about pages that have not changed since: each page is stored with a checksum of its text.
"""

from __future__ import annotations

import os
import sys

from ptx_lsp.grammar_files import grammar_file, page_paths
from ptx_lsp.isa.store.encoding import Encoder, Json, encode_shared
from ptx_lsp.isa.store.format import COMMON_SOURCES, COMPILED, FORMAT, checksum, compiled_text


def compile_pages() -> Json:
    """All pages in compiled form.

    Raises:
        PageError: if a page says something impossible.
    """
    from ptx_lsp.isa.build.strict import check_page
    from ptx_lsp.isa.pages.load import load_page, load_shared

    encoder = Encoder()
    pages = {}
    for path in page_paths():
        loaded = load_page(path)
        for error in check_page(loaded):
            raise error
        pages[path] = encoder.page(loaded.instruction)
    return {
        "format": FORMAT,
        "sources": {path: checksum(path) for path in (*COMMON_SOURCES, *pages)},
        "shared": encode_shared(load_shared()),
        **encoder.parts,
        "page": pages,
    }


def write_compiled() -> str:
    """Compile the pages and write the data file; its path in the file system is returned."""
    path = grammar_file(COMPILED)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = compiled_text(compile_pages())
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(path + ".new", path)
    return path


def main() -> int:
    """Write the data file, or print what is wrong with a page."""
    from ptx_lsp.isa.pages.source import PageError

    try:
        path = write_compiled()
    except PageError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{path}: {os.path.getsize(path):,} bytes, {len(page_paths())} pages")
    return 0
