"""Read images for prompts, from files that the user names and from the clipboard.

Owns which bytes become an attachment: a regular file, or what the clipboard holds, of a format
that models take, and not too large. The user's own file may lie anywhere: the sandbox is for the
model. Asks nobody, keeps nothing. Proven by tests/unit/agent/test_images.py.
"""

import asyncio
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId, IdSource
from caramelo_tui.domain.images import IMAGE_BYTES, media_type_of
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.tools.child_start import ChildStart, StartPlace
from caramelo_tui.tools.output_capture import OutputWish
from caramelo_tui.tools.subprocesses import CommandResult, CommandRunner

CLIPBOARD_COMMANDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("WAYLAND_DISPLAY", ("wl-paste", "--no-newline", "--type", "image/png")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-target", "image/png", "-out")),
    ("", ("pngpaste", "-")),
)
"""Programs that print the clipboard's image, each with the variable without which it has no
clipboard to ask; empty: it needs none."""
_CLIPBOARD_MS = 5_000
"""Milliseconds for such a program; it waits for the one that owns the clipboard."""
_CLIPBOARD_NAME = "clipboard.png"


class ProgramRunner(Protocol):
    """Who runs a program and keeps the begin of its output."""

    async def print_of(self, command: Sequence[str], *, keep_bytes: int) -> bytes | None:
        """Return what a program prints; ``None`` when it is not there, or failed."""
        ...


class ClipboardPrograms:
    """Runs the programs for the clipboard as children of the session."""

    def __init__(self, commands: CommandRunner, ids: IdSource) -> None:
        self._commands = commands
        self._ids = ids

    async def print_of(self, command: Sequence[str], *, keep_bytes: int) -> bytes | None:
        """Return what a program prints; ``None`` when it is not there, or failed."""
        try:
            result = await self._run(command, keep_bytes)
        except ToolFailure:
            return None
        return result.stdout.head if result.exit_code == 0 else None

    async def _run(self, command: Sequence[str], keep_bytes: int) -> CommandResult:
        return await self._commands.run(
            # Not the workspace: nothing in it is meant.
            ChildStart(command=command, place=StartPlace(Path("/"))),
            OutputWish(head_bytes=keep_bytes, has_artifact=False),
            call_id=CallId(self._ids.new("clipboard")),
            timeout_ms=_CLIPBOARD_MS,
        )


class ImageReader:
    """Images of one session; implements ``ImagesPort``."""

    def __init__(
        self,
        root: Path,
        *,
        takes_images: Callable[[], bool],
        programs: ProgramRunner,
        variables: Mapping[str, str],
    ) -> None:
        """Wire it; nothing is read before it is asked for.

        Args:
            root: Where relative paths begin.
            takes_images: Whether the model in use takes images.
            programs: Runs the programs for the clipboard.
            variables: The user's environment.
        """
        self._root = root
        self._takes_images = takes_images
        self._programs = programs
        self._variables = variables

    @property
    def can_send(self) -> bool:
        """Whether the model in use takes images."""
        return self._takes_images()

    async def read(self, path: str) -> ImageAttachment:
        """Read a file that the user named.

        Raises:
            ToolFailure: If it cannot be read, is too large, or is no image that models take.
        """
        return await asyncio.to_thread(self._read, path)

    async def from_clipboard(self) -> ImageAttachment:
        """Take the image that the system's clipboard holds.

        Raises:
            ToolFailure: If it holds none, or no program on this machine can say.
        """
        for variable, command in CLIPBOARD_COMMANDS:
            if variable and not self._variables.get(variable):
                continue
            data = await self._programs.print_of(command, keep_bytes=IMAGE_BYTES + 1)
            if data:
                return _attachment(_CLIPBOARD_NAME, data)
        raise ToolFailure(
            "No image came from the clipboard: it holds none, or none of wl-paste, xclip and "
            "pngpaste is installed here. The path of an image file works everywhere."
        )

    def _read(self, path: str) -> ImageAttachment:
        home = self._variables.get("HOME", "/")
        named = Path(home, path[2:]) if path.startswith("~/") else Path(path)
        place = self._root / named
        try:
            data = _bytes_of(place)
        except (OSError, ValueError) as error:
            reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            msg = f"{path} cannot be read: {reason}."
            raise ToolFailure(msg) from error
        shown = place.relative_to(self._root) if place.is_relative_to(self._root) else place.name
        return _attachment(str(shown), data)


def _bytes_of(place: Path) -> bytes:
    """Return as many bytes of a regular file as an image may have, and one more.

    Raises:
        OSError: If it cannot be opened or read.
        ValueError: If it is no regular file, or its path has a NUL.
    """
    # A pipe would block for ever, and a device has no end.
    descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            msg = "it is no regular file"
            raise ValueError(msg)
        return file.read(IMAGE_BYTES + 1)


def _attachment(name: str, data: bytes) -> ImageAttachment:
    """Return an image as it goes with a prompt.

    Raises:
        ToolFailure: If it is too large or no image that models take.
    """
    media_type = media_type_of(data)
    if media_type is None:
        msg = f"{name} is no PNG, JPEG, GIF or WebP image."
        raise ToolFailure(msg)
    if len(data) > IMAGE_BYTES:
        msg = f"{name} is larger than {IMAGE_BYTES // 1024 // 1024} MB, which models refuse."
        raise ToolFailure(msg)
    return ImageAttachment(name=name, media_type=media_type, data=data)


class NoImages:
    """For a session in which nobody attaches images."""

    @property
    def can_send(self) -> bool:
        """Never."""
        return False

    async def read(self, path: str) -> ImageAttachment:
        """Refuse.

        Raises:
            ToolFailure: Always.
        """
        msg = f"{path} cannot be attached in this session."
        raise ToolFailure(msg)

    async def from_clipboard(self) -> ImageAttachment:
        """Refuse.

        Raises:
            ToolFailure: Always.
        """
        return await self.read("An image")
