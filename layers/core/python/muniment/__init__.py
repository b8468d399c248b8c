"""Muniment: governed project memory for coding agents and the people who supervise them."""

__version__ = "0.1.0"
