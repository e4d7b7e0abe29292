"""The box, with the real bwrap: what can be changed, seen and reached from inside."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.command_box import BubblewrapBox, NoBox

PATH = os.environ.get("PATH", os.defpath)


def works() -> bool:
    return shutil.which("bwrap") is not None and not box_of(Path("/etc")).problem()


def box_of(
    root: Path, *, has_network: bool = False, read_only: tuple[Path, ...] = ()
) -> BubblewrapBox:
    return BubblewrapBox(root, search_path=PATH, has_network=has_network, read_only=read_only)


needs_bwrap = pytest.mark.skipif(not works(), reason="bwrap is missing or cannot be used here")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the workspace that is not below /tmp in the box's eyes."""
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder.resolve()


def left_there(name: str) -> bool:
    return (Path(tempfile.gettempdir()) / name).exists()


def accept_one(server: socket.socket) -> None:
    connection, _address = server.accept()
    connection.close()


def done_of(command: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)


async def run(box: BubblewrapBox, root: Path, script: str) -> subprocess.CompletedProcess[str]:
    return done_of(await box.wrapped(("/bin/sh", "-c", script), root))


@needs_bwrap
async def test_the_workspace_is_writable_and_is_where_it_starts(root: Path) -> None:
    (root / "sub").mkdir()
    command = await box_of(root).wrapped(("/bin/sh", "-c", "pwd; echo x > made"), root / "sub")
    done = done_of(command)
    assert done.stdout == f"{root}/sub\n"
    assert (root / "sub" / "made").read_text() == "x\n"


@needs_bwrap
@pytest.mark.parametrize("place", ["/etc", "/usr", "/var", "/opt"])
async def test_the_rest_is_read_only(root: Path, place: str) -> None:
    done = await run(box_of(root), root, f"touch {place}/caramelo-was-here")
    assert done.returncode != 0
    assert "Read-only" in done.stderr


@needs_bwrap
async def test_temporary_files_of_others_are_not_seen(root: Path, outside: Path) -> None:
    (outside / "secret").write_text("x")
    own = tempfile.gettempdir()
    script = f"cat {outside}/secret; echo y > {own}/caramelo-own && cat {own}/caramelo-own"
    done = await run(box_of(root), root, script)
    assert done.stdout == "y\n"
    assert not left_there("caramelo-own")


@needs_bwrap
async def test_sockets_of_others_are_out_of_sight(root: Path) -> None:
    done = await run(box_of(root), root, "find /run /tmp -type s")
    assert done.stdout == ""


@needs_bwrap
async def test_processes_are_its_own_and_end_with_it(root: Path) -> None:
    done = await run(box_of(root), root, f"ls /proc | grep -c '^{os.getpid()}$'; (sleep 300 &) ")
    assert done.stdout == "0\n"


@needs_bwrap
@pytest.mark.parametrize("has_network", [True, False])
async def test_the_network_is_reached_only_where_it_is_allowed(
    root: Path, *, has_network: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)
        port = server.getsockname()[1]
        taken = threading.Thread(target=accept_one, args=(server,))
        if has_network:
            taken.start()
        (root / "ask.py").write_text(
            f"import socket; socket.create_connection(('127.0.0.1', {port}), 5); print('through')"
        )
        done = await run(box_of(root, has_network=has_network), root, "python3 ask.py")
        if has_network:
            taken.join()
    assert ("through" in done.stdout) is has_network, done.stderr


@needs_bwrap
async def test_folders_of_the_program_stay_as_they_are(root: Path) -> None:
    own = root / "state"
    own.mkdir()
    done = await run(box_of(root, read_only=(own, root / "missing")), root, "echo x > state/y")
    assert done.returncode != 0
    assert not (own / "y").exists()


@needs_bwrap
async def test_exit_codes_and_arguments_go_through(root: Path) -> None:
    command = await box_of(root).wrapped(
        ("/bin/sh", "-c", 'echo "$1"; exit 7', "sh", "--x y"), root
    )
    done = done_of(command)
    assert (done.stdout, done.returncode) == ("--x y\n", 7)


async def test_without_bwrap_nothing_runs_and_the_way_out_is_named(root: Path) -> None:
    box = BubblewrapBox(root, search_path=str(root), has_network=False)
    with pytest.raises(ToolFailure, match=r"bwrap is not installed.*commands\.sandbox"):
        await box.wrapped(("true",), root)


async def test_a_bwrap_that_does_not_work_is_named_with_its_words(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "bwrap"
    fake.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    root = tmp_path / "work"
    root.mkdir()
    box = BubblewrapBox(root, search_path=str(fake.parent), has_network=False)
    with pytest.raises(ToolFailure, match="No permissions to create new namespace"):
        await box.wrapped(("true",), root)


def test_its_trial_gets_no_variable_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key")
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/sh\n/usr/bin/env > {tmp_path}/seen\n")
    fake.chmod(0o755)
    root = tmp_path / "work"
    root.mkdir()
    box = BubblewrapBox(root, search_path=str(tmp_path), has_network=False)
    assert box.problem() == ""
    assert "planted-key" not in (tmp_path / "seen").read_text()


async def test_a_bwrap_of_the_workspace_is_not_taken(root: Path) -> None:
    fake = root / "bwrap"
    fake.write_text("#!/bin/sh\ntouch ran\n")
    fake.chmod(0o755)
    box = BubblewrapBox(root, search_path=str(root), has_network=False)
    assert box.problem() == "bwrap is not installed"
    assert not (root / "ran").exists()


def test_the_whole_system_is_no_workspace_for_it() -> None:
    assert "whole system" in box_of(Path("/")).problem()


async def test_without_a_box_the_command_is_as_it_was(root: Path) -> None:
    assert await NoBox().wrapped(("a", "b"), root) == ("a", "b")
    assert not NoBox().is_used
