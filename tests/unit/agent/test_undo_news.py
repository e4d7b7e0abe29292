"""What the model is told of undos."""

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.undo_news import UndoNews
from caramelo_tui.domain.agent_events import ChangesUndone, RunStarted
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.ids import CallId, SessionId
from caramelo_tui.domain.undo import UndoScope
from tests.doubles.clocks import ManualClock


def undo(events: EventStream, *paths: str, is_redo: bool = False) -> None:
    files = tuple(FileDiff(path=path, before=b"", after=b"", applied=()) for path in paths)
    changes = ChangeSet(call_id=CallId("undo-1"), files=files)
    events.emit(
        lambda head: ChangesUndone(
            head=head, scope=UndoScope.TURN, is_redo=is_redo, changes=changes, hunks=()
        )
    )


def test_each_undo_is_told_once() -> None:
    events = EventStream(ManualClock())
    news = UndoNews(events)
    assert news.take() == ()
    undo(events, "a\n[/]", "b")
    undo(events, "a", is_redo=True)
    first, second = news.take()
    assert "took changes of this session back" in first
    assert first.endswith("- b")
    assert "a\n[" not in first
    assert "put changes of this session back" in second
    assert news.take() == ()


def test_an_undo_that_changed_no_file_is_not_told() -> None:
    events = EventStream(ManualClock())
    undo(events)
    assert UndoNews(events).take() == ()


def test_many_files_are_counted() -> None:
    events = EventStream(ManualClock())
    undo(events, *(f"f{number}" for number in range(60)))
    (note,) = UndoNews(events).take()
    assert note.endswith("- and 10 more")


def test_a_session_taken_up_again_tells_what_was_left_untold() -> None:
    earlier = EventStream(ManualClock())
    undo(earlier, "told")
    earlier.emit(
        lambda head: RunStarted(
            head=head,
            session_id=SessionId("s"),
            prompt="go",
            provider="p",
            model="m",
            mode=ApprovalMode.REVIEW,
            profile="caramelo",
            is_trusted=True,
        )
    )
    undo(earlier, "untold")
    now = EventStream(ManualClock(), last_seq=earlier.last_seq)
    news = UndoNews(now, earlier.events)
    undo(now, "new")
    assert [note.splitlines()[-1] for note in news.take()] == ["- untold", "- new"]
    assert news.take() == ()
    undo(now, "last")
    assert [note.splitlines()[-1] for note in news.take()] == ["- last"]
