"""Stand chips for the images of a prompt, and find the words that name an image.

Owns the attachments behind chips such as ``[image shot.png 120 KB]`` for as long as the
app runs, so that a prompt that comes back from the queue or the history has its images still; and
which words of a draft mean an image file: a mention, or an absolute path as terminals type one
when a file is dropped on them. Reads no file. Proven by tests/unit/ui/test_prompt_images.py.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

from caramelo_tui.domain.images import IMAGE_SUFFIXES, pixels_of
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import size_text

KEPT_BYTES = 100 * 1024 * 1024
"""Bytes of images that are kept behind chips; the oldest go first."""
_PATH_CHARACTERS = 4_096
"""A longer text is no path on any system."""
_CHIP = re.compile(r"\[image [^\[\]\n]+\]")
_SUFFIX = "|".join(suffix.removeprefix(".") for suffix in sorted(IMAGE_SUFFIXES))
_WORD = rf'@"[^"\n]+\.(?:{_SUFFIX})"|(?:@|~/|/|file://)(?:[^\s"\'\\]|\\.)+\.(?:{_SUFFIX})'
_WORDS = re.compile(rf"(?<!\S)(?:{_WORD})(?!\S)", re.IGNORECASE)
_FINISHED = re.compile(rf"(?<!\S)({_WORD})\s$", re.IGNORECASE)


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


def image_paths(text: str) -> tuple[str, ...]:
    """Return the image files that a text names and nothing else; empty for any other text.

    Args:
        text: A mention, or one or more absolute paths as a terminal writes them when files are
            dropped on it: quoted, with backslashes, or as ``file:`` addresses.
    """
    words = text.strip()
    if not words or len(words) > _PATH_CHARACTERS or "\n" in words:
        return ()
    if words.startswith("@"):
        return _images_only([words[1:].strip('"')])
    try:
        paths = [_path_of(word) for word in shlex.split(words)]
    except ValueError:
        # An apostrophe in a name that nobody has quoted.
        paths = [words]
    if not all(map(_is_absolute, paths)):
        # Blanks that nobody has quoted: it is one path, or none.
        paths = [words]
    return _images_only(paths) if all(map(_is_absolute, paths)) else ()


def finished_word(before: str) -> str:
    """Return the word that names an image when it was ended just now, by a blank; else empty.

    Args:
        before: The cursor's line up to the cursor.
    """
    found = _FINISHED.search(before)
    return found[1] if found else ""


def image_words(text: str) -> tuple[str, ...]:
    """Return all words of a text that name an image file, each once."""
    return tuple(dict.fromkeys(_WORDS.findall(text)))


def with_words_replaced(text: str, replace: Callable[[str], str]) -> str:
    """Return a text in which each word that names an image is what ``replace`` makes of it."""
    return _WORDS.sub(lambda found: replace(found.group()), text)


def _words_of(image: ImageAttachment) -> str:
    name = visible(image.name, keeps_newlines=False)
    pixels = pixels_of(image.data)
    size = "" if pixels is None else f" {pixels[0]}×{pixels[1]}"  # noqa: RUF001 - between width and height
    return f"{name.translate(_NO_BRACKETS)} {size_text(len(image.data))}{size}"


_NO_BRACKETS = str.maketrans("[]", "()")


def _path_of(word: str) -> str:
    return unquote(urlsplit(word).path) if word.startswith("file://") else word


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~/"))


def _images_only(paths: Sequence[str]) -> tuple[str, ...]:
    are_images = all(PurePath(path).suffix.lower() in IMAGE_SUFFIXES for path in paths)
    return tuple(paths) if are_images else ()
