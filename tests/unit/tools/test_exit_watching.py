"""The end of a child is noticed on the loop, once, and the child is not reaped by that."""

import asyncio
import os
import subprocess
import sys

import pytest

from caramelo_tui.tools.exit_watching import (
    ExitWatcher,
    watch_exit,
    watch_exit_by_pidfd,
    watch_exit_by_thread,
)

WATCHERS = [watch_exit, watch_exit_by_thread]
if hasattr(os, "pidfd_open"):
    WATCHERS.append(watch_exit_by_pidfd)


def child(code: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)


def end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate()


@pytest.mark.parametrize("watcher", WATCHERS)
async def test_the_end_is_noticed_and_the_child_is_left_to_be_reaped(watcher: ExitWatcher) -> None:
    ended = asyncio.Event()
    process = child("raise SystemExit(3)")
    stop = watcher(process, ended.set)
    await asyncio.wait_for(ended.wait(), 20)
    assert process.returncode is None
    assert process.wait() == 3
    stop()
    stop()
    end(process)


@pytest.mark.parametrize("watcher", WATCHERS)
async def test_after_the_stop_nothing_is_called(watcher: ExitWatcher) -> None:
    called: list[None] = []
    process = child("input()")
    watcher(process, lambda: called.append(None))()
    end(process)
    other = child("pass")
    noticed = asyncio.Event()
    watcher(other, noticed.set)
    await asyncio.wait_for(noticed.wait(), 20)
    assert called == []
    end(other)


async def test_without_process_descriptors_a_thread_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_pid: int) -> int:
        raise PermissionError(1, "forbidden by a sandbox")

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    ended = asyncio.Event()
    process = child("pass")
    watch_exit(process, ended.set)
    await asyncio.wait_for(ended.wait(), 20)
    end(process)
