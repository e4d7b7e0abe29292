"""Stand chips for the images of a prompt.

Owns the attachments behind chips such as ``[image shot.png 120 KB]`` for as long as the
app runs, so that a prompt that comes back from the queue or the history has its images still.
Which words name an image is ``agent.image_words``' affair. Reads no file. Proven by
tests/unit/ui/test_prompt_images.py.
"""

import re

from caramelo_tui.domain.images import pixels_of
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import size_text

KEPT_BYTES = 100 * 1024 * 1024
"""Bytes of images that are kept behind chips; the oldest go first."""
_CHIP = re.compile(r"\[image [^\[\]\n]+\]")


class ImageChips:
    """The images of the drafts so far."""

    def __init__(self) -> None:
        self._images: dict[str, ImageAttachment] = {}

    def take(self, image: ImageAttachment) -> str:
        """Keep an image and return the chip that stands for it in a text."""
        words = _words_of(image)
        chip, count = f"[image {words}]", 2
        while self._images.get(chip, image) != image:
            chip = f"[image {count}: {words}]"
            count += 1
        # At the end: the ones that were not wanted for longest are the first to go.
        self._images.pop(chip, None)
        self._images[chip] = image
        self._drop_oldest()
        return chip

    def in_text(self, text: str) -> tuple[ImageAttachment, ...]:
        """Return the images whose chips stand in a text, in its order, each once."""
        found = dict.fromkeys(chip for chip in _CHIP.findall(text) if chip in self._images)
        return tuple(self._images[chip] for chip in found)

    def lost_in(self, text: str) -> tuple[str, ...]:
        """Return what reads like a chip but has no image any more."""
        return tuple(chip for chip in _CHIP.findall(text) if chip not in self._images)

    def chip_at_end(self, text: str) -> str:
        """Return the chip with which a text ends; empty when it ends with none."""
        start = text.rfind("[image ")
        chip = text[start:] if start >= 0 else ""
        return chip if chip in self._images else ""

    def _drop_oldest(self) -> None:
        kept = sum(len(image.data) for image in self._images.values())
        while kept > KEPT_BYTES:
            kept -= len(self._images.pop(next(iter(self._images))).data)


def _words_of(image: ImageAttachment) -> str:
    name = visible(image.name, keeps_newlines=False)
    pixels = pixels_of(image.data)
    size = "" if pixels is None else f" {pixels[0]}×{pixels[1]}"  # noqa: RUF001 - between width and height
    return f"{name.translate(_NO_BRACKETS)} {size_text(len(image.data))}{size}"


_NO_BRACKETS = str.maketrans("[]", "()")
