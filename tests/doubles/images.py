"""Small images: heads that say a size, and nothing behind them; and who hands them out.

Owns the bytes for tests about images; no program could show them, and none has to.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.messages import ImageAttachment


def png(width: int, height: int, *, more: bytes = b"") -> bytes:
    """Return the head of a PNG."""
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size + more


def gif(width: int, height: int) -> bytes:
    """Return the head of a GIF."""
    return b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little")


def jpeg(width: int, height: int) -> bytes:
    """Return the head of a JPEG: filling, a bare marker, a segment, and the frame."""
    size = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return b"\xff\xd8\xff\xff\x01\xff\xe0\0\x04ab\xff\xc2\0\x11\x08" + size


def webp(kind: bytes, width: int, height: int) -> bytes:
    """Return the head of a WebP of a kind."""
    head = b"RIFF\0\0\0\0WEBP" + kind + b"\0\0\0\0"
    if kind == b"VP8X":
        return head + b"\0" * 4 + _three(width - 1) + _three(height - 1)
    if kind == b"VP8L":
        return head + b"\x2f" + (width - 1 | height - 1 << 14).to_bytes(4, "little")
    return head + b"\0" * 6 + width.to_bytes(2, "little") + height.to_bytes(2, "little")


def attachment(name: str = "shot.png", *, more: bytes = b"") -> ImageAttachment:
    """Return a PNG of 800 by 600 as it goes with a prompt."""
    return ImageAttachment(name=name, media_type="image/png", data=png(800, 600, more=more))


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


@dataclass(slots=True)
class FakeImages:
    """A double of ``ImagesPort``: has the images that a test sets."""

    can_send: bool = True
    files: Mapping[str, ImageAttachment] = field(default_factory=dict[str, ImageAttachment])
    """By path as it is asked for."""
    clipboard: ImageAttachment | None = None
    asked: list[str] = field(default_factory=list[str])
    """Paths, in order."""

    async def read(self, path: str) -> ImageAttachment:
        """Return the image of a path.

        Raises:
            ToolFailure: If the test set none.
        """
        self.asked.append(path)
        if path not in self.files:
            msg = f"{path} cannot be read: No such file or directory."
            raise ToolFailure(msg)
        return self.files[path]

    async def from_clipboard(self) -> ImageAttachment:
        """Return the clipboard's image.

        Raises:
            ToolFailure: If the test set none.
        """
        if self.clipboard is None:
            raise ToolFailure("No image came from the clipboard.")
        return self.clipboard
