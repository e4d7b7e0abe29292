"""Compaction: what goes first, what always stays, and that the same cut gives the same again."""

import pytest

from caramelo_tui.agent.compaction import (
    SUMMARY_INTRO,
    Cut,
    CutPlanner,
    Sizes,
    begin_of_tail,
    compacted,
    shortened_text,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, Message, ToolResultsMessage
from caramelo_tui.domain.usage import Usage
from tests.doubles.transcripts import answered, characters, noted, said, turn

LONG = "x" * 5_000


def session() -> list[Message]:
    """Two finished prompts with long results, and one that is worked on."""
    return [
        said("add a flag"),
        *turn("c1", LONG),
        *turn("c2", LONG),
        answered("added"),
        said("test it"),
        *turn("c3", LONG),
        answered("tested"),
        said("document it"),
        *turn("c4", "short"),
    ]


def plan(goal: int, tail: int = 1_000, *, pinned: tuple[int, ...] = ()) -> Cut | None:
    planner = CutPlanner(session(), estimate=characters)
    return planner.plan(Sizes(goal=goal, tail=tail), pinned=pinned)


def test_long_results_before_the_last_turns_are_shortened_first() -> None:
    assert plan(10_000) == Cut(
        kept_answers=2, shortened=(CallId("c1"), CallId("c2"), CallId("c3")), drops=False
    )


def test_if_that_is_not_enough_all_before_the_last_turns_goes() -> None:
    assert plan(1_500) == Cut(kept_answers=2, pinned=())


def test_the_last_turns_are_shortened_last_the_longest_first() -> None:
    messages = [said("go"), *turn("c1", LONG), *turn("c2", "y" * 3_000), *turn("c3", "z" * 9_000)]
    planner = CutPlanner(messages, estimate=characters)
    cut = planner.plan(Sizes(goal=3_000, tail=100), pinned=())
    assert cut == Cut(kept_answers=1, pinned=(0,), shortened=(CallId("c3"),))


def test_nothing_is_planned_where_nothing_can_go() -> None:
    planner = CutPlanner([said("go"), *turn("c1", "short")], estimate=characters)
    assert planner.plan(Sizes(goal=1, tail=1), pinned=()) is None
    assert CutPlanner([], estimate=characters).plan(Sizes(goal=1, tail=1), pinned=()) is None


def test_without_a_summary_results_are_shortened_and_nothing_is_dropped() -> None:
    planner = CutPlanner(session(), estimate=characters)
    cut = planner.plan(Sizes(goal=10, tail=10), pinned=(), drops=False)
    assert cut is not None
    assert not cut.drops
    assert len(compacted(session(), cut, "")) == len(session())


def test_pinned_prompts_stay_word_for_word_before_the_summary() -> None:
    cut = plan(1_500, pinned=(0, 2))
    assert cut == Cut(kept_answers=2, pinned=(0,))
    kept = compacted(session(), cut, "We added a flag.")
    assert kept[0] == said("add a flag")
    assert kept[1] == noted(f"{SUMMARY_INTRO}\n\nWe added a flag.")
    assert kept[2:] == tuple(session()[begin_of_tail(session(), 2) :])


def test_the_prompt_that_is_worked_on_always_stays() -> None:
    messages = [said("old"), answered("ok"), said("the task"), *turn("c1", LONG), *turn("c2", "r")]
    cut = CutPlanner(messages, estimate=characters).plan(Sizes(goal=200, tail=10), pinned=())
    assert cut == Cut(kept_answers=1, pinned=(1,))
    assert said("the task") in compacted(messages, cut, "s")


def test_the_providers_counts_are_taken_off_what_stays() -> None:
    messages = [said("a"), answered("b", tokens=9_000), said("c"), *turn("c1", "r", tokens=9_900)]
    kept = compacted(messages, Cut(kept_answers=1, pinned=()), "s")
    assert [m.usage for m in kept if isinstance(m, AssistantMessage)] == [Usage()]


@pytest.mark.parametrize(("kept", "begin"), [(1, 10), (2, 9), (3, 6), (6, 0), (9, 0), (0, 0)])
def test_the_tail_begins_with_the_prompt_before_its_first_answer(kept: int, begin: int) -> None:
    assert begin_of_tail(session(), kept) == begin


def test_a_shortened_text_has_begin_and_end_and_says_so() -> None:
    text = "a" * 800 + "b" * 9_000 + "c" * 400
    short = shortened_text(text)
    assert short.startswith("a" * 800 + "\n")
    assert short.endswith("\n" + "c" * 400)
    assert "9,000 characters were left out" in short
    assert shortened_text(short) == short
    assert shortened_text("kept") == "kept"


def test_only_the_named_results_are_shortened() -> None:
    messages = [said("a"), *turn("c1", LONG), *turn("c2", LONG)]
    cut = Cut(kept_answers=2, shortened=(CallId("c1"),), drops=False)
    results = [m for m in compacted(messages, cut, "") if isinstance(m, ToolResultsMessage)]
    assert len(results[0].results[0].text) < 2_000
    assert results[1].results[0].text == LONG
