"""Time of the client's last message; background work pauses while messages arrive."""

from __future__ import annotations

from time import monotonic


class ClientActivity:
    """The activity of one client."""

    def __init__(self) -> None:
        self.last_message = 0.0
        """Arrival time of the last message, by the monotonic clock."""

    def record_message(self) -> None:
        """Record the arrival of a message."""
        self.last_message = monotonic()
