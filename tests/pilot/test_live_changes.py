"""The diff grows while the model still writes the call."""

import json

from caramelo_tui.agent.port import FilePreview
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    EventHead,
    RunEnded,
    ToolCallStreamed,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.turns import Turn
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE
from tests.pilot.pane_app import Opened, opened
from tests.unit.ui.drawing import numbered, review, write

HEAD = EventHead(seq=1, at=0)
TURN = Turn(run=1, number=1)
ENDED = RunEnded(head=HEAD, ending=Ending.CANCELLED, refused_calls=0)


def streamed(fragment: str, *, call: str = "new", tool: str = "file_write") -> ToolCallStreamed:
    return ToolCallStreamed(head=HEAD, call_id=CallId(call), tool=tool, fragment=fragment)


async def shows(running: Opened, pane: ChangesPane, event: AgentEvent, text: str) -> None:
    pane.take_live(event)
    await running.until(lambda: text in running.shown())


async def test_the_diff_grows_and_gives_way_to_the_review() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shows(
            running, pane, streamed('{"path": "src/b.py", "content": "one = 1\\ntw'), "+ tw"
        )
        text = running.shown()
        assert "… writing 1 file" in text
        assert "src/b.py" in text
        assert "new file" in text
        await shows(running, pane, streamed("o = 2\\nthree"), "+ three")
        assert "+ two = 2" in running.shown()
        request = review(write(None, "one = 1\ntwo = 2\nthree = 3\n", path="src/b.py"))
        pane.live.clear()
        pane.show_review(request, turn=TURN)
        await running.settle()
        assert "being written" not in running.shown()
        assert "? undecided" in running.shown()


async def test_the_newest_line_is_in_view_while_nobody_reads() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        content = "".join(f"value {number}\\n" for number in range(900))
        start = f'{{"path": "a", "content": "{content}'
        await shows(running, pane, streamed(start), "value 899")
        await running.press("tab")
        pane.focus()
        await running.press("home")
        await running.until(lambda: "780 lines above" in running.shown())
        await shows(running, pane, streamed("value 900\\n"), "781 lines above")
        assert "value 900" not in running.shown()


async def test_an_edit_is_drawn_at_its_place() -> None:
    pane = ChangesPane()

    async def base(path: str) -> FilePreview:
        return FilePreview(path=path, text=numbered(60), size=len(numbered(60)))

    pane.live.read_base = base
    async with opened(pane) as running:
        start = '{"path": "a.py", "search": "line 30\\n'
        await shows(running, pane, streamed(start, tool="file_edit"), "begins")
        rest = '", "replace": "thirty'
        await shows(running, pane, streamed(rest, tool="file_edit"), "@@ line 30")
        text = running.shown()
        assert "− line 30" in text  # noqa: RUF001 - the sign is a true minus
        assert "+ thirty" in text
        assert "  line 29" in text


async def test_a_broken_call_goes_away() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shows(running, pane, streamed('{"path": "a.py", "content": "one'), "+ one")
        await shows(running, pane, ENDED, "No changes yet.")
        assert "writing" not in running.shown()


async def test_what_is_being_written_decides_nothing_and_stands_below_what_waits() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        pane.show_review(review(write(None, "new\n", path="b.py", call_id="two")), turn=TURN)
        pane.focus()
        await running.settle()
        await shows(running, pane, streamed('{"path": "a.py", "content": "one'), "+ one")
        text = running.shown()
        assert text.index("b.py") < text.index("a.py")
        await running.press("j", "a", "s")
        (message,) = running.of_kind(ChangesPane.ReviewSettled)
        assert dict(message.answer.accepted) == {"two:0": True}


async def test_no_timer_runs_when_nothing_comes() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shows(running, pane, streamed('{"path": "a.py", "content": "one'), "+ one")
        await running.until(lambda: not pane.live.has_news)
        await running.settle()
        assert not [timer for timer in pane._timers if timer.name == "live-proposals"]


async def test_fragments_of_the_agent_reach_the_pane(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run()
        arguments = json.dumps({"path": "notes.md", "content": "a first line\n"})
        for at in range(0, 40, 4):
            running.agent.emit(
                lambda head, at=at: ToolCallStreamed(  # type: ignore[misc]  # a bound default
                    head=head,
                    call_id=CallId("c1"),
                    tool="file_write",
                    fragment=arguments[at : at + 4],
                )
            )
        await running.until(lambda: "being written" in running.shown())
        assert "notes.md" in running.shown()
