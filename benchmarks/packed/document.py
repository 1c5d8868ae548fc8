"""``python -m benchmarks.packed.document`` writes the table of docs/layouts.md."""

from pathlib import Path

from ptx_lsp.layouts.layout import Layout
from ptx_lsp.layouts.load import layouts

DOCUMENT = Path(__file__).parents[2] / "docs" / "layouts.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of the table -->\n"
_MOST = 3
"""Instructions named for one layout."""


def table() -> str:
    """All layouts: name, bits, where such a value stands, and the section of the manual that it comes from."""
    rows = ["| layout | bits | value | operand | manual |", "|---|---|---|---|---|"]
    for layout in sorted(layouts().values(), key=lambda one: one.name):
        manual = f"[{layout.number} {layout.section}]({layout.link})"
        rows.append(f"| `{layout.name}` | {layout.width} | {layout.title} | {_places(layout)} | {manual} |")
    return "\n".join(rows) + "\n"


def _places(layout: Layout) -> str:
    found = []
    for place in layout.places:
        operands = " ".join(f"`{one}`" for one in place.operands) or "memory of"
        names = " ".join(f"`{one}`" for one in place.instructions[:_MOST])
        found.append(f"{operands}{' of' if place.operands else ''} {names}{' …' * (len(place.instructions) > _MOST)}")
    return "; ".join(found)


def written() -> str:
    """The document with the table as it is now."""
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    DOCUMENT.write_text(written(), encoding="utf-8")
