"""What the user interface may ask of the system's clipboard.

Owns the protocol, and what stands in where there is no clipboard. Proven by
tests/unit/agent/test_clipboard.py and tests/pilot/test_copying.py.
"""

from typing import Protocol


class ClipboardPort(Protocol):
    """The clipboard of the system, beside that of the terminal."""

    async def put(self, text: str) -> bool:
        """Put a text there.

        Returns:
            Whether a program took it; ``False`` where there is none, or it failed.
        """
        ...


class NoClipboard:
    """For a session without one."""

    async def put(self, text: str) -> bool:
        """Put it nowhere."""
        del text
        return False
