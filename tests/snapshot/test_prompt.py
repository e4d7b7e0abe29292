"""How the prompt looks while it helps."""

import pytest

from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import opened
from tests.pilot.driving import NARROW, WIDE
from tests.snapshot.snapshots import assert_snapshot

FILES = (
    "README.md",
    "src/",
    "src/cli.py",
    "src/client.py",
    "src/two words.py",
    "tests/test_cli.py",
)
SIZES = [NARROW, WIDE]
SIZE_NAMES = ["80x24", "160x45"]


def agent() -> FakeAgent:
    return FakeAgent(folders={".": ()}, files=FILES)


@pytest.mark.parametrize("size", SIZES, ids=SIZE_NAMES)
async def test_files_are_offered(size: tuple[int, int]) -> None:
    async with opened(size=size, agent=agent()) as running:
        await running.press(*"explain @cl")
        await running.until(lambda: "▸ src/cli.py" in running.shown())
        await running.settle()
        assert_snapshot(running.app, f"mention-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", [(60, 16), *SIZES], ids=["60x16", *SIZE_NAMES])
async def test_commands_are_offered(size: tuple[int, int]) -> None:
    async with opened(size=size, agent=agent()) as running:
        await running.press("/", "down")
        await running.until(lambda: "▸ /help" in running.shown())
        await running.settle()
        assert_snapshot(running.app, f"commands-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES, ids=SIZE_NAMES)
async def test_what_waits(size: tuple[int, int]) -> None:
    async with opened(size=size, agent=agent()) as running:
        await running.press(*"go", "enter", *"use tabs", "ctrl+t", *"then the docs", "enter")
        await running.until(lambda: "queued  then the docs" in running.shown())
        await running.settle()
        assert_snapshot(running.app, f"waiting-{size[0]}x{size[1]}")
        await running.press("ctrl+l")
        await running.until(lambda: "▸ use tabs" in running.shown())
        await running.settle()
        assert_snapshot(running.app, f"waiting-list-{size[0]}x{size[1]}")
