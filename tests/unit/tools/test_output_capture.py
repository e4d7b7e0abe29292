"""Output is taken in bounded memory and shown at a bounded pace."""

import asyncio
import errno
import os
from pathlib import Path

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.tools.output_capture import (
    ARTIFACT_BYTES,
    LIVE_BYTES,
    Artifact,
    LiveFeed,
    OutputCapture,
    StreamEnds,
)
from tests.doubles.processes import open_descriptors, wait_until

OUT = OutputStream.STDOUT


def test_a_head_keeps_the_first_bytes_and_counts_all() -> None:
    head = StreamEnds(4)
    for piece in (b"ab", b"cde", b"f"):
        head.add(piece)

    assert (head.head, head.total_bytes) == (b"abcd", 6)


def test_a_tail_keeps_the_last_bytes_however_they_come() -> None:
    ends = StreamEnds(2, 3)
    for piece in (b"a", b"bcdefgh", b"", b"ij"):
        ends.add(piece)

    assert (ends.head, ends.tail, ends.total_bytes) == (b"ab", b"hij", 10)


def test_a_short_stream_is_head_and_tail_at_once() -> None:
    ends = StreamEnds(8, 8)
    ends.add(b"abc")

    assert (ends.head, ends.tail) == (b"abc", b"abc")


async def test_live_output_is_joined_and_a_flood_keeps_its_end() -> None:
    seen: list[bytes] = []
    feed = LiveFeed(lambda _stream, data: seen.append(data))
    feed.add(OUT, b"a")
    feed.add(OUT, b"b")
    feed.close()
    assert seen == [b"ab"]

    feed = LiveFeed(lambda _stream, data: seen.append(data))
    feed.add(OUT, b"x" * 100_000 + b"end")
    feed.close()
    assert seen[1].endswith(b"xxend")
    assert len(seen[1]) < LIVE_BYTES + 100
    assert b"bytes not shown live" in seen[1]
    feed.add(OUT, b"late")
    feed.close()
    assert len(seen) == 2


async def test_both_streams_end_when_nobody_holds_them(tmp_path: Path) -> None:
    before = open_descriptors()
    capture = OutputCapture(keep_bytes=10, artifact=Artifact(tmp_path, "a"), live=None)
    writers = [os.dup(pump.write_end) for pump in capture.pumps.values()]
    capture.start()
    os.write(writers[0], b"hello")
    capture.read_available()
    assert capture.kept[OUT].head == b"hello"

    for writer in writers:
        os.close(writer)
    await capture.ended.wait()
    assert open_descriptors() == before


async def test_a_slow_pipe_is_still_read_to_its_end(tmp_path: Path) -> None:
    capture = OutputCapture(keep_bytes=10, artifact=Artifact(tmp_path, "a"), live=None)
    writer = os.dup(capture.pumps[OUT].write_end)
    capture.start()
    capture.go_on_in_background()
    for _ in range(3):
        os.write(writer, b"x")
        await asyncio.sleep(0)
    await wait_until(lambda: capture.kept[OUT].total_bytes == 3)
    os.close(writer)

    async with asyncio.timeout(5):
        await capture.ended.wait()


async def test_closing_twice_and_in_a_pause_is_safe(tmp_path: Path) -> None:
    capture = OutputCapture(keep_bytes=10, artifact=Artifact(tmp_path, "a"), live=None)
    writer = os.dup(capture.pumps[OUT].write_end)
    capture.start()
    capture.go_on_in_background()
    os.write(writer, b"x")
    await wait_until(lambda: capture.kept[OUT].total_bytes == 1)
    capture.close()
    capture.close()
    os.close(writer)

    assert capture.ended.is_set()


def test_an_artifact_is_bounded_and_private(tmp_path: Path) -> None:
    artifact = Artifact(tmp_path / "new" / "folder", "a.out")
    assert artifact.name is None
    for _ in range(3):
        artifact.write(b"x" * (ARTIFACT_BYTES // 2))
    artifact.close()
    artifact.write(b"late")

    file = tmp_path / "new" / "folder" / "a.out"
    assert artifact.name == "a.out"
    assert file.stat().st_size == artifact.size == ARTIFACT_BYTES
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_an_artifact_never_replaces_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("kept")
    artifact = Artifact(tmp_path, "a")
    artifact.write(b"new")

    assert artifact.problem == os.strerror(errno.EEXIST)
    assert (tmp_path / "a").read_text() == "kept"
