"""ripgrep does what its arguments say, whatever surrounds it, and ends when it should."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.child_start import StartPlace
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped
from caramelo_tui.tools.search.regex_process import SearchTimedOut, Watch
from caramelo_tui.tools.search.ripgrep import (
    Ripgrep,
    RipgrepAnswer,
    find_ripgrep,
)


def far() -> Watch:
    return Watch(deadline=time.monotonic() + 20, stop=StopFlag())


@pytest.fixture
def ripgrep() -> Ripgrep:
    return Ripgrep(find_ripgrep(""))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[StartPlace]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield StartPlace(tmp_path, descriptor)
    os.close(descriptor)


def program(folder: Path, script: str) -> Ripgrep:
    """Return a stand-in that does what ``script`` says."""
    file = folder / "rg"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return Ripgrep(file)


def answer(ripgrep: Ripgrep, *options: str, text: bytes = b"") -> RipgrepAnswer:
    with ripgrep.start(options, text=text) as run:
        return run.answer(far())


def test_zero_one_and_two_are_three_answers(ripgrep: Ripgrep) -> None:
    found = answer(ripgrep, "-e", "b", "--", "-", text=b"a\nb\n")
    nothing = answer(ripgrep, "-e", "x", "--", "-", text=b"a\nb\n")
    wrong = answer(ripgrep, "-e", "(", "--", "-", text=b"a\nb\n")

    assert (found.stdout, found.has_failed) == (b"b\n", False)
    assert (nothing.stdout, nothing.has_failed) == (b"", False)
    assert wrong.has_failed
    assert b"unclosed group" in wrong.stderr


def test_failure_counts_even_where_something_was_found(ripgrep: Ripgrep) -> None:
    text = b"x\n" + b"a" * 100 + b"!\n"

    given_up = answer(ripgrep, "-P", "-e", "(?:a+)+\\z|x", "--", "-", text=text)

    assert given_up.stdout.startswith(b"x\n")
    assert given_up.has_failed


def test_pattern_with_a_dash_is_a_pattern(ripgrep: Ripgrep, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    found = answer(ripgrep, "-e", f"--pre=touch {mark}", "--", "-", text=b"--pre=touch\n")

    assert (found.stdout, found.has_failed) == (b"", False)
    assert not mark.exists()


def test_configuration_and_environment_of_the_user_are_not_seen(
    ripgrep: Ripgrep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rc").write_text("--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "rc"))

    assert answer(ripgrep, "-e", "b", "--", "-", text=b"a\nb\n").stdout == b"b\n"
    monkeypatch.setenv("SECRET", "7")
    assert answer(program(tmp_path, "/usr/bin/env"), "x").stdout.count(b"SECRET") == 0


def test_start_folder_is_the_one_that_was_opened(
    ripgrep: Ripgrep, folder: StartPlace, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("x")
    moved = tmp_path.rename(tmp_path.parent / "moved")
    tmp_path.mkdir()
    (tmp_path / "b.txt").write_text("x")

    with ripgrep.start(["--files"], folder=folder) as run:
        names = run.answer(far()).stdout

    assert names == b"a.txt\n"
    moved.rename(tmp_path.parent / "again")


def test_nothing_is_on_standard_input_when_no_text_is_given(tmp_path: Path) -> None:
    assert answer(program(tmp_path, "/bin/cat; pwd"), "x").stdout == b"/\n"


@pytest.mark.parametrize("is_stopped", [True, False])
def test_run_ends_at_the_deadline_and_when_stopped(tmp_path: Path, *, is_stopped: bool) -> None:
    stop = StopFlag()
    if is_stopped:
        stop.set()
    pids: list[int] = []
    endless = program(tmp_path, "exec /bin/sleep 60")

    def work() -> None:
        with endless.start(["x"]) as run:
            pids.append(run.pid)
            run.answer(Watch(deadline=time.monotonic() + 0.1, stop=stop))

    with pytest.raises(Stopped if is_stopped else SearchTimedOut):
        work()
    assert not psutil.pid_exists(pids[0])


def test_end_is_awaited_after_the_pipes_closed(tmp_path: Path) -> None:
    ran = answer(program(tmp_path, "exec 1>&- 2>&-; exec /bin/sleep 0.2"), "x")

    assert not ran.has_failed


def test_program_killed_by_a_signal_has_failed(tmp_path: Path) -> None:
    assert answer(program(tmp_path, "kill -9 $$"), "x").has_failed


def test_much_output_on_both_pipes_is_read(tmp_path: Path) -> None:
    script = "/usr/bin/head -c 300000 /dev/zero >&2; /usr/bin/head -c 300000 /dev/zero"

    ran = answer(program(tmp_path, script), "x")

    assert len(ran.stdout) == 300_000
    assert len(ran.stderr) == 65_536


def test_missing_or_broken_program_is_said(tmp_path: Path) -> None:
    with pytest.raises(ToolFailure, match="not installed"):
        answer(Ripgrep(None), "x")
    with pytest.raises(ToolFailure, match="could not be started"):
        answer(Ripgrep(tmp_path / "missing"), "x")
    assert not Ripgrep(None).is_available


def test_installed_program_comes_before_the_user_s(tmp_path: Path) -> None:
    program(tmp_path, "exit 0")

    found = find_ripgrep(str(tmp_path))

    assert found is not None
    assert found.parent != tmp_path


def test_relative_entries_of_the_path_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "exit 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sysconfig.get_path", lambda *_: "/nowhere")

    assert find_ripgrep(f".{os.pathsep}{os.pathsep}bin") is None
    assert find_ripgrep(f".{os.pathsep}{tmp_path}") == tmp_path / "rg"


def test_a_program_of_the_workspace_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "exit 0")
    monkeypatch.setattr("sysconfig.get_path", lambda *_: "/nowhere")

    assert find_ripgrep(str(tmp_path), outside=tmp_path.parent) is None
    assert find_ripgrep(str(tmp_path), outside=tmp_path / "project") == tmp_path / "rg"


def test_text_is_handed_over_without_memory_files_too(
    ripgrep: Ripgrep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)

    assert answer(ripgrep, "-e", "b", "--", "-", text=b"a\nb\n").stdout == b"b\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a running process")
def test_memory_of_a_run_is_bounded(ripgrep: Ripgrep, folder: StartPlace, tmp_path: Path) -> None:
    # An ignore file without end and without lines: all of it would be one pattern.
    (tmp_path / ".ignore").symlink_to("/dev/zero")

    with ripgrep.start(["--files", "--no-require-git"], folder=folder) as run:
        assert run.answer(far()).has_failed
