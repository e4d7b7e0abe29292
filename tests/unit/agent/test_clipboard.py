"""Programs of the desktop take a text; what is missing or fails is no copy."""

from pathlib import Path

import pytest

from caramelo_tui.agent.clipboard import LIMIT_S, SystemClipboard
from caramelo_tui.tools.child_environment import ChildEnvironment


def write_program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def clipboard_of(folder: Path, root: Path, **more: str) -> SystemClipboard:
    root.mkdir(exist_ok=True)
    variables = {"PATH": f"{folder}:/usr/bin:/bin", "MY_TOKEN": "secret", **more}
    return SystemClipboard(
        root.resolve(), environment=ChildEnvironment(variables), variables=variables
    )


@pytest.mark.parametrize(
    ("program", "variable"),
    [("wl-copy", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY"), ("xsel", "DISPLAY"), ("pbcopy", "")],
)
async def test_the_program_that_fits_gets_the_text(
    tmp_path: Path, program: str, variable: str
) -> None:
    write_program(tmp_path / "bin", program, f"cat > {tmp_path}/got; env > {tmp_path}/env")
    clipboard = clipboard_of(
        tmp_path / "bin", tmp_path / "w", **({variable: "x"} if variable else {})
    )
    assert await clipboard.put("naïve \u2026\n")
    assert (tmp_path / "got").read_text() == "naïve \u2026\n"
    assert "secret" not in (tmp_path / "env").read_text()


async def test_without_a_desktop_nothing_is_asked(tmp_path: Path) -> None:
    write_program(tmp_path / "bin", "xclip", f"touch {tmp_path}/ran")
    assert not await clipboard_of(tmp_path / "bin", tmp_path / "w").put("x")
    assert not (tmp_path / "ran").exists()


async def test_one_that_fails_leaves_it_to_the_next(tmp_path: Path) -> None:
    write_program(tmp_path / "bin", "xclip", "exit 1")
    write_program(tmp_path / "bin", "xsel", f"cat > {tmp_path}/got")
    assert await clipboard_of(tmp_path / "bin", tmp_path / "w", DISPLAY=":0").put("x")
    assert (tmp_path / "got").read_text() == "x"


async def test_one_that_hangs_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LIMIT_S <= 5
    monkeypatch.setattr("caramelo_tui.agent.clipboard.LIMIT_S", 0.2)
    write_program(tmp_path / "bin", "xclip", "exec sleep 60")
    assert not await clipboard_of(tmp_path / "bin", tmp_path / "w", DISPLAY=":0").put("x")


async def test_a_program_of_the_workspace_is_not_taken(tmp_path: Path) -> None:
    root = tmp_path / "w"
    write_program(root, "xclip", f"touch {tmp_path}/ran")
    assert not await clipboard_of(root, root, DISPLAY=":0").put("x")
    assert not (tmp_path / "ran").exists()
