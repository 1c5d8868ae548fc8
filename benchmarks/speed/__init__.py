"""Times and memory of the command and of the server, beside those of ptxas, on kept and on fresh files."""
