"""Name where commands can run.

Owns the words of ``commands.sandbox``. Proven by tests/unit/config/test_loader.py.
"""

from enum import StrEnum


class CommandSandbox(StrEnum):
    """Where the model's commands run."""

    NONE = "none"
    """With the user's full rights."""
    BWRAP = "bwrap"
    """In bubblewrap: the workspace is writable, the rest is not."""
