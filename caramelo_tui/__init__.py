"""Caramelo TUI: a full-screen coding agent for the terminal.

Owns the version and nothing else; importing it must cost nothing.
"""

__version__ = "0.1.0"
