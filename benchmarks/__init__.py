"""Measurements; each is a command, `python -m benchmarks.NAME`."""
