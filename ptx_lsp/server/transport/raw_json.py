"""Results that are serialized already: large ones are built as text, which takes a tenth of the time."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawJson:
    """A result as JSON text in plain ASCII."""

    json: str


quoted = json.encoder.encode_basestring_ascii
"""The JSON string of a text."""
