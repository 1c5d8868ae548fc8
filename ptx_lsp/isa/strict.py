"""Placeholder while the loader grows."""
def check_lines(*a): pass
def check_forms(*a): pass
