"""The log of checks that fail, as a module that stands for a logger.

``logging`` is imported when the first check fails: it would be a noticeable part of the start.
"""

from __future__ import annotations


def exception(message: str, *arguments: object) -> None:
    """Log the exception that is being handled."""
    import logging

    logging.getLogger(__name__).exception(message, *arguments)
