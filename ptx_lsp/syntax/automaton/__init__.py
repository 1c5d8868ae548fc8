"""The automaton of the parser: its tables, and the reductions in the form in which the parser makes them."""
