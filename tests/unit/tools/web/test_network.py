"""The system's resolver."""

import asyncio
import socket
import threading

import pytest

from caramelo_tui.tools.web.network import SystemResolver


async def test_own_name_is_looked_up_without_repeats() -> None:
    found = await SystemResolver().addresses_of("localhost", 80)
    assert set(found) <= {"127.0.0.1", "::1"}
    assert len(set(found)) == len(found) > 0


async def test_address_is_its_own_answer() -> None:
    assert await SystemResolver().addresses_of("127.0.0.1", 80) == ["127.0.0.1"]


@pytest.mark.parametrize("name", ["", "a" * 70 + ".test", "no\0name"])
async def test_name_that_cannot_be_looked_up_is_an_os_error(name: str) -> None:
    answer = SystemResolver().addresses_of(name or "256.256.256.256.256", 80)
    with pytest.raises(OSError, match=r".+"):
        await answer


async def test_cancelled_look_up_ends_at_once_and_its_late_answer_disturbs_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(*_arguments: object, **_names: object) -> list[object]:
        started.set()
        go_on.wait(5)
        return []

    # The system's call cannot be made slow in any other way.
    monkeypatch.setattr(socket, "getaddrinfo", slow)
    call = asyncio.create_task(SystemResolver().addresses_of("a.test", 80))
    await asyncio.to_thread(started.wait, 5)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    (thread,) = [t for t in threading.enumerate() if t.name == "web-look-up"]
    assert thread.daemon
    go_on.set()
    await asyncio.to_thread(thread.join, 5)
    await asyncio.to_thread(int)
