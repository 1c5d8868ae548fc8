"""Measurements of speed and memory, each taken in a process of its own, so that no memo of one flatters another."""
