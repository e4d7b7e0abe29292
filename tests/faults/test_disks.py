"""Disks that are full, read-only or gone: said with a name and advice, nothing shown is lost."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.disks import SmallDisk, small_disk, why_not
from tests.faults.worlds import Way, World, at_work, completed

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())

WAYS = pytest.mark.parametrize("way", Way, ids=lambda way: way.value)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def root_disk(root: Path) -> Iterator[SmallDisk]:
    with small_disk(root) as disk:
        yield disk


@pytest.fixture
def home_disk(home: Path) -> Iterator[SmallDisk]:
    with small_disk(home) as disk:
        yield disk


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def append(source: Path, target: Path) -> None:
    with target.open("ab") as file:
        file.write(source.read_bytes())


def take_away(root: Path, aside: Path, becomes: str) -> None:
    root.rename(aside)
    if becomes == "a file":
        root.write_text("in its place")


def bring_back(root: Path, aside: Path) -> None:
    root.unlink(missing_ok=True)
    aside.rename(root)


def assert_second_run_did_its_work(world: World) -> None:
    assert (world.root / "two.txt").read_text() == "text\n" * 200
    assert "two.txt is here" in (world.root / "old.txt").read_text()


@WAYS
async def test_a_full_workspace_is_named_and_the_work_goes_on_when_there_is_room(
    way: Way, root: Path, home: Path, root_disk: SmallDisk
) -> None:
    async with at_work(way, root, home) as world:
        run = await world.begin()
        root_disk.fill()
        world.gate.goes_on.set()
        assert completed(await run)
        assert "one.txt: No space left on device (make room on its disk)" in world.results()
        assert not (root / "one.txt").exists()
        assert "one.txt is to come" in (root / "old.txt").read_text()
        assert await world.shows("No space left on device (make room on its disk)")
        root_disk.free()
        assert completed(await world.run("second"))
        assert_second_run_did_its_work(world)
    assert names_in(root) == ["made.txt", "old.txt", "two.txt"]
    # What the watcher tells after the last run nobody has seen here.
    assert world.stored()[: len(world.events)] == [event.head.seq for event in world.events]


@WAYS
async def test_a_full_home_stops_no_run_and_what_waited_is_written_when_there_is_room(
    way: Way, root: Path, home: Path, home_disk: SmallDisk
) -> None:
    async with at_work(way, root, home) as world:
        run = await world.begin()
        home_disk.fill()
        world.gate.goes_on.set()
        assert completed(await run)
        told = world.results()
        assert "The session file" in told
        assert "cannot be written: No space left on device (make room on its disk)" in told
        assert "the copy that an undo needs could not be kept" in told
        assert not (root / "one.txt").exists()
        assert await world.shows("cannot be written: No space left on device")
        home_disk.free()
        assert completed(await world.run("second"))
        assert_second_run_did_its_work(world)
    assert "can be written again" in world.results()
    assert world.agent.sessions.unkept == ""
    assert world.stored()[: len(world.events)] == [event.head.seq for event in world.events]


@WAYS
async def test_a_home_that_stays_full_loses_nothing_that_was_shown(
    way: Way, root: Path, home: Path, home_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    async with at_work(way, root, home) as world:
        run = await world.begin()
        home_disk.fill()
        world.gate.goes_on.set()
        assert completed(await run)
    (name,) = names_in(elsewhere)
    kept = elsewhere / name
    assert f"They are kept in {kept}" in world.agent.sessions.unkept
    home_disk.free()
    append(kept, world.session_file())
    assert world.stored()[: len(world.events)] == [event.head.seq for event in world.events]


@WAYS
async def test_a_full_folder_for_temporary_files_stops_nothing(
    way: Way, root: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(tmp_path / "tmp") as disk:
        monkeypatch.setenv("TMPDIR", str(disk.place))
        monkeypatch.setattr(tempfile, "tempdir", None)
        disk.fill()
        async with at_work(way, root, home) as world:
            world.gate.goes_on.set()
            assert completed(await world.run("first"))
            assert completed(await world.run("second"))
            assert_second_run_did_its_work(world)
    assert (root / "made.txt").read_text() == "made\n"


@WAYS
async def test_a_read_only_workspace_is_named_and_can_be_made_writable(
    way: Way, root: Path, home: Path, root_disk: SmallDisk
) -> None:
    async with at_work(way, root, home) as world:
        run = await world.begin()
        root_disk.make_read_only()
        world.gate.goes_on.set()
        assert completed(await run)
        assert "one.txt: Read-only file system (it lies on a disk" in world.results()
        assert await world.shows("Read-only file system")
        root_disk.make_writable()
        assert completed(await world.run("second"))
        assert_second_run_did_its_work(world)
    # What the watcher tells after the last run nobody has seen here.
    assert world.stored()[: len(world.events)] == [event.head.seq for event in world.events]


@WAYS
async def test_a_home_that_is_read_only_from_the_start_is_named(
    way: Way, root: Path, home: Path, home_disk: SmallDisk
) -> None:
    home_disk.make_read_only()
    async with at_work(way, root, home) as world:
        world.gate.goes_on.set()
        assert completed(await world.run("first"))
        told = world.results()
        assert "cannot be written: Read-only file system (it lies on a disk" in told
        assert "the copy that an undo needs could not be kept" in told
        assert not (root / "one.txt").exists()
        home_disk.make_writable()
        assert completed(await world.run("second"))
        assert_second_run_did_its_work(world)
    assert world.stored()[: len(world.events)] == [event.head.seq for event in world.events]


@WAYS
@pytest.mark.parametrize("becomes", ["gone", "a file"])
async def test_a_workspace_that_goes_is_named_and_may_come_back(
    way: Way, root: Path, home: Path, becomes: str
) -> None:
    aside = root.with_name("aside")
    async with at_work(way, root, home) as world:
        run = await world.begin()
        take_away(root, aside, becomes)
        world.gate.goes_on.set()
        assert completed(await run)
        gone = f"the workspace folder {root} is not there any more"
        assert world.results().count(gone) == 4  # Three results and one notice.
        assert await world.shows(gone)
        assert "one.txt does not exist" not in world.results()
        await asyncio.wait_for(_until_told(world, "was deleted, moved or replaced"), 20)
        bring_back(root, aside)
        assert completed(await world.run("second"))
        assert_second_run_did_its_work(world)
    seen = [event.head.seq for event in world.events]
    assert world.stored()[: len(seen)] == seen


async def _until_told(world: World, words: str) -> None:
    reader = world.agent.read_events()
    async for event in reader:
        if words in str(event):
            reader.close()
            return


@WAYS
async def test_a_home_that_is_deleted_under_the_session_comes_back_with_all_of_it(
    way: Way, root: Path, home: Path
) -> None:
    async with at_work(way, root, home) as world:
        run = await world.begin()
        await world.kept()
        shutil.rmtree(home)
        world.gate.goes_on.set()
        assert completed(await run)
        assert completed(await world.run("second"))
        assert (root / "one.txt").exists()
        assert_second_run_did_its_work(world)
    assert world.stored()[: len(world.events)] == [event.head.seq for event in world.events]
