"""What ptxas accepts and is hardly meant."""
