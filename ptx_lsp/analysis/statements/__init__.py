"""One statement in its context: operands, the form that it fits, what ptxas would refuse."""
