"""Calls that are being written are shown until something takes their place."""

import json

import pytest

from caramelo_tui.agent.port import FilePreview
from caramelo_tui.domain.agent_events import (
    ApprovalRequested,
    AssistantReplied,
    Ending,
    EventHead,
    RunEnded,
    SubagentEnded,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    TurnEnded,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, StopReason
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.live_proposals import THREAD_CHARACTERS, LiveProposals
from caramelo_tui.ui.widgets.diff_sections import FileSection, HunkSection
from caramelo_tui.ui.widgets.hunk_rows import Fate
from tests.unit.ui.drawing import numbered, review, write

HEAD = EventHead(seq=1, at=0)
SUB = EventHead(seq=1, at=0, agent="Tidy")
ONE = CallId("one")
START = '{"path": "a.py", "content": "x = 1\\n'


def streamed(
    fragment: str, *, call: str = "one", tool: str = "file_write", head: EventHead = HEAD
) -> ToolCallStreamed:
    return ToolCallStreamed(head=head, call_id=CallId(call), tool=tool, fragment=fragment)


def reply(*, is_incomplete: bool, head: EventHead = HEAD) -> AssistantReplied:
    stop = None if is_incomplete else StopReason.TOOL_USE
    message = AssistantMessage(blocks=(), stop_reason=stop)
    return AssistantReplied(head=head, message=message)


def finished(call: str = "one") -> ToolCallFinished:
    return ToolCallFinished(
        head=HEAD,
        call_id=CallId(call),
        tool="file_write",
        result=ToolResult(call_id=CallId(call), text="", is_error=True, state=CallState.ERROR),
        duration_ms=0,
    )


def hunks(live: LiveProposals) -> list[HunkSection]:
    return [section for section in live.sections if isinstance(section, HunkSection)]


@pytest.fixture
def live() -> LiveProposals:
    return LiveProposals()


async def test_a_growing_call_is_drawn_when_it_was_read(live: LiveProposals) -> None:
    assert not live.take(streamed('{"path": "a.'))
    await live.read()
    assert live.sections == []
    live.take(streamed('py", "content": "x = 1\\ny'))
    assert live.has_news
    await live.read()
    (hunk,) = hunks(live)
    assert hunk.hunk.new_lines == ("x = 1\n", "y\n")
    assert hunk.fate() is Fate.WRITING
    assert hunk.stop is None
    assert live.files == 1
    assert not live.has_news


async def test_only_writing_calls_are_followed(live: LiveProposals) -> None:
    live.take(streamed(START, tool="bash"))
    assert not live.has_news


@pytest.mark.parametrize(
    "event",
    [
        ApprovalRequested(head=HEAD, request=review(write(None, "x", call_id="one"))),
        finished(),
        reply(is_incomplete=True),
        TurnEnded(head=HEAD, number=1),
        RunEnded(head=HEAD, ending=Ending.CANCELLED, refused_calls=0),
    ],
)
async def test_a_call_goes_when_something_takes_its_place(
    live: LiveProposals,
    event: ApprovalRequested | ToolCallFinished | AssistantReplied | TurnEnded | RunEnded,
) -> None:
    live.take(streamed(START))
    await live.read()
    assert live.take(event)
    assert live.sections == []
    assert not live.take(event)


async def test_other_calls_and_agents_stay(live: LiveProposals) -> None:
    live.take(streamed(START))
    live.take(streamed(START, call="two", head=SUB))
    await live.read()
    assert not live.take(finished("three"))
    assert not live.take(reply(is_incomplete=False))
    assert live.take(TurnEnded(head=HEAD, number=1))
    assert len(hunks(live)) == 1
    ended = SubagentEnded(
        head=HEAD,
        call_id=CallId("sub"),
        title="Tidy",
        ending=Ending.COMPLETED,
        usage=Usage(),
        turns=1,
    )
    assert live.take(ended)
    assert live.sections == []


async def test_a_sub_agents_call_names_it(live: LiveProposals) -> None:
    live.take(streamed(START, head=SUB))
    await live.read()
    head = live.sections[0]
    assert isinstance(head, FileSection)
    assert head.note == "from Tidy · new file"


async def test_an_edit_stands_on_the_file_and_on_the_call_before_it(live: LiveProposals) -> None:
    asked: list[str] = []

    async def base(path: str) -> FilePreview:
        asked.append(path)
        text = numbered(30)
        return FilePreview(path=path, text=text, size=len(text))

    live.read_base = base
    first = json.dumps({"path": "./a.py", "search": "line 9\n", "replace": "nine\nmore\n"})
    live.take(streamed(first, tool="file_edit"))
    await live.read()
    live.take(
        streamed('{"path": "a.py", "search": "nine", "replace": "9', call="two", tool="file_edit")
    )
    await live.read()
    assert [section.hunk.old_start for section in hunks(live)] == [9, 9]
    assert hunks(live)[1].hunk.new_lines == ("9\n",)
    assert asked == ["a.py"]
    live.take(ToolCallStarted(head=HEAD, call_id=ONE, tool="file_edit", arguments_json=first))
    await live.read()
    assert hunks(live)[0].hunk.new_lines == ("nine\n", "more\n")


async def test_a_file_is_asked_for_again_in_the_next_turn(live: LiveProposals) -> None:
    asked: list[str] = []

    async def base(path: str) -> FilePreview:
        asked.append(path)
        return FilePreview(path=path, text="", size=0, problem="no such file")

    live.read_base = base
    for _turn in range(2):
        live.take(streamed(START))
        await live.read()
        live.clear()
    assert asked == ["a.py", "a.py"]


async def test_big_arguments_are_read_too(live: LiveProposals) -> None:
    live.take(streamed(START))
    for number in range(THREAD_CHARACTERS // 10):
        live.take(streamed(f"y = {number:05}\\n"))
    await live.read()
    head = live.sections[0]
    assert isinstance(head, FileSection)
    assert head.added == THREAD_CHARACTERS // 10 + 1


async def test_a_call_that_went_while_it_was_read_stays_away(live: LiveProposals) -> None:
    async def base(path: str) -> FilePreview:
        live.take(RunEnded(head=HEAD, ending=Ending.CANCELLED, refused_calls=0))
        return FilePreview(path=path, text="", size=0)

    live.read_base = base
    live.take(streamed(START))
    await live.read()
    assert live.sections == []


@pytest.mark.parametrize(
    ("preview", "note"),
    [
        (FilePreview(path="a.py", text="", size=0, problem="no such file"), "new file"),
        (FilePreview(path="a.py", text="", size=9, problem="a binary file"), ""),
        (FilePreview(path="a.py", text="one", size=90), ""),
        (FilePreview(path="a.py", text="one", size=3), "takes the place of 1 line"),
    ],
)
async def test_the_head_says_what_stands_there_now(
    live: LiveProposals, preview: FilePreview, note: str
) -> None:
    async def base(_path: str) -> FilePreview:
        return preview

    live.read_base = base
    live.take(streamed(START))
    await live.read()
    head = live.sections[0]
    assert isinstance(head, FileSection)
    assert head.note == note
