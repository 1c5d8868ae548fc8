"""Claims about hardware behavior that the manual leaves open, each with a kernel that shows it on a GPU."""
