"""Message framing, raw JSON, and work on the event loop: callbacks, time slices, the client's activity."""
