"""A full descriptor table is said, costs no run, and leaves no descriptor open."""

import asyncio
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.disks import fewer_descriptors, open_descriptors
from tests.faults.worlds import Way, at_work, completed

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc"
)


@pytest.fixture(autouse=True)
def small_table() -> Iterator[None]:
    """Let the table be full soon; the limit is the test's alone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(open_descriptors()) + 60, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("left", [0, 2, 3])
@pytest.mark.parametrize("way", Way, ids=lambda way: way.value)
async def test_a_full_table_is_said_and_the_work_goes_on_when_it_is_not(
    way: Way, left: int, tmp_path: Path
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    before = len(open_descriptors())
    async with at_work(way, root, tmp_path / "home") as world:
        run = await world.begin()
        with fewer_descriptors(left) as give_back:
            world.gate.goes_on.set()
            assert completed(await run)
            give_back()
        if left < 3:
            assert "Too many open files" in world.results()
            # A file that cannot be opened is not one that somebody changed.
            assert "changed on disk" not in world.results()
            assert "ulimit -n" in world.results()
            assert await world.shows("ulimit -n")
        assert completed(await world.run("second"))
        assert (root / "two.txt").read_text() == "text\n" * 200
        assert "two.txt is here" in (root / "old.txt").read_text()
        seen = [event.head.seq for event in world.events]
    assert world.stored()[: len(seen)] == seen
    async with asyncio.timeout(10):
        # The thread of the system's notification lets go of its own a moment later.
        while len(open_descriptors()) > before:  # noqa: ASYNC110 - no event tells of a descriptor
            await asyncio.sleep(0.01)
