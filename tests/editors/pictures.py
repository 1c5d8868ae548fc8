"""Makes the pictures of the documentation anew: ``python -m tests.editors.pictures``.

``python -m tests.editors.pictures hosts`` makes only those with clangd and pyright and of the terminal.

They are what the steps of the browser tests see, somewhat larger, in 96 colours. ``docs/pictures`` holds all, and
``editors/vscode/images`` what its README shows. ``compare`` says how far two pictures are apart.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.editors import vscode_runs
from tests.editors.programs import CODE_SERVER, EXTENSION, ROOT, needed

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


def of_steps(folder: str) -> list[str]:
    """The names of the pictures that are kept and that the steps in a folder of ``vscode/`` take."""
    code = "".join(step.read_text("utf-8") for step in (CODE_SERVER / folder).glob("*.mjs"))
    kept = sorted(picture.stem for picture in PICTURES.glob("*.png"))
    return [name for name in kept if f"'{name.removesuffix('-light')}'" in code]


def written_in_terminal(command: list[str | Path], folder: Path) -> str:
    """What a command writes to a terminal."""
    master, slave = pty.openpty()
    with subprocess.Popen(command, cwd=folder, stdin=slave, stdout=slave, stderr=slave) as process:
        os.close(slave)
        parts = []
        try:
            while part := os.read(master, 65536):
                parts.append(part)
        except OSError:  # the end, on Linux
            pass
        process.wait()
    os.close(master)
    return b"".join(parts).decode().replace("\r\n", "\n")


def of_terminal(folder: Path) -> Path:
    """A picture of ``ptx-lsp check`` in a terminal."""
    text = folder / "check.txt"
    sources = CODE_SERVER / "sources"
    text.write_text(
        "$ ptx-lsp check .\n" + written_in_terminal([sys.executable, "-m", "ptx_lsp", "check", "."], sources)
    )
    options = ["--state", folder, "--pictures", folder, "--chromium", needed("chromium"), "--scale", str(SCALE)]
    subprocess.run([needed("node"), CODE_SERVER / "terminal.mjs", *options, "--text", text], check=True)
    return folder / "check.png"


def seen(outcome: vscode_runs.Outcome) -> dict[str, Path]:
    """The pictures of a run, by name."""
    if outcome.failed:
        sys.exit("\n".join(str(report) for report in outcome.reports))
    return {picture.stem: picture for picture in outcome.pictures.glob("*.png")}


def main(only_hosts: bool) -> None:
    """Make them all, or only those with servers of other languages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vsix = vscode_runs.build(folder / "ptx-lsp.vsix")
        scale = ("--scale", str(SCALE))
        taken = {
            "check": of_terminal(folder),
            **seen(vscode_runs.run_with_host_servers(vsix, folder / "hosts", *scale)),
        }
        if not only_hosts:
            taken |= seen(vscode_runs.run("browser.mjs", vsix, folder / "dark", *scale))
            light = seen(vscode_runs.run("browser.mjs", vsix, folder / "light", *scale, "--theme", LIGHT))
            taken |= {f"{name}-light": light[name] for name in ALSO_LIGHT}
            shutil.rmtree(PICTURES, ignore_errors=True)
        PICTURES.mkdir(parents=True, exist_ok=True)
        for name, picture in sorted(taken.items()):
            smaller(picture, PICTURES / f"{name}.png")
            print(f"{PICTURES.relative_to(ROOT)}/{name}.png  {(PICTURES / f'{name}.png').stat().st_size // 1024} kB")
        for name in in_readme():
            if (PICTURES / f"{name}.png").exists():
                shutil.copyfile(PICTURES / f"{name}.png", EXTENSION / "images" / f"{name}.png")


if __name__ == "__main__":
    try:
        main("hosts" in sys.argv[1:])
    except pytest.skip.Exception as missing:
        sys.exit(f"no pictures: {missing}")
