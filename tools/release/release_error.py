"""What is not as it must be."""


class ReleaseError(Exception):
    """Why nothing is published, in a sentence."""
