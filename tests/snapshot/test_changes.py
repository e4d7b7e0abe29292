"""How the changes look while the model writes, with chosen lines, and in total."""

import json

import pytest

from caramelo_tui.agent.port import FilePreview
from caramelo_tui.domain.agent_events import EventHead, ToolCallStreamed
from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.turns import Turn
from tests.pilot.pane_app import Opened, opened
from tests.snapshot.snapshots import assert_snapshot
from tests.snapshot.test_panes import AFTER, BEFORE
from tests.unit.ui.drawing import review, write

SIZES = [(60, 16), (80, 24), (160, 45)]
TURN = Turn(run=1, number=2)


def streamed(call: str, tool: str, arguments: dict[str, str], *, cut: int) -> ToolCallStreamed:
    text = json.dumps(arguments)
    return ToolCallStreamed(
        head=EventHead(seq=1, at=0),
        call_id=CallId(call),
        tool=tool,
        fragment=text[: len(text) - cut],
    )


async def quiet(running: Opened, pane: ChangesPane) -> None:
    await running.until(lambda: not pane.live.has_news and pane.view._tick_timer is None)
    await running.settle()


@pytest.mark.parametrize("size", SIZES)
async def test_calls_that_are_being_written(size: tuple[int, int]) -> None:
    async def base(path: str) -> FilePreview:
        is_there = path == "src/cli.py"
        problem = "" if is_there else "no such file"
        text = BEFORE if is_there else ""
        return FilePreview(path=path, text=text, size=len(text), problem=problem)

    pane = ChangesPane()
    pane.live.read_base = base
    async with opened(pane, size=size) as running:
        search = "    print(render_table(rows))\n"
        replace = (
            "    render = render_json if args.json else render_table\n    print(render(rows))\n"
        )
        arguments = {"path": "src/cli.py", "search": search, "replace": replace}
        pane.take_live(streamed("one", "file_edit", arguments, cut=0))
        content = {"path": "src/render.py", "content": "import json\n\n\ndef render_json("}
        pane.take_live(streamed("two", "file_write", content, cut=2))
        await running.until(lambda: "render_json(" in running.shown())
        await quiet(running, pane)
        assert_snapshot(running.app, f"changes-growing-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES)
async def test_chosen_lines_with_blanks_shown_and_a_remark(size: tuple[int, int]) -> None:
    pane = ChangesPane()
    async with opened(pane, size=size) as running:
        pane.show_review(review(write(BEFORE, AFTER, call_id="one")), turn=TURN)
        pane.focus()
        await running.press("W", "j", "full_stop", "greater_than_sign", "c", *"why", "enter")
        await quiet(running, pane)
        assert_snapshot(running.app, f"changes-lines-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES)
async def test_changes_in_total(size: tuple[int, int]) -> None:
    pane = ChangesPane()
    async with opened(pane, size=size) as running:
        between = AFTER.replace("file of orders", "a file")
        for number, (before, after) in enumerate(((BEFORE, between), (between, AFTER))):
            proposal = write(before, after, call_id=f"c{number}").proposal
            diff = FileDiff(
                path=proposal.path,
                before=proposal.before,
                after=proposal.after,
                applied=proposal.hunks,
            )
            changes = ChangeSet(call_id=CallId(f"c{number}"), files=(diff,))
            pane.show_applied(changes.call_id, changes, turn=TURN)
        pane.focus()
        await running.press("t")
        await running.until(lambda: pane.desk.history.totals.is_current)
        await quiet(running, pane)
        assert_snapshot(running.app, f"changes-total-{size[0]}x{size[1]}")
