"""Compiles the instruction pages and proves them consistent; only for developers, never needed at run time."""
