"""Declarations of variables, parameters and functions."""
