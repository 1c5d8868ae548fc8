"""Pages with addresses: they are found, and every link on them leads somewhere."""

from __future__ import annotations

import re

import pytest

from ptx_lsp import codes
from ptx_lsp.features.linked_pages import INDEX, address_of, page_at
from ptx_lsp.isa.catalogue import catalogue

_LINK = re.compile(r"\((ptx-lsp:[^)\s]*)\)")


@pytest.mark.parametrize(
    ("topic", "address"),
    [
        ("add", "ptx-lsp:/isa/add.md"),
        ("add.s32", "ptx-lsp:/isa/add.md"),
        ("cp.async.bulk.tensor.2d", "ptx-lsp:/isa/cp.async.bulk.tensor.md"),
        ("E502", "ptx-lsp:/codes/E502.md"),
        (".f16x2", "ptx-lsp:/words/.f16x2.md"),
        ("%laneid", "ptx-lsp:/words/%25laneid.md"),
        ("sm_90a", "ptx-lsp:/words/sm_90a.md"),
        ("nothing", None),
        ("", None),
        ("Add", None),
    ],
)
def test_addresses(topic: str, address: str | None) -> None:
    assert address_of(topic) == address


@pytest.mark.parametrize("topic", ["add", "mma", "E502", ".f16x2", "%laneid", "sm_90a", ".maxntid"])
def test_the_page_of_an_address(topic: str) -> None:
    address = address_of(topic)
    assert address is not None
    page = page_at(address)
    assert page is not None
    assert page.startswith(f"# {topic}")
    assert f"]({address})" not in page


def test_addresses_as_clients_write_them() -> None:
    assert page_at("ptx-lsp:/words/%laneid.md") == page_at("ptx-lsp:/words/%25laneid.md")
    assert page_at("ptx-lsp:///isa/add.md") == page_at("ptx-lsp:/isa/add.md") is not None


@pytest.mark.parametrize("address", ["ptx-lsp:/isa/", "ptx-lsp:", "http:/isa/add.md", "ptx-lsp:/else/add.md", "add"])
def test_addresses_of_nothing(address: str) -> None:
    assert page_at(address) is None


def test_all_instructions_and_codes_are_in_the_index() -> None:
    index = page_at(INDEX)
    assert index is not None
    links = set(_LINK.findall(index))
    assert {address_of(page.names[0]) for page in catalogue().instructions} <= links
    assert {address_of(number) for number in codes.NAMES} <= links
    assert all(page_at(link) is not None for link in links)


def test_every_link_leads_somewhere() -> None:
    known: dict[str, bool] = {}
    for instruction in catalogue().instructions[::5]:
        page = page_at(f"ptx-lsp:/isa/{instruction.names[0]}.md")
        assert page is not None
        for link in _LINK.findall(page):
            if link not in known:
                known[link] = page_at(link) is not None
    assert all(known.values()), known
    assert len(known) > 20


def test_examples_and_links_are_left_as_they_are() -> None:
    page = page_at("ptx-lsp:/isa/and.md")
    assert page is not None
    fences = re.findall(r"^```.*?^```", page, re.DOTALL | re.MULTILINE)
    assert fences
    assert not any("ptx-lsp:/" in fence for fence in fences)
    assert "[[" not in page
    assert "[`lop3`](ptx-lsp:/isa/lop3.md)" in page


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("ptx-lsp:/values/idesc/.kind::f16/0x08200490.md", "M128 N128"),
        ("ptx-lsp:/values/idesc/-/0x0820049%3F.md", "N128"),
        ("ptx-lsp:/values/smem-desc-wgmma/-/0x4000404000010000.md", "| 62‑63 | swizzle |"),
    ],
)
def test_values_have_pages(address: str, says: str) -> None:
    page = page_at(address)
    assert page is not None
    assert says in page


@pytest.mark.parametrize("rest", ["nothing/-/0x1", "idesc/-/word", "idesc/-/0x123456789", "idesc"])
def test_values_without_a_page(rest: str) -> None:
    assert page_at(f"ptx-lsp:/values/{rest}.md") is None
