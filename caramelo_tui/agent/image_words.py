"""Find the words of a prompt that name an image.

Owns which words mean an image file: a mention, or an absolute path as terminals type one when a
file is dropped on them; and the reading of those that a prompt names. Proven by
tests/unit/agent/test_image_words.py.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

from caramelo_tui.agent.images_port import ImagesPort
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.images import IMAGE_SUFFIXES
from caramelo_tui.domain.messages import ImageAttachment

_PATH_CHARACTERS = 4_096
"""A longer text is no path on any system."""
_SUFFIX = "|".join(suffix.removeprefix(".") for suffix in sorted(IMAGE_SUFFIXES))
_WORD = rf'@"[^"\n]+\.(?:{_SUFFIX})"|(?:@|~/|/|file://)(?:[^\s"\'\\]|\\.)+\.(?:{_SUFFIX})'
_WORDS = re.compile(rf"(?<!\S)(?:{_WORD})(?!\S)", re.IGNORECASE)
_FINISHED = re.compile(rf"(?<!\S)({_WORD})\s$", re.IGNORECASE)


async def images_named(images: ImagesPort, text: str) -> tuple[ImageAttachment, ...]:
    """Return the images that a text names, each once; what cannot be read is no image of it.

    A name that cannot be read is a mention of a file that is to be made, most likely.
    """
    found: list[ImageAttachment] = []
    for path in dict.fromkeys(path for word in image_words(text) for path in image_paths(word)):
        try:
            found.append(await images.read(path))
        except ToolFailure:
            continue
    return tuple(found)


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


def _path_of(word: str) -> str:
    return unquote(urlsplit(word).path) if word.startswith("file://") else word


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~/"))


def _images_only(paths: Sequence[str]) -> tuple[str, ...]:
    are_images = all(PurePath(path).suffix.lower() in IMAGE_SUFFIXES for path in paths)
    return tuple(paths) if are_images else ()
