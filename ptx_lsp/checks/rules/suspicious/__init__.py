"""Code that ptxas accepts and that is hardly meant."""
