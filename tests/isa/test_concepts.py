"""Concept pages: form, words, links, and that their PTX is accepted here and by ptxas."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

import annotated
import pytest
from asked import ask
from words import complaints, lines

from ptx_lsp.diagnostic import Severity
from ptx_lsp.features.linked_pages import page_at
from ptx_lsp.features.pages import find_page, nearest
from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.concepts import Concept, concept_of, concepts, concepts_about, concepts_on, key, read_concept

ALL = pytest.mark.parametrize("concept", concepts(), ids=lambda one: one.name)
_FENCE = re.compile(r"(?<=^```ptx\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"// PTX (?P<version>[\d.]+), (?P<target>sm_\w+)\n")
_LINK = re.compile(r"\((ptx-lsp:[^)]+)\)")
_MANUAL = re.compile(r"\nManual: [^\n]*https://docs\.nvidia\.com/cuda/parallel-thread-execution/#\S+\)\.\n\Z")
_DECLARED = ".global .align 4 .u32 data, flag, x, y;"
"""The variables of litmus tests."""


def fences(concept: Concept) -> list[str]:
    return _FENCE.findall(concept.text)


def wrapped(fence: str) -> annotated.Snippet:
    """An example as a module: what it is, or the body of a kernel."""
    title = _TITLE.match(fence)
    assert title, f"an example begins with '// PTX 8.0, sm_90': {fence}"
    module = re.search(r"^\.(?:entry|func)\b", fence, re.MULTILINE) is not None
    words = f"//- {'module ' * module}ptx {title['version']} {title['target']}"
    found = annotated.read(f"{words}\n{fence}")
    return found if module else replace(found, text=found.text.replace(".entry kernel", f"{_DECLARED} .entry kernel"))


EXAMPLES = pytest.mark.parametrize(
    "fence", [pytest.param(fence, id=f"{one.name}-{at}") for one in concepts() for at, fence in enumerate(fences(one))]
)


@EXAMPLES
def test_examples_have_no_error(fence: str) -> None:
    assert [annotated.shown(one) for one in wrapped(fence).findings if one.severity is Severity.ERROR] == []


@EXAMPLES
def test_examples_are_accepted_by_ptxas(fence: str, ptxas_13) -> None:
    assert ask(ptxas_13, wrapped(fence).text).errors == {}


@ALL
def test_a_page_has_the_usual_form(concept: Concept) -> None:
    source = read_grammar(f"concepts/{concept.name}.md")
    count = source.count("\n")
    assert 30 <= count <= 150
    assert _MANUAL.search(source)
    assert complaints(lines(source)) == []
    assert max(map(len, concept.text.split("Manual: ")[0].splitlines())) <= 200
    assert concept.instructions


@ALL
def test_links_lead_to_pages(concept: Concept) -> None:
    for address in _LINK.findall(concept.text):
        assert page_at(address) is not None, address


@ALL
def test_instructions_exist(concept: Concept) -> None:
    assert [one for one in concept.instructions if catalogue().instruction(one) is None] == []


def test_a_word_leads_to_one_page() -> None:
    found: dict[str, set[str]] = {}
    for one in concepts():
        for word in one.topics:
            found.setdefault(key(word), set()).add(one.name)
    assert {word: names for word, names in found.items() if len(names) > 1} == {}


@ALL
def test_a_page_lists_a_word_once(concept: Concept) -> None:
    keys = [key(word) for word in concept.words]
    assert [one for one in concept.words if keys.count(key(one)) > 1] == []


@pytest.mark.parametrize("topic", sorted(set(chain.from_iterable(one.topics for one in concepts()))))
def test_all_words_are_found(topic: str) -> None:
    assert find_page(topic) is not None


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("idesc", "tensor-memory"),
        ("smem-desc", "shared-memory-layouts"),
        ("tmem", "tensor-memory"),
        ("swizzle", "shared-memory-layouts"),
        ("im2col", "tensor-maps"),
        ("CTA", "clusters"),
        ("cluster", "clusters"),
        ("variadic", "parameter-passing"),
        ("proxy", "proxies"),
        ("abi", "parameter-passing"),
    ],
)
def test_spellings_of_a_word(topic: str, name: str) -> None:
    spellings = {topic, topic.upper(), topic.capitalize(), topic.replace("-", " "), topic.replace("-", "")}
    for spelling in spellings:
        found = concept_of(spelling)
        assert found is not None, spelling
        assert found.name == name
        assert find_page(spelling) is not None


def test_a_layout_is_shown_with_its_fields_and_concepts() -> None:
    page = find_page("idesc")
    assert page is not None
    assert page.startswith("# idesc: ")
    assert "| 24-28 | M | 16 * n |" in page
    assert "[Tensor Memory](ptx-lsp:/concepts/tensor-memory.md)" in page


@pytest.mark.parametrize("topic", ["smem-desc-wgmma", "SMEM desc wgmma", "prmt-selector", "tmem-address"])
def test_layouts_have_pages(topic: str) -> None:
    page = find_page(topic)
    assert page is not None
    assert page.lower().startswith(f"# {topic.lower().replace(' ', '-')}: ")
    assert "| bits |" in page


@pytest.mark.parametrize(
    ("topic", "meant"),
    [
        ("swizle", "swizzle"),
        ("memory modle", "memory model"),
        ("asnyc proxy", "async proxy"),
        ("tensormapp", "tensormap"),
    ],
)
def test_misspelt_topics(topic: str, meant: str) -> None:
    assert find_page(topic) is None
    assert meant in nearest(topic)


@pytest.mark.parametrize(
    ("opcode", "names"),
    [
        ("tcgen05.mma.cta_group::1.kind::f16", ["tcgen05-synchronization", "shared-memory-layouts"]),
        ("cp.async.bulk.tensor.2d.shared::cta.global", ["tensor-maps", "asynchronous-copies"]),
        ("ld.global.acquire.gpu.u32", ["memory-model"]),
        ("fence.proxy.async", ["proxies", "memory-model"]),
        ("ld.global.u32", []),
        ("add.s32", []),
        ("add.rn.f32", ["floating-point"]),
    ],
)
def test_the_concepts_of_an_opcode(opcode: str, names: list[str]) -> None:
    first, *rest = opcode.split(".")
    found = concepts_about((first, *(f".{word}" for word in rest)))
    assert [one.name for one in found][:2] == names


def test_the_page_of_an_instruction_ends_with_its_concepts() -> None:
    page = find_page("ld")
    assert page is not None
    last = page.splitlines()[-1]
    assert last.startswith("See also: [Memory model](ptx-lsp:/concepts/memory-model.md), ")
    assert "See also" not in (find_page("popc") or "")
    mma = catalogue().instruction(("tcgen05", ".mma"))
    assert mma is not None
    assert "tensor-memory" in {one.name for one in concepts_on(mma)}


@pytest.mark.parametrize("text", ["", "# Title\n\nWords: a\n", "# Title: summary\n\nText\n"])
def test_a_page_without_heading_or_words_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a concept page begins with"):
        read_concept("page", text)
