"""Derived facts of a module, made when they are asked for: flagged statements, effects, flows, packed values."""
