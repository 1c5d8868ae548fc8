"""The one thing that pyproject.toml cannot say: all packages under ptx_lsp/, and grammar/ as one more of them."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["ptx_lsp", "ptx_lsp.*"]), "ptx_lsp.grammar"])
