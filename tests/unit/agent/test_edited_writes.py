"""The user edits a proposal: exactly that is written, and the model is told."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from caramelo_tui.agent.review import edited_write
from caramelo_tui.agent.write_reports import edited_note
from caramelo_tui.domain.agent_events import ApprovalSettled, ToolCallFinished
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalOutcome,
    ApprovalRequest,
    Remark,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from tests.doubles.pipeline_worlds import Answering, World, accepts, edit, first, write
from tests.unit.ui.drawing import numbered
from tests.unit.ui.drawing import write as proposed

NUMBERS = numbered(12)


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.write("a.txt", NUMBERS)
    return world


def edits(texts: Mapping[str, str], *, verdicts: str = "") -> Answering:
    """Answer with edited files; the hunks of all writes in order, ``-`` rejects."""

    def answer(request: ApprovalRequest) -> ApprovalAnswer:
        assert isinstance(request, ReviewRequest)
        edited = {CallId(call): text for call, text in texts.items()}
        writes = [
            edited_write(one, edited[one.call_id]) if one.call_id in edited else one
            for one in request.writes
        ]
        hunks = [hunk for one in writes for hunk in one.proposal.hunks]
        given = verdicts.ljust(len(hunks), "+")
        return ReviewAnswer(
            accepted={hunk.id: mark == "+" for hunk, mark in zip(hunks, given, strict=True)},
            remarks=(Remark(path="a.txt", text="mine"),),
            edited=edited,
        )

    return answer


def result(world: World, index: int = 0) -> str:
    return world.of(ToolCallFinished)[index].result.text


def outcome(world: World) -> ApprovalOutcome:
    return world.of(ApprovalSettled)[0].outcome


async def test_the_users_version_is_written_and_the_model_is_told(world: World) -> None:
    world.answer(edits({"1": numbered(12, line_1="uno", line_9="nine")}))
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert world.text("a.txt") == numbered(12, line_1="uno", line_9="nine")
    assert result(world).startswith("changed a.txt at line 1, line 9")
    assert result(world).endswith(
        "The user edited the change before it was applied. From what you proposed to what it "
        "became:\n@@ line 1\n-one\n+uno\n@@ line 9\n-line 9\n+nine"
    )
    assert "mine" in result(world)
    assert outcome(world) is ApprovalOutcome.EDITED
    assert world.of(ToolCallFinished)[0].changes is not None


async def test_hunks_of_the_edited_version_are_accepted_one_by_one(world: World) -> None:
    world.answer(edits({"1": numbered(12, line_1="uno", line_9="nine")}, verdicts="-+"))
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert world.text("a.txt") == numbered(12, line_9="nine")
    assert result(world).startswith("partially applied: 1 of 2 hunks")


async def test_an_edited_version_that_is_rejected_is_not_written(world: World) -> None:
    world.answer(edits({"1": numbered(12, line_1="uno")}, verdicts="-"))
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert world.text("a.txt") == NUMBERS
    assert world.of(ToolCallFinished)[0].result.state is CallState.REJECTED
    assert "The user edited" not in result(world)
    assert outcome(world) is ApprovalOutcome.DENIED


async def test_an_edit_back_to_what_was_there_changes_nothing(world: World) -> None:
    world.answer(edits({"1": NUMBERS}))
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert world.text("a.txt") == NUMBERS
    assert result(world).startswith("a.txt: nothing changed")
    assert "-one\n+line 1" in result(world)


async def test_other_writes_of_the_review_are_as_they_were_proposed(world: World) -> None:
    world.answer(edits({"2": "mine\n"}))
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"), write("2", "b.txt", "x\n"))
    assert world.text("a.txt") == numbered(12, line_1="one")
    assert world.text("b.txt") == "mine\n"
    assert "The user edited" not in result(world)
    assert "-x\n+mine" in result(world, 1)


async def test_a_later_write_on_an_edited_one_is_asked_again_when_it_looks_different(
    world: World,
) -> None:
    world.answer(edits({"1": numbered(14, line_1="uno")}), accepts)
    await world.run(
        edit("1", "a.txt", "line 1\n", "one\n"), edit("2", "a.txt", "line 12\n", "twelve\n")
    )
    assert world.text("a.txt") == numbered(14, line_1="uno", line_12="twelve")


async def test_a_file_that_moved_meanwhile_is_proposed_and_shown_again(world: World) -> None:
    moved = numbered(12, line_5="outside")
    world.answer(
        first(lambda: world.write("a.txt", moved), edits({"1": numbered(12, line_1="uno")})),
        accepts,
    )
    await world.run(edit("1", "a.txt", "line 1\n", "one\n"))
    assert len(world.person.reviews) == 2
    assert world.text("a.txt") == numbered(12, line_1="one", line_5="outside")
    assert "The user edited" not in result(world)


def test_an_edited_write_has_the_hunks_of_its_own_text() -> None:
    shown = proposed(NUMBERS, numbered(12, line_1="one"))
    edited = edited_write(shown, numbered(12, line_9="nine"))
    assert edited.call_id == shown.call_id
    assert [hunk.old_start for hunk in edited.proposal.hunks] == [9]
    assert edited.proposal.before == shown.proposal.before
    assert edited_write(shown, NUMBERS).proposal.hunks == ()
    assert len(edited_write(proposed(None, "x\n"), "").proposal.hunks) == 1


def test_the_note_keeps_lines_that_stayed_the_same() -> None:
    note = edited_note(b"a\nb\nc\nd\n", b"A\nb\nC\nd\n")
    assert note.splitlines()[1:] == ["@@ line 1", "-a", "+A", " b", "-c", "+C"]


def test_the_note_is_short_and_empty_for_no_change() -> None:
    assert edited_note(b"a\n", b"a\n") == ""
    long = edited_note(b"", numbered(500).encode())
    assert len(long.splitlines()) == 201
    assert long.endswith("read the file for the rest")
    assert edited_note(b"\xff\n", b"ok\n").endswith("@@ line 1\n-\ufffd\n+ok")
