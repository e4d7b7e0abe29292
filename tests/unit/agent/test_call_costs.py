"""What a call costs, counted: threads that are waited for, files that are opened."""

import asyncio
import sys
from pathlib import Path

from tests.doubles.counted_threads import CountedThreads
from tests.doubles.pipeline_worlds import World, read


class Opened:
    """Paths that were opened while the block lasted."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._is_on = False
        # A hook stays for good, so it can be told to be silent.
        sys.addaudithook(self._note)

    def __enter__(self) -> "Opened":
        self._is_on = True
        return self

    def __exit__(self, *_: object) -> None:
        self._is_on = False

    def _note(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._is_on and event == "open":
            self.names.append(Path(str(arguments[0])).name)


async def test_a_read_opens_its_file_once_and_waits_for_three_threads(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("a.txt", "one\n")
    threads = CountedThreads()
    asyncio.get_running_loop().set_default_executor(threads)
    with Opened() as opened:
        await world.run(read("1", "a.txt"))
    # What is known and kept, the reading itself, the keeping.
    assert threads.given == 3
    assert opened.names.count("a.txt") == 1


async def test_a_kept_answer_opens_nothing_and_waits_for_one_thread(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("a.txt", "one\n")
    await world.run(read("1", "a.txt"))
    threads = CountedThreads()
    asyncio.get_running_loop().set_default_executor(threads)
    with Opened() as opened:
        await world.run(read("2", "a.txt"))
    assert threads.given == 1
    assert "a.txt" not in opened.names
