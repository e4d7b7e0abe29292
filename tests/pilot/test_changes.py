"""A review is decided hunk by hunk, by keys, and only on purpose."""

import time

from caramelo_tui.domain.approvals import ApprovalOutcome
from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.ui.messages import EditorAsked, ProposalAsked
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.arrival_guard import QUIET_S
from caramelo_tui.ui.widgets.hunk_rows import Fate
from tests.doubles.clocks import ManualClock
from tests.pilot.pane_app import Opened, opened
from tests.unit.ui.drawing import numbered, review, write

TURN = Turn(run=1, number=3)
OUTSIDE = [FileChange(path="a.py", kind=ChangeKind.MODIFIED)]
BEFORE = numbered(60)
AFTER = numbered(60, line_3="three", line_30="thirty", line_55="fifty-five")
TWO_FILES = review(
    write(BEFORE, AFTER, call_id="one"),
    write(None, "new\n", path="src/b.py", call_id="two"),
    approval_id="r1",
)


def settled(running: Opened) -> list[tuple[str, dict[str, bool]]]:
    return [
        (message.approval_id, {str(key): value for key, value in message.answer.accepted.items()})
        for message in running.of_kind(ChangesPane.ReviewSettled)
    ]


async def shown_review(running: Opened, pane: ChangesPane) -> None:
    pane.show_review(TWO_FILES, turn=TURN)
    await running.settle()
    pane.focus()
    await running.settle()


async def test_a_review_shows_its_hunks_and_counts_and_takes_no_focus() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        pane.show_review(TWO_FILES, turn=TURN)
        await running.settle()
        text = running.shown()
        assert "waiting 2 files · 4 hunks" in text
        assert "src/cli.py" in text
        assert "− line 3" in text  # noqa: RUF001 - the sign is a true minus
        assert "+ three" in text
        assert running.app.focused is None
        assert pane.has_waiting
        assert pane.waiting_counts == (2, 4, 4)


async def test_accepting_goes_to_the_next_undecided_hunk() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("a", "r")
        current = pane.view.current
        assert current is not None
        assert current.stop == "one:2"
        assert pane.waiting_counts == (2, 4, 2)
        text = running.shown()
        assert "2 undecided" in text
        await running.press("k", "k")
        assert "✓ accepted" in running.shown()
        await running.press("j")
        assert "✗ rejected" in running.shown()


async def test_a_whole_review_by_keys() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("a", "r", "a", "r", "s")
        assert settled(running) == [
            ("r1", {"one:0": True, "one:1": False, "one:2": True, "two:0": False})
        ]
        assert not pane.has_waiting
        await running.press("s", "a")
        assert len(settled(running)) == 1


async def test_settling_with_undecided_hunks_asks_in_one_line() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("a", "s")
        assert "3 undecided: a accepts them · r rejects them · esc back" in running.shown()
        assert settled(running) == []
        await running.press("escape")
        assert "undecided: a accepts" not in running.shown()
        await running.press("s", "r")
        accepted = settled(running)[0][1]
        assert accepted == {"one:0": True, "one:1": False, "one:2": False, "two:0": False}


async def test_the_question_can_be_answered_with_accept() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("r", "s", "a")
        accepted = settled(running)[0][1]
        assert accepted == {"one:0": False, "one:1": True, "one:2": True, "two:0": True}


async def test_enter_and_escape_never_settle() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("Y", "enter", "escape", "y")
        assert settled(running) == []
        await running.press("r", "s")
        assert len(settled(running)) == 1


async def test_space_toggles_without_moving_on() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("space")
        assert "✓ accepted" in running.shown()
        await running.press("space")
        assert "✗ rejected" in running.shown()
        assert pane.view.current is not None
        assert pane.view.current.stop == "one:0"


async def test_whole_files_and_everything() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("A")
        assert pane.waiting_counts == (2, 4, 1)
        assert pane.view.current_path == "src/b.py"
        await running.press("R")
        assert pane.waiting_counts == (2, 4, 0)
        await running.press("N", "s")
        assert set(settled(running)[0][1].values()) == {False}


async def test_hunks_and_files_are_walked() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        stops: list[str | None] = []
        for key in ("j", "j", "j", "K", "K", "J", "k"):
            await running.press(key)
            stops.append(pane.view.current.stop if pane.view.current else None)
        assert stops == ["one:1", "one:2", "two:0", "one:0", "one:0", "two:0", "one:2"]


async def test_a_remark_goes_with_the_answer_and_decides_nothing() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("c", *"too short", "enter")
        assert "» line 3: too short" in running.shown()
        assert pane.waiting_counts == (2, 4, 4)
        await running.press("C", *"[/] why", "enter")
        await running.press("Y", "s")
        (message,) = running.of_kind(ChangesPane.ReviewSettled)
        remarks = [(r.path, r.line, r.text, r.excerpt) for r in message.answer.remarks]
        assert remarks == [
            ("src/cli.py", 3, "too short", "three"),
            ("src/cli.py", None, "[/] why", ""),
        ]


async def test_the_key_after_a_remark_decides_the_hunk_that_was_remarked_on() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("a", "c", *"no", "enter", "r", "a", "r", "s")
        assert settled(running) == [
            ("r1", {"one:0": True, "one:1": False, "one:2": True, "two:0": False})
        ]


async def test_a_remark_on_chosen_lines_quotes_them() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("full_stop", "full_stop", "greater_than_sign")
        assert running.shown().count("►") == 2
        await running.press("c", *"why", "enter")
        assert "» line 3: why" in running.shown()
        assert running.shown().count("►") == 2
        await running.press("Y", "s")
        (message,) = running.of_kind(ChangesPane.ReviewSettled)
        (remark,) = message.answer.remarks
        assert (remark.path, remark.line) == ("src/cli.py", 3)
        assert remark.excerpt == "three\nline 4"


async def test_escape_gives_up_the_chosen_lines() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("comma")
        assert "►" in running.shown()
        await running.press("escape")
        assert "►" not in running.shown()
        await running.press("full_stop", "j")
        assert "►" not in running.shown()
        await running.press("b", "full_stop", "b")
        assert "►" not in running.shown()


async def test_a_file_opens_at_the_line_that_it_has_on_disk() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        before, after = numbered(60), "new\n" + numbered(60, line_30="thirty")
        pane.show_review(review(write(before, after)), turn=TURN)
        await running.settle()
        pane.focus()
        await running.press("j", "o", "full_stop", "full_stop", "o")
        proposal = write(before, after).proposal
        diff = FileDiff(
            path="src/cli.py",
            before=proposal.before,
            after=proposal.after,
            applied=proposal.hunks,
        )
        pane.settle_review(ApprovalId("review-1"), ApprovalOutcome.APPROVED)
        pane.show_applied(
            CallId("call-1"), ChangeSet(call_id=CallId("call-1"), files=(diff,)), turn=TURN
        )
        await running.press("j", "o")
        asked = [(message.path, message.line) for message in running.of_kind(EditorAsked)]
        assert asked == [("src/cli.py", 30), ("src/cli.py", 30), ("src/cli.py", 31)]


async def test_changes_are_shown_by_turn_or_in_total() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        texts = [numbered(9), numbered(9, line_2="two"), numbered(9, line_2="2", line_8="eight")]
        for number in range(2):
            proposal = write(texts[number], texts[number + 1], call_id=f"c{number}").proposal
            diff = FileDiff(
                path="src/cli.py",
                before=proposal.before,
                after=proposal.after,
                applied=proposal.hunks,
            )
            changes = ChangeSet(call_id=CallId(f"c{number}"), files=(diff,))
            pane.show_applied(changes.call_id, changes, turn=Turn(run=1, number=number + 1))
        await running.settle()
        pane.focus()
        assert "applied 1 file · by turn" in running.shown()
        assert "run 1 · turn 2" in running.shown()
        await running.press("t")
        await running.until(lambda: "+ eight" in running.shown())
        text = running.shown()
        assert "applied 1 file · in total" in text
        assert "since the session's start" in text
        assert "− line 2" in text  # noqa: RUF001 - the sign is a true minus
        assert "two" not in text
        await running.press("t")
        assert "run 1 · turn 2" in running.shown()
        await running.press("v", "t")
        assert "in total" in running.shown()


async def test_blanks_and_tabs_are_shown_on_demand() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        pane.show_review(review(write("\tif a:\n", "    if a:\n")), turn=TURN)
        await running.settle()
        pane.focus()
        await running.press("W")
        assert "→   if·a:" in running.shown()
        assert "····if·a:" in running.shown()
        await running.press("W")
        assert "·" not in running.shown().replace("file · 1", "")


async def test_escape_leaves_a_remark_and_gives_the_keys_back() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("c", *"asr", "escape", "a")
        assert pane.waiting_counts == (2, 4, 3)
        assert "»" not in running.shown()


async def test_keys_decide_nothing_right_after_a_review_came_into_the_focused_pane() -> None:
    clock = ManualClock()
    pane = ChangesPane(monotonic=clock.monotonic)
    async with opened(pane) as running:
        pane.focus()
        await running.settle()
        pane.show_review(TWO_FILES, turn=TURN)
        await running.press("a", "Y", "s", "space")
        assert pane.waiting_counts == (2, 4, 4)
        assert settled(running) == []
        assert "keys decide in 0.5 s" in running.shown()
        clock.seconds += QUIET_S
        await running.press("a")
        assert pane.waiting_counts == (2, 4, 3)


async def test_a_review_that_came_before_the_focus_takes_keys_at_once() -> None:
    clock = ManualClock()
    pane = ChangesPane(monotonic=clock.monotonic)
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("a")
        assert pane.waiting_counts == (2, 4, 3)


async def test_rejected_hunks_stay_beside_what_was_applied() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("a", "r", "r", "r", "s")
        pane.settle_review(ApprovalId("r1"), ApprovalOutcome.PARTLY)
        first, *others = TWO_FILES.writes[0].proposal.hunks
        diff = FileDiff(
            path="src/cli.py",
            before=BEFORE.encode(),
            after=b"",
            applied=(first,),
            rejected=tuple(others),
        )
        pane.show_applied(CallId("one"), ChangeSet(call_id=CallId("one"), files=(diff,)), turn=TURN)
        await running.settle()
        await running.press("home")
        text = running.shown()
        assert "waiting 0" in text
        assert "applied 1" in text
        assert "run 1 · turn 3" in text
        assert "✓ applied" in text
        await running.press("end")
        assert "✗ rejected" in running.shown()


async def test_a_withdrawn_review_stays_as_not_applied() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("a", "c", "x")
        pane.mark_not_applied(ApprovalId("r1"))
        await running.settle()
        assert not pane.has_waiting
        assert "− not applied" in running.shown()  # noqa: RUF001 - the sign is a true minus
        await running.press("a", "s")
        assert settled(running) == []


async def test_what_was_not_applied_can_be_asked_for_again() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("p")
        assert running.of_kind(ProposalAsked) == []
        pane.mark_not_applied(ApprovalId("r1"))
        await running.settle()
        assert "p propose again" in running.shown()
        await running.press("J", "p")
        asked = [(m.path, m.fate) for m in running.of_kind(ProposalAsked)]
        assert asked == [("src/b.py", Fate.NOT_APPLIED)]
        assert "asked for src/b.py again" in running.shown()
        await running.press("K")
        assert "p propose again" in running.shown()


async def test_applied_hunks_are_not_asked_for_again() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        (hunk, *_others) = TWO_FILES.writes[0].proposal.hunks
        diff = FileDiff(path="src/cli.py", before=b"", after=b"", applied=(hunk,))
        pane.show_applied(CallId("one"), ChangeSet(call_id=CallId("one"), files=(diff,)), turn=TURN)
        pane.focus()
        await running.press("p")
        assert running.of_kind(ProposalAsked) == []
        assert "propose again" not in running.shown()


def body(running: Opened) -> list[str]:
    """Return what is read, without the bar and the frame at its right."""
    return [line[:70] for line in running.shown().splitlines()[3:]]


async def test_a_new_turn_comes_above_without_moving_what_is_read() -> None:
    pane = ChangesPane()
    async with opened(pane, size=(80, 14)) as running:
        await shown_review(running, pane)
        pane.mark_not_applied(ApprovalId("r1"))
        await running.settle()
        await running.press("j")
        before = body(running)
        diff = FileDiff(
            path="z.py", before=None, after=b"", applied=write(None, "z\n").proposal.hunks
        )
        pane.show_applied(
            CallId("z"),
            ChangeSet(call_id=CallId("z"), files=(diff,)),
            turn=Turn(run=2, number=1),
        )
        await running.settle()
        assert body(running) == before
        await running.press("home")
        assert "run 2 · turn 1" in running.shown()


async def test_several_reviews_are_settled_one_by_one() -> None:
    pane = ChangesPane()
    async with opened(pane, size=(80, 60)) as running:
        await shown_review(running, pane)
        other = review(
            write("a\n", "b\n", path="c.py", call_id="three"),
            approval_id="r2",
            agent_title="tester",
        )
        running.app.set_focus(None)
        await running.settle()
        pane.show_review(other, turn=TURN)
        pane.focus()
        await running.settle()
        await running.press("J", "J")
        assert pane.view.current_path == "c.py"
        await running.press("a", "s")
        assert settled(running) == [("r2", {"three:0": True})]
        pane.settle_review(ApprovalId("r2"), ApprovalOutcome.APPROVED)
        await running.settle()
        assert pane.waiting_counts == (2, 4, 4)
        assert "from tester" not in running.shown()


async def test_the_other_list_is_one_key_away() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        pane.show_disk_changes(OUTSIDE, origin=ChangeOrigin.EXTERNAL, turn=TURN)
        await shown_review(running, pane)
        await running.press("v")
        assert "changed outside of the agent" in running.shown()
        await running.press("a", "s")
        assert settled(running) == []
        await running.press("v", "a")
        assert pane.waiting_counts == (2, 4, 3)


async def test_who_reads_the_other_list_keeps_it_when_a_review_comes() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        pane.show_disk_changes(OUTSIDE, origin=ChangeOrigin.EXTERNAL, turn=TURN)
        await shown_review(running, pane)
        await running.press("v")
        other = review(write("a\n", "b\n", path="c.py", call_id="three"), approval_id="r2")
        pane.show_review(other, turn=TURN)
        await running.settle()
        assert not pane.desk.shows_waiting
        assert "waiting 3 files" in running.shown()
        pane.go_to_waiting()
        await running.settle()
        assert pane.desk.shows_waiting


async def test_who_only_waits_sees_the_next_review_at_once() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        await running.press("N", "s")
        pane.settle_review(ApprovalId("r1"), ApprovalOutcome.DENIED)
        await running.settle()
        assert not pane.desk.shows_waiting
        other = review(write("a\n", "b\n", path="c.py", call_id="three"), approval_id="r2")
        pane.show_review(other, turn=TURN)
        await running.settle()
        assert "c.py" in running.shown()
        assert pane.desk.shows_waiting


async def test_side_by_side_needs_room() -> None:
    pane = ChangesPane()
    async with opened(pane, size=(70, 24)) as running:
        await shown_review(running, pane)
        await running.press("b")
        assert "side by side needs 100 columns" in running.shown()
        await running.pilot.resize_terminal(160, 24)
        await running.settle()
        line = next(line for line in running.shown().splitlines() if "+ three" in line)
        assert "line 3" in line


async def test_a_wide_pane_shows_both_sides_unless_one_is_wanted() -> None:
    pane = ChangesPane()

    def sides(shown: str) -> bool:
        return any("+ three" in line and "line 3" in line for line in shown.splitlines())

    async with opened(pane, size=(160, 24)) as running:
        await shown_review(running, pane)
        assert sides(running.shown())
        await running.press("b")
        assert not sides(running.shown())
        await running.press("b")
        assert sides(running.shown())
        await running.pilot.resize_terminal(110, 24)
        await running.settle()
        assert sides(running.shown()), "asked for, it needs less room"
    other = ChangesPane()
    async with opened(other, size=(120, 24)) as running:
        await shown_review(running, other)
        assert not sides(running.shown())


async def test_long_lines_wrap_or_scroll() -> None:
    pane = ChangesPane()
    async with opened(pane, size=(50, 20)) as running:
        text = " ".join(f"word{number}" for number in range(30)) + "\n"
        pane.show_review(review(write("", text, path="a.txt")), turn=TURN)
        pane.focus()
        await running.settle()
        assert "word29" in running.shown()
        await running.press("w")
        assert "word29" not in running.shown()
        await running.press(*["right"] * 40)
        assert "word0" not in running.shown()
        await running.press("w")
        assert "word29" in running.shown()


async def test_a_diff_of_20000_lines_opens_at_once() -> None:
    pane = ChangesPane()
    after = "".join(f"value_{number} = {number}\n" for number in range(20_000))
    request = review(write(None, after, path="big.py"))
    async with opened(pane) as running:
        started = time.process_time()
        pane.show_review(request, turn=TURN)
        await running.settle()
        took = time.process_time() - started
        assert "value_0 = 0" in running.shown()
        pane.focus()
        await running.press("end")
        assert "value_19999 = 19999" in running.shown()
        assert len(pane.view._rendered) <= 300
        # Work on all lines would take seconds; the bound is loose for slow machines.
        assert took < 1.0


async def test_a_replaced_review_gives_way_to_the_new_one() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        pane.settle_review(ApprovalId("r1"), ApprovalOutcome.REPLACED)
        again = review(
            write(BEFORE, AFTER, call_id="one"),
            approval_id="r9",
            note="src/cli.py changed meanwhile; made again",
        )
        pane.show_review(again, turn=TURN)
        await running.settle()
        assert "! src/cli.py changed meanwhile; made again" in running.shown()
        assert pane.waiting_counts == (1, 3, 3)


async def test_outside_text_is_shown_literally() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        text = "[/] [@click=app.quit]x[/] \x1b[31m\n"
        request = review(write(None, text, path="a[/].py", warning="[bold]w\x07"), note="[link=x]n")
        pane.show_review(request, turn=TURN)
        await running.settle()
        shown = running.shown()
        for words in ("[/] [@click=app.quit]x[/] <U+001B>[31m", "a[/].py", "[bold]w<U+0007>"):
            assert words in shown
        assert "[link=x]n" in shown


async def test_a_click_chooses_the_hunk() -> None:
    pane = ChangesPane()
    async with opened(pane, size=(80, 50)) as running:
        await shown_review(running, pane)
        lines = running.shown().splitlines()
        row = next(index for index, line in enumerate(lines) if "+ thirty" in line)
        await running.pilot.click(pane.view, offset=(20, row - 1))
        await running.settle()
        assert pane.view.current is not None
        assert pane.view.current.stop == "one:1"


async def test_an_empty_list_says_what_will_be_there_however_narrow() -> None:
    async with opened(ChangesPane(), size=(40, 20)) as running:
        await running.settle()
        words = " ".join(running.shown().replace("┃", " ").replace("│", " ").split())
        assert "Proposed edits wait here until you accept them." in words


async def test_clearing_forgets_everything() -> None:
    pane = ChangesPane()
    async with opened(pane) as running:
        await shown_review(running, pane)
        pane.clear()
        await running.settle()
        assert not pane.has_waiting
        assert "No changes yet." in running.shown()
