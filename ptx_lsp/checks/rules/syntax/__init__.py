"""Text that is not PTX at all."""
