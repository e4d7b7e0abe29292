"""Judge the form of a path argument, before any look at the disk.

Owns which spellings are refused and the plain spelling of the others. Pure. Proven by
tests/unit/workspace/test_path_forms.py.
"""

import os
import re

from caramelo_tui.domain.errors import PathRefused

_DRIVE_LETTER = re.compile(r"[A-Za-z]:")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
FOLDER_PARTS = frozenset({"", ".", ".."})
"""Last parts that can only mean a folder."""
LONGEST_PATH_BYTES = 4_096
"""As in Linux (``PATH_MAX``). Deeper trees exist, but no ordinary program reaches into them, and
working a path out part by part takes time that whoever made the path would choose."""
_SHOWN_CHARACTERS = 200
"""Start of a path that is too long, for the message."""


def names_a_folder(asked: str) -> bool:
    """Whether the spelling can only mean a folder (``a/``, ``a/.``, ``..``)."""
    return asked.rsplit("/", 1)[-1] in FOLDER_PARTS


def plain_spelling(asked: str) -> str | None:
    """Return ``asked`` without ``.`` and empty parts; ``None`` when a ``..`` is in it.

    With a ``..`` the text alone does not say where the path leads.
    """
    parts = asked.split("/")
    if ".." in parts:
        return None
    return "/".join(part for part in parts if part not in FOLDER_PARTS) or "."


def is_too_long(path: str) -> bool:
    """Whether a path, its bytes counted, is longer than any that the system takes."""
    return len(path.encode("utf-8", "surrogatepass")) > LONGEST_PATH_BYTES


def checked_form(asked: str, *, allows_absolute: bool) -> str:
    """Return the path text in its one spelling.

    Args:
        asked: The argument.
        allows_absolute: Whether it may start with ``/``.

    Raises:
        PathRefused: If it is empty, too long, has a NUL or a character that no name can have,
            or is a home, drive, network, URL or (unless allowed) absolute path.
    """
    if not asked:
        raise PathRefused("(empty path)", "a path must not be empty; the workspace root is '.'")
    if "\0" in asked:
        raise PathRefused(asked, "a path must not contain a NUL character")
    if is_too_long(asked):
        raise PathRefused(asked[:_SHOWN_CHARACTERS] + "…", "the path is too long")
    try:
        # Escaped bytes that together are valid UTF-8 are the same name as the plain characters.
        text = os.fsdecode(os.fsencode(asked))
    except UnicodeEncodeError as error:
        raise PathRefused(ascii(asked), "it has a character that no file name can have") from error
    if text.startswith("~"):
        raise PathRefused(asked, "'~' is not expanded; a name that starts with it is './~…'")
    if _URL.match(text):
        raise PathRefused(asked, "this is a URL, not a workspace path")
    if _DRIVE_LETTER.match(text):
        raise PathRefused(asked, "drive letters are refused; paths are relative to the workspace")
    if text.startswith(("//", "\\\\")):
        raise PathRefused(asked, "network (UNC) paths are refused")
    if text.startswith("/") and not allows_absolute:
        raise PathRefused(asked, "absolute paths are refused; give it relative to the workspace")
    return text
