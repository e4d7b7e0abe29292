"""The person's editor has the terminal, and what it leaves comes back."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.headless.linear.editor import LinearEditor
from caramelo_tui.headless.linear.output import LinearOutput
from tests.doubles.fake_agent import FakeAgent
from tests.unit.headless.linear_worlds import ManualLines, linear_world, script


class Kept(LinearOutput):
    """Keeps what was said."""

    def __init__(self) -> None:
        super().__init__(os.open(os.devnull, os.O_WRONLY))
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)


def editor_of(command: str) -> tuple[LinearEditor, Kept, ManualLines]:
    out, lines = Kept(), ManualLines()
    return LinearEditor(lines, out, environment={"EDITOR": command}), out, lines


async def test_the_edited_text_comes_back_without_the_line_end_of_editors(tmp_path: Path) -> None:
    editor, _, lines = editor_of(script(tmp_path, 'echo more >> "$1"; cp "$1" "$0.seen"'))
    assert await editor.edit("some ", suffix=".md") == "some more"
    assert (tmp_path / "editor.sh.seen").read_text() == "some more\n"
    assert lines.lends == 1
    assert not editor.is_lent


async def test_nothing_changed_is_nothing(tmp_path: Path) -> None:
    editor, out, _ = editor_of(script(tmp_path, "exit 0"))
    assert await editor.edit("a\n", suffix="") is None
    assert out.said == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('echo lost > "$1"; exit 3', "The editor ended with 3; nothing was taken over."),
        (r'printf "\377" > "$1"', "The text could not be edited: "),
        ('rm "$1"', "The text could not be edited: "),
    ],
)
async def test_what_went_wrong_is_said_and_nothing_taken(
    tmp_path: Path, body: str, problem: str
) -> None:
    editor, out, _ = editor_of(script(tmp_path, body))
    assert await editor.edit("a", suffix="") is None
    assert out.said[0].startswith(problem)


async def test_no_editor_and_one_that_is_not_there_say_so() -> None:
    editor, out, lines = editor_of("")
    assert await editor.edit("a", suffix="") is None
    assert "No editor is set" in out.said[0]
    assert lines.lends == 0
    editor, out, _ = editor_of("/nowhere/editor")
    assert await editor.edit("a", suffix="") is None
    assert "/nowhere/editor" in out.said[0]


async def test_a_cancel_ends_the_editor(tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    editor, out, _ = editor_of(script(tmp_path, f'echo $$ > "{started}"; exec sleep 60'))
    editing = asyncio.create_task(editor.edit("a", suffix=""))
    pid = int(await asyncio.to_thread(started.read_text))
    assert editor.is_lent
    editing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await editing
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    # The terminal is ours again.
    await out.flush()


async def test_a_prompt_is_written_in_the_editor_and_sent_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", script(tmp_path, 'printf "one\\ntwo\\n" > "$1"'))
    with linear_world() as world:
        assert "A prompt of 2 lines is prepared." in await world.type("/edit")
        # What was written is not lost when something else is said first.
        await world.type("this first")
        assert world.agent.submitted == ["this first"]
        assert "No prompt can be sent now." in await world.type("/send")
        world.agent.end_run()
        await world.catch_up()
        await world.type("/send")
        assert world.agent.submitted == ["this first", "one\ntwo"]
    monkeypatch.setenv("VISUAL", script(tmp_path, "exit 0"))
    with linear_world() as world:
        assert "No prompt was written." in await world.type("/edit")


async def test_ctrl_c_within_the_editor_is_the_editors() -> None:
    with linear_world() as world:
        await world.type("one")
        world.session._editor.is_lent = True
        world.session.take_signal(signal.SIGINT)
        world.session.take_signal(signal.SIGINT)
        assert world.agent.interrupts == 0


async def test_a_plan_is_edited_before_it_is_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", script(tmp_path, 'echo "2. Test it." >> "$1"'))
    with linear_world(FakeAgent(mode=ApprovalMode.PLAN)) as world:
        await world.type("plan it")
        world.agent.end_run(text="1. Do it.\n")
        assert "/edit has it edited first" in await world.catch_up()
        assert "The plan is edited. /carry-out" in await world.type("/edit")
        monkeypatch.setenv("VISUAL", script(tmp_path, ': > "$1"'))
        assert "The plan is as it was." in await world.type("/edit")
        await world.type("/carry-out")
        assert world.agent.submitted[-1] == "Carry out: 1. Do it.2. Test it."
        assert world.agent.mode is ApprovalMode.REVIEW
