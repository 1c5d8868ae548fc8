"""Whether an opcode and its operands fit a form."""
