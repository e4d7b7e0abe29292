"""Which bytes become an attachment: files of the user's, and the clipboard."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from caramelo_tui.agent.images import ClipboardPrograms, ImageReader, NoImages
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.images import IMAGE_BYTES
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.subprocesses import CommandRunner
from tests.doubles.images import gif, png


class Programs:
    """Prints what a test says, by program."""

    def __init__(self, printed: Mapping[str, bytes | None]) -> None:
        self._printed = printed
        self.asked: list[str] = []

    async def print_of(self, command: Sequence[str], *, keep_bytes: int) -> bytes | None:
        assert keep_bytes > IMAGE_BYTES
        self.asked.append(command[0])
        return self._printed.get(command[0])


def reader(root: Path, programs: Programs | None = None, **variables: str) -> ImageReader:
    return ImageReader(
        root,
        takes_images=lambda: True,
        programs=programs or Programs({}),
        variables={"HOME": str(root / "home"), **variables},
    )


async def test_a_file_of_the_workspace_has_its_path_as_its_name(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.png").write_bytes(png(1, 1))
    image = await reader(tmp_path).read("docs/a.png")
    assert (image.name, image.media_type, image.data) == ("docs/a.png", "image/png", png(1, 1))


async def test_a_file_elsewhere_has_its_last_part_as_its_name(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "a.gif").write_bytes(gif(1, 1))
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    found = ImageReader(
        workspace,
        takes_images=lambda: False,
        programs=Programs({}),
        variables={"HOME": str(tmp_path / "home")},
    )
    assert (await found.read("~/a.gif")).name == "a.gif"
    assert (await found.read(str(tmp_path / "home" / "a.gif"))).media_type == "image/gif"
    assert not found.can_send


async def test_what_is_no_image_is_refused_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no image")
    with pytest.raises(ToolFailure, match=r"a\.png is no PNG, JPEG, GIF or WebP image"):
        await reader(tmp_path).read("a.png")


async def test_an_image_of_just_the_limit_is_taken_and_a_larger_one_is_not(tmp_path: Path) -> None:
    head = png(1, 1)
    (tmp_path / "a.png").write_bytes(head + b"\0" * (IMAGE_BYTES - len(head)))
    assert len((await reader(tmp_path).read("a.png")).data) == IMAGE_BYTES
    (tmp_path / "a.png").write_bytes(head + b"\0" * (IMAGE_BYTES - len(head) + 1))
    with pytest.raises(ToolFailure, match="larger than 5 MB"):
        await reader(tmp_path).read("a.png")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("gone.png", "No such file"),
        ("folder.png", "Is a directory|no regular file"),
        ("pipe.png", "no regular file"),
        ("a\0.png", "null"),
    ],
)
async def test_what_is_no_file_is_refused_and_never_waited_for(
    tmp_path: Path, path: str, reason: str
) -> None:
    (tmp_path / "folder.png").mkdir()
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(ToolFailure, match=reason):
        await asyncio.wait_for(reader(tmp_path).read(path), 5)


async def test_the_clipboard_is_asked_by_the_programs_that_fit_the_session(tmp_path: Path) -> None:
    programs = Programs({"xclip": png(2, 2)})
    image = await reader(tmp_path, programs, DISPLAY=":0").from_clipboard()
    assert (image.name, image.data) == ("clipboard.png", png(2, 2))
    assert programs.asked == ["xclip"]


async def test_a_clipboard_without_an_image_is_said(tmp_path: Path) -> None:
    programs = Programs({"wl-paste": None, "xclip": b""})
    with pytest.raises(ToolFailure, match="No image came from the clipboard"):
        await reader(tmp_path, programs, DISPLAY=":0", WAYLAND_DISPLAY="w").from_clipboard()
    assert programs.asked == ["wl-paste", "xclip", "pngpaste"]


def programs_in(folder: Path) -> ClipboardPrograms:
    runner = CommandRunner(
        session_mark="mark",
        environment=ChildEnvironment({"PATH": f"{folder}:/usr/bin:/bin"}),
        artifacts_folder=folder / "outputs",
    )
    return ClipboardPrograms(runner, CountingIds())


async def test_a_real_program_is_run_and_its_failure_is_none(tmp_path: Path) -> None:
    for name, body in (("shows", "printf image"), ("fails", "printf image; exit 1")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
    programs = programs_in(tmp_path)
    assert await programs.print_of(["shows"], keep_bytes=100) == b"image"
    assert await programs.print_of(["fails"], keep_bytes=100) is None
    assert await programs.print_of(["missing-program"], keep_bytes=100) is None


async def test_a_session_without_images_refuses_them() -> None:
    assert not NoImages().can_send
    with pytest.raises(ToolFailure):
        await NoImages().read("a.png")
    with pytest.raises(ToolFailure):
        await NoImages().from_clipboard()
