"""Tools by hand go the way of a model's calls; lines in, lines out."""

import asyncio
import io
import json
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition import Core, build_core
from caramelo_tui.domain.agent_events import ToolCallFinished, ToolCallStarted
from caramelo_tui.headless.line_channel import LineChannel
from caramelo_tui.headless.tools_by_hand import ToolsByHand, run_one, serve_lines
from caramelo_tui.workspace.stamps import is_settled, stamp_of
from tests.doubles.cores import core_options
from tests.doubles.processes import is_running, read_pid, wait_until


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    core = build_core(core_options(tmp_path))
    yield core
    await core.end_processes()


def by_hand(core: Core) -> ToolsByHand:
    return ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)


async def settled_file(core: Core, name: str, text: str) -> Path:
    """Make a file that is old enough for an answer about it to be kept."""
    path = core.sandbox.root / name
    path.write_text(text)
    await wait_until(lambda: is_settled(stamp_of(path.stat()), time.time_ns()))
    return path


async def serve(tools: ToolsByHand, *lines: object, limit_bytes: int = 100_000) -> list[object]:
    """Send lines (values as JSON, bytes as they are) and return the answers."""
    sent = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink:
        source.write(b"\n".join(sent))
        source.seek(0)
        channel = LineChannel(source=source.fileno(), sink=sink.fileno(), limit_bytes=limit_bytes)
        assert await serve_lines(tools, channel) == 0
        sink.seek(0)
        return [json.loads(line) for line in sink.read().splitlines()]


def field(answers: list[object], name: str) -> list[object]:
    return [answer[name] for answer in answers if isinstance(answer, dict)]


async def test_each_line_gets_one_answer_in_order(core: Core) -> None:
    (core.sandbox.root / "a.txt").write_text("hello\n")
    answers = await serve(
        by_hand(core),
        {"id": 1, "name": "file_read", "arguments": {"path": "a.txt"}},
        {"id": "two", "name": "file_write", "arguments": {"path": "b.txt", "content": "x"}},
        b"  ",
        {"id": None, "name": "file_read", "arguments": {"path": "b.txt"}},
    )
    assert field(answers, "id") == [1, "two", None]
    assert field(answers, "is_error") == [False, False, False]
    assert field(answers, "content")[0] == "path: a.txt\nlines: 1-1 of 1\nbytes: 6\n\nhello\n"
    assert all(
        isinstance(answer, dict)
        and list(answer) == ["id", "content", "is_error", "cached", "duration_ms"]
        and isinstance(answer["duration_ms"], int)
        for answer in answers
    )


async def test_the_second_read_comes_from_the_one_cache(core: Core) -> None:
    path = await settled_file(core, "a.txt", "hello\n")
    line = {"id": 1, "name": "file_read", "arguments": {"path": "a.txt"}}
    answers = await serve(by_hand(core), line, line)
    assert field(answers, "cached") == [False, True]
    assert len(set(map(str, field(answers, "content")))) == 1
    path.write_text("other\n")
    (fresh,) = await serve(by_hand(core), line)
    assert field([fresh], "cached") == [False]
    assert "other" in str(fresh)


@pytest.mark.parametrize(
    ("line", "says", "call_id"),
    [
        (b"nonsense", "not JSON", None),
        (b"\xff", "not JSON", None),
        (b"[" * 90_000, "not JSON", None),
        (b"[1]", "must be an object", None),
        (b"null", "must be an object", None),
        (b'{"id": 3}', '"name" must be', 3),
        (b'{"id": 3, "name": 4}', '"name" must be', 3),
        (b'{"id": 3, "id": 3, "name": "grep"}', "stands twice in one object: id", 3),
        (
            b'{"id": 3, "name": "grep", "arguments": {"pattern": "a", "pattern": "b"}}',
            "stands twice in one object: pattern",
            3,
        ),
        (b"x" * 100_001, "longer than 100,000 bytes", None),
        (b'{"id": 3, "name": "nope"}', "There is no tool 'nope'", 3),
        (b'{"id": 3, "name": "grep", "arguments": null}', "a JSON object is expected", 3),
        (b'{"id": 3, "name": "grep", "arguments": "{broken"}', "not usable JSON", 3),
        (b'{"id": 3, "name": "grep", "arguments": "{\\"a\\":1,\\"a\\":2}"}', '"a" stands', 3),
        (b'{"id": 3, "name": "grep"}', "`pattern` is missing", 3),
    ],
)
async def test_a_line_that_is_no_good_call_is_answered_with_an_error(
    core: Core, line: bytes, says: str, call_id: object
) -> None:
    (answer, after) = await serve(by_hand(core), line, {"id": 9, "name": "list_dir"})
    assert isinstance(answer, dict)
    assert says in answer["content"]
    assert (answer["id"], answer["is_error"], answer["cached"]) == (call_id, True, False)
    assert field([after], "is_error") == [False]


async def test_no_byte_of_the_content_is_lost(core: Core) -> None:
    text = "a\u2028b \x1b[31m\u202e\U0001f36c\n\n\n"
    (core.sandbox.root / "a.txt").write_text(text)
    (answer,) = await serve(
        by_hand(core), {"id": 1, "name": "file_read", "arguments": {"path": "a.txt"}}
    )
    assert isinstance(answer, dict)
    assert answer["content"].endswith(f"\n\n{text}")


async def test_one_call_prints_its_text_whole_and_safe(core: Core) -> None:
    (core.sandbox.root / "a.txt").write_text("a\x1b[2J\n\n\n")
    out = io.StringIO()
    assert await run_one(by_hand(core), "file_read", '{"path": "a.txt"}', out) == 0
    assert out.getvalue().endswith("\n\na<U+001B>[2J\n\n\n")
    out = io.StringIO()
    assert await run_one(by_hand(core), "file_read", '{"path": "no"}', out) == 1
    assert out.getvalue() == "no does not exist.\n"


@pytest.mark.parametrize(
    ("approver", "is_written", "has_run"),
    [
        (ByHandApprover(approves_writes=False, approves_commands=False), False, False),
        (ByHandApprover(approves_writes=True, approves_commands=False), True, False),
        (ByHandApprover(approves_writes=True, approves_commands=True), True, True),
    ],
    ids=["none", "writes", "all"],
)
async def test_what_is_approved_is_what_the_flag_says(
    tmp_path: Path, approver: ByHandApprover, *, is_written: bool, has_run: bool
) -> None:
    core = build_core(core_options(tmp_path, approver=approver))
    answers = await serve(
        by_hand(core),
        {"id": 1, "name": "file_write", "arguments": {"path": "a", "content": "x"}},
        {"id": 2, "name": "bash", "arguments": {"command": "touch b"}},
        {"id": 3, "name": "bash", "arguments": {"command": "rm -rf /"}},
        {"id": 4, "name": "list_dir", "arguments": {}},
    )
    assert (core.sandbox.root / "a").exists() is is_written
    assert (core.sandbox.root / "b").exists() is has_run
    assert field(answers, "is_error") == [not is_written, not has_run, True, False]
    texts = list(map(str, field(answers, "content")))
    assert ("--approve writes" in texts[0]) is not is_written
    assert ("--approve all" in texts[1]) is not has_run
    assert "denied by the policy" in texts[2]
    await core.end_processes()


async def test_an_interrupt_ends_the_running_call_and_leaves_no_child(core: Core) -> None:
    call = asyncio.create_task(
        by_hand(core).call("bash", json.dumps({"command": "sleep 600 & echo $! > pid; wait"}))
    )
    pid_file = core.sandbox.root / "pid"
    await wait_until(lambda: read_pid(pid_file) > 0)
    pid = read_pid(pid_file)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await core.end_processes()
    assert not is_running(pid)
    kinds = [type(event) for event in core.events.events]
    assert (kinds.count(ToolCallStarted), kinds.count(ToolCallFinished)) == (1, 1)


async def test_a_child_left_running_ends_with_the_program(core: Core) -> None:
    command = {"command": "setsid sleep 600 >/dev/null 2>&1 & echo $!"}
    answered = await by_hand(core).call("bash", json.dumps(command))
    pid = int(answered.result.text.split("---")[2].strip())
    assert is_running(pid)
    await core.end_processes()
    assert not is_running(pid)
