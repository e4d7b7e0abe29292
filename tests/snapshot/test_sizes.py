"""How the main panes look at every size that is promised."""

from dataclasses import replace

import pytest

from caramelo_tui.domain.agent_events import (
    AssistantReplied,
    FilesChanged,
    TextStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
)
from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange, FileKind
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, StopReason, TextBlock
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import opened
from tests.pilot.driving import OpenedApp, entry
from tests.snapshot.scenes import MAIN_SIZES, quiet, size_id
from tests.snapshot.snapshots import EXPECTED, assert_snapshots
from tests.snapshot.test_panes import AFTER, BEFORE, THEMES
from tests.unit.ui.drawing import review, write

PANES = {"files": "f2", "conversation": "f3", "changes": "f4", "tools": "f5"}
TEXT = "I'll start with the parser, then the *renderer*.\n\n- one object a line\n- no header\n"
FOLDERS = {
    ".": (
        replace(entry("node_modules", FileKind.FOLDER), is_skipped=True),
        entry("src", FileKind.FOLDER),
        entry("a-name-that-is-far-too-long-for-a-narrow-column.md"),
        entry("日本語.txt"),
    ),
    "src": (entry("api", FileKind.FOLDER), entry("cli.py"), entry("util.py")),
}


def call(running: OpenedApp, name: str, tool: str, summary: str, state: CallState) -> None:
    """Play a call from start to end."""
    agent, call_id = running.agent, CallId(name)
    agent.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=call_id, tool=tool, arguments_json="{}", summary=summary
        )
    )
    decision = Decision(verdict=Verdict.ALLOW, reason="Reads are free.", rule="mode review")
    agent.emit(lambda head: ToolCallDecided(head=head, call_id=call_id, decision=decision))
    is_error = state is not CallState.OK
    result = ToolResult(call_id=call_id, text="exit 1", is_error=is_error, state=state)
    agent.emit(
        lambda head: ToolCallFinished(
            head=head, call_id=call_id, tool=tool, result=result, duration_ms=1_234
        )
    )


async def sitting(running: OpenedApp) -> None:
    """Play a run until its review waits, with a folder open in Files."""
    agent = running.agent
    await running.press("f2", "down", "right")
    await running.until(lambda: len(running.bench.files.tree_rows.rows) > 4)
    agent.start_run("add a --json flag to the CLI")
    agent.emit(lambda head: TextStreamed(head=head, text=TEXT))
    message = AssistantMessage(blocks=(TextBlock(text=TEXT),), stop_reason=StopReason.TOOL_USE)
    agent.emit(lambda head: AssistantReplied(head=head, message=message))
    call(running, "1", "file_read", "src/cli.py", CallState.OK)
    call(running, "2", "bash", "pytest -q tests/test_cli.py", CallState.ERROR)
    change = FileChange(path="src/util.py", kind=ChangeKind.MODIFIED)
    agent.emit(
        lambda head: FilesChanged(head=head, origin=ChangeOrigin.EXTERNAL, changes=(change,))
    )
    agent.ask(
        review(
            write(BEFORE, AFTER, path="src/cli.py", call_id="one"),
            write(None, '{"a": 1}\n', path="data/a.json", call_id="two"),
        )
    )
    await running.until(lambda: running.main.status.view.waiting)
    # Where Files is laid over the left edge, its key would close it now.
    await running.press("escape")


async def test_each_pane_with_the_focus() -> None:
    async with opened(size=MAIN_SIZES[0], agent=FakeAgent(folders=dict(FOLDERS))) as running:
        await sitting(running)
        with assert_snapshots() as compare:
            for size in MAIN_SIZES:
                await running.pilot.resize_terminal(*size)
                for pane, key in PANES.items():
                    await running.press(key)
                    await quiet(running)
                    compare(running.app, f"{pane}-{size_id(size)}")
                # Where Files is laid over the left edge, its key would close it the next time.
                await running.press("escape")


@pytest.mark.parametrize("screen", ["conversation", "review"])
def test_no_theme_says_anything_by_colour_alone(screen: str) -> None:
    """Signs and words are the same in all of them, greys only included."""
    texts = {(EXPECTED / f"{screen}-{theme}.txt").read_text("utf-8") for theme in THEMES}
    assert len(texts) == 1
