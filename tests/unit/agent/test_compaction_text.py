"""What people are told of a compaction: figures, what goes, what stays, and trouble."""

from caramelo_tui.agent.compaction_text import compaction_text, goes_text
from caramelo_tui.domain.agent_events import ContextCompacted, EventHead
from caramelo_tui.domain.ids import CallId

HEAD = EventHead(seq=1, at=0.0)


def test_the_figures_and_the_summary_are_told() -> None:
    event = ContextCompacted(
        head=HEAD,
        is_by_hand=False,
        tokens_before=152_000,
        tokens_after=31_000,
        dropped_messages=40,
        kept_answers=3,
        pinned=(0, 2),
        summary="We added a flag.",
    )
    text = compaction_text(event)
    assert text.splitlines()[0] == (
        "Compacted by itself: about 152,000 to 31,000 tokens; 40 messages summed up; "
        "2 prompts and the last 3 turns stay. The session file keeps everything."
    )
    assert text.endswith("The model is told:\nWe added a flag.")


def test_one_turn_is_called_the_last_turn() -> None:
    alone = goes_text(dropped=2, shortened=0, pinned=0, kept_answers=1)
    assert alone == "2 messages summed up; the last turn stays"
    pinned = goes_text(dropped=2, shortened=0, pinned=1, kept_answers=1)
    assert pinned == "2 messages summed up; 1 prompt and the last turn stay"


def test_a_missing_summary_is_told() -> None:
    event = ContextCompacted(
        head=HEAD,
        is_by_hand=True,
        tokens_before=900,
        tokens_after=700,
        dropped_messages=0,
        kept_answers=1,
        shortened=(CallId("c1"),),
        problem="The key is wrong.",
    )
    assert compaction_text(event) == (
        "Compacted by hand: about 900 to 700 tokens; 1 result shortened; the last turn stays. "
        "There is no summary: The key is wrong. The session file keeps everything."
    )
