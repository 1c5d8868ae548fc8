"""Makes the pictures of the documentation anew: ``python -m tests.editors.pictures``.

They are what the steps of the browser test see, somewhat larger, in 96 colours. ``docs/pictures`` holds all, and
``editors/vscode/images`` what its README shows. ``compare`` says how far two pictures are apart.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.editors import vscode_runs
from tests.editors.programs import EXTENSION, ROOT

PICTURES = ROOT / "docs" / "pictures"
SCALE = 1.5
LIGHT = "Default Light Modern"
"""A theme in which one picture is taken too, as ``NAME-light.png``."""
ALSO_LIGHT = ("descriptor",)


def smaller(source: Path, target: Path) -> None:
    """A copy with a palette: the same to the eye, a third of the bytes."""
    with Image.open(source) as picture:
        picture.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(target, optimize=True)


def difference(one: Path, other: Path) -> float:
    """How far apart two pictures are on average, from 0 to 255, once they are brought to a small common size."""
    size = (320, 150)
    with Image.open(one) as first, Image.open(other) as second:
        pair = [picture.convert("L").resize(size, Image.Resampling.BOX) for picture in (first, second)]
    return ImageStat.Stat(ImageChops.difference(*pair)).mean[0]


def is_blank(picture: Path) -> bool:
    """Whether there is next to nothing to see."""
    with Image.open(picture) as image:
        return ImageStat.Stat(image.convert("L")).stddev[0] < 5


def in_readme() -> list[str]:
    """The names of the pictures that the README of the extension shows."""
    readme = EXTENSION / "README.md"
    return re.findall(r"\(images/([\w-]+)\.png\)", readme.read_text()) if readme.exists() else []


def main() -> None:
    """Make them all."""
    with tempfile.TemporaryDirectory() as folder:
        vsix = vscode_runs.build(Path(folder, "ptx-lsp.vsix"))
        taken: dict[str, Path] = {}
        for theme, suffix in (("Default Dark Modern", ""), (LIGHT, "-light")):
            options = ("--scale", str(SCALE), "--theme", theme)
            outcome = vscode_runs.run("browser.mjs", vsix, Path(folder, theme), *options)
            if outcome.failed:
                sys.exit("\n".join(str(report) for report in outcome.reports))
            for picture in outcome.pictures.glob("*.png"):
                if not suffix or picture.stem in ALSO_LIGHT:
                    taken[picture.stem + suffix] = picture
        shutil.rmtree(PICTURES, ignore_errors=True)
        PICTURES.mkdir(parents=True)
        for name, picture in sorted(taken.items()):
            smaller(picture, PICTURES / f"{name}.png")
            print(f"{PICTURES.relative_to(ROOT)}/{name}.png  {(PICTURES / f'{name}.png').stat().st_size // 1024} kB")
        for name in in_readme():
            if (PICTURES / f"{name}.png").exists():
                shutil.copyfile(PICTURES / f"{name}.png", EXTENSION / "images" / f"{name}.png")


if __name__ == "__main__":
    try:
        main()
    except pytest.skip.Exception as missing:
        sys.exit(f"no pictures: {missing}")
