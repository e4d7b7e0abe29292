"""What the user interface may ask about images for prompts.

Owns the protocol. ``agent/images.py`` implements it; tests of the UI use a double. Proven by
tests/pilot/test_prompt_images.py and tests/unit/agent/test_images.py.
"""

from typing import Protocol

from caramelo_tui.domain.messages import ImageAttachment


class ImagesPort(Protocol):
    """Images on their way into a prompt."""

    @property
    def can_send(self) -> bool:
        """Whether the model in use takes images."""
        ...

    async def read(self, path: str) -> ImageAttachment:
        """Read a file that the user named.

        Args:
            path: Workspace-relative, absolute, or below ``~``.

        Raises:
            ToolFailure: If it cannot be read, is too large, or is no image that models take.
        """
        ...

    async def from_clipboard(self) -> ImageAttachment:
        """Take the image that the system's clipboard holds.

        Raises:
            ToolFailure: If it holds none, or no program on this machine can say.
        """
        ...
