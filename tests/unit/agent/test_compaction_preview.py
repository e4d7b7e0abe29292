"""The preview: a row for each prompt and turn, with what becomes of it."""

from caramelo_tui.agent.compaction import Cut
from caramelo_tui.agent.compaction_preview import preview_of
from caramelo_tui.agent.context_port import CompactionPreview, Fate
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, Message, StopReason, TextBlock
from caramelo_tui.domain.tool_calls import ToolCall
from tests.doubles.transcripts import answered, characters, noted, said, turn

MESSAGES: list[Message] = [
    said("first\nline"),
    noted("note"),
    *turn("c1", "r" * 5_000, tool="grep"),
    answered("done"),
    said("next"),
    answered("ok"),
]


def preview(cut: Cut | None, pins: frozenset[int] = frozenset()) -> CompactionPreview:
    return preview_of(
        MESSAGES, cut, pins=pins, estimate=characters, context_window=9, problem="why"
    )


def test_a_turn_has_its_results_and_a_note_is_a_row() -> None:
    rows = preview(None).rows
    assert [row.label for row in rows] == [
        "you: first line",
        "note: note",
        "turn: grep",
        "turn: done",
        "you: next",
        "turn: ok",
    ]
    assert rows[2].tokens == 5_000
    assert [row.place for row in rows] == [0, None, None, None, 1, None]


def test_what_is_dropped_shortened_pinned_and_kept_is_told_apart() -> None:
    dropped = preview(Cut(kept_answers=1, pinned=(0,)), frozenset({1}))
    assert [row.fate for row in dropped.rows] == [
        Fate.PINNED,
        Fate.SUMMED_UP,
        Fate.SUMMED_UP,
        Fate.SUMMED_UP,
        Fate.PINNED,
        Fate.STAYS,
    ]
    short = preview(Cut(kept_answers=1, shortened=(CallId("c1"),), drops=False))
    assert [row.fate for row in short.rows].count(Fate.SHORTENED) == 1
    assert short.tokens_after < short.tokens_before


def test_without_a_cut_nothing_changes() -> None:
    found = preview(None)
    assert found.tokens_after == found.tokens_before
    assert {row.fate for row in found.rows} == {Fate.STAYS}
    assert found.problem == "why"


def test_the_words_of_a_turn_stand_apart_from_its_calls() -> None:
    words = TextBlock(text="I look first.")
    call = ToolCall(id=CallId("c1"), name="grep", arguments_json="{}")
    rows = preview_of(
        [said("go"), AssistantMessage(blocks=(words, call), stop_reason=StopReason.TOOL_USE)],
        None,
        pins=(),
        estimate=characters,
        context_window=9,
        problem="",
    ).rows
    assert rows[1].label == "turn: grep · I look first."
