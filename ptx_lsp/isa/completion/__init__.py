"""What may come next in an unfinished opcode."""
