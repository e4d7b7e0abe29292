"""The process that runs a model's file starts when needed and always ends."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.providers.local_process import LocalProcess, ModelOrder
from tests.doubles.model_library import child_command
from tests.doubles.processes import wait_until

KEY = "secret-of-this-start"


@asynccontextmanager
async def process_of(
    tmp_path: Path, model: str = "m.gguf", *, limit_s: float = 20.0
) -> AsyncIterator[LocalProcess]:
    order = ModelOrder(model=tmp_path / model, key=KEY, template="{{ x }}", context_tokens=99)
    process = LocalProcess(order, command=child_command(tmp_path), start_limit_s=limit_s)
    try:
        yield process
    finally:
        await process.close()


async def test_it_is_bound_to_loopback_with_a_key_and_fetches_nothing(tmp_path: Path) -> None:
    async with process_of(tmp_path) as process:
        asked = json.loads(await process.ready())

    assert asked["hostnames"] == ["127.0.0.1"]
    assert asked["port"] == 0
    assert asked["api_keys"] == [KEY]
    assert asked["offline"] is True
    assert asked["path"] == str(tmp_path / "m.gguf")
    assert (asked["n_ctx"], asked["chat_template"]) == (99, "{{ x }}")
    assert KEY not in str(asked["arguments"])


async def test_it_gets_no_variable_that_could_hold_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-a")
    monkeypatch.setenv("SOME_NAME", "sk-b")
    async with process_of(tmp_path) as process:
        seen = json.loads(await process.ready())["environment"]
    # The interpreter of the child adds its own word about the encoding.
    assert {"ANTHROPIC_API_KEY", "SOME_NAME"}.isdisjoint(seen)


async def test_it_is_started_once_and_ends_when_it_is_closed(tmp_path: Path) -> None:
    async with process_of(tmp_path) as process:
        assert process.process_id is None
        first, second = await asyncio.gather(process.ready(), process.ready())
        assert first == second
        running = psutil.Process(process.process_id)
        await process.close()
        await process.close()
        assert not running.is_running()
        assert process.process_id is None


async def test_one_that_died_is_started_again(tmp_path: Path) -> None:
    async with process_of(tmp_path) as process:
        first = json.loads(await process.ready())["pid"]
        running = psutil.Process(first)
        running.kill()
        await asyncio.to_thread(running.wait)
        await wait_until(lambda: process.process_id is None)
        assert json.loads(await process.ready())["pid"] != first


async def test_the_end_of_its_input_ends_it(tmp_path: Path) -> None:
    # The input ends with the program, also when that is killed.
    async with process_of(tmp_path) as process:
        running = psutil.Process(json.loads(await process.ready())["pid"])
        assert process._process is not None
        assert process._process.stdin is not None
        process._process.stdin.close()
        await asyncio.to_thread(running.wait, 10)


async def test_a_model_that_cannot_be_loaded_says_why_in_one_safe_line(tmp_path: Path) -> None:
    async with process_of(tmp_path, "broken.gguf") as process:
        with pytest.raises(BadRequest, match="no such model") as caught:
            await process.ready()
        assert process.process_id is None
    assert "are missing" in str(caught.value)
    assert str(caught.value).isprintable()


async def test_a_server_that_dies_while_it_loads_is_an_error(tmp_path: Path) -> None:
    async with process_of(tmp_path, "dead.gguf") as process:
        with pytest.raises(BadRequest, match="its server ended"):
            await process.ready()


async def test_a_model_that_takes_too_long_is_an_error_and_its_process_ended(
    tmp_path: Path,
) -> None:
    async with process_of(tmp_path, "slow.gguf", limit_s=0.2) as process:
        with pytest.raises(BadRequest, match=r"not loaded within 0\.2 s"):
            await process.ready()
        assert process.process_id is None


async def test_cancelled_while_it_loads_nothing_stays_behind(tmp_path: Path) -> None:
    async with process_of(tmp_path, "slow.gguf") as process:
        starting = asyncio.create_task(process.ready())
        await wait_until(lambda: process.process_id is not None)
        running = psutil.Process(process.process_id)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert not running.is_running()


async def test_a_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    order = ModelOrder(model=tmp_path / "m.gguf", key=KEY)
    process = LocalProcess(order, command=(str(tmp_path / "nothing"),))
    with pytest.raises(BadRequest, match="cannot be started"):
        await process.ready()


def test_the_key_is_in_no_representation() -> None:
    assert KEY not in repr(ModelOrder(model=Path("/m.gguf"), key=KEY))
