"""Records of the instruction set: versions, targets, gates, forms, operands, instructions and match results."""
