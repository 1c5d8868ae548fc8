"""x"""

from pathlib import Path


def keep(folder: Path, ptxas: str) -> int:
    return 0
