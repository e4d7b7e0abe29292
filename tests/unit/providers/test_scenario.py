"""Which turn of a script is played."""

import pytest

from caramelo_tui.domain.messages import StopReason
from caramelo_tui.providers.scenario import (
    CLOSING_TEXT,
    Observation,
    Scenario,
    ScenarioCursor,
    ScriptedCall,
    ScriptedTurn,
    TurnCondition,
)

PROMPT = Observation(prompt="Fix the Bug")


def seen(*results: tuple[str, bool]) -> Observation:
    return Observation(prompt="Fix the Bug", results=results)


def played(scenario: Scenario, *observations: Observation) -> list[str]:
    cursor = ScenarioCursor(scenario)
    texts: list[str] = []
    for observation in observations:
        turn = cursor.next_turn(observation)
        cursor.advance(turn)
        texts.append(turn.text)
    return texts


@pytest.mark.parametrize(
    ("condition", "observation", "holds"),
    [
        (TurnCondition(result_contains="REJECTED"), seen(("1 hunk rejected", False)), True),
        (TurnCondition(result_contains="rejected"), seen(("all applied", False)), False),
        (TurnCondition(result_contains="b"), seen(("a", False), ("b", False)), True),
        (TurnCondition(result_contains="b"), PROMPT, False),
        (TurnCondition(result_lacks="rejected"), seen(("applied", False)), True),
        (TurnCondition(result_lacks="Applied"), seen(("applied", False)), False),
        (TurnCondition(last_result_is_error=True), seen(("a", False), ("b", True)), True),
        (TurnCondition(last_result_is_error=True), seen(("a", True), ("b", False)), False),
        (TurnCondition(last_result_is_error=False), seen(("a", False)), True),
        (TurnCondition(last_result_is_error=True), PROMPT, False),
        (TurnCondition(prompt_contains="bug"), PROMPT, True),
        (TurnCondition(prompt_contains="feature"), PROMPT, False),
        (
            TurnCondition(result_contains="a", last_result_is_error=True),
            seen(("a", False)),
            False,
        ),
    ],
)
def test_a_condition_holds_when_all_its_parts_do(
    condition: TurnCondition, observation: Observation, *, holds: bool
) -> None:
    assert condition.holds(observation) is holds


def test_turns_whose_condition_fails_are_skipped() -> None:
    scenario = Scenario(
        turns=(
            ScriptedTurn(text="edit"),
            ScriptedTurn(text="sorry", when=TurnCondition(result_contains="rejected")),
            ScriptedTurn(text="run"),
        )
    )

    assert played(scenario, PROMPT, seen(("rejected", False)), PROMPT) == ["edit", "sorry", "run"]
    assert played(scenario, PROMPT, seen(("applied", False))) == ["edit", "run"]


def test_a_turn_can_lead_back() -> None:
    failed, passed = seen(("2 failed", True)), seen(("2 passed", False))
    scenario = Scenario(
        turns=(
            ScriptedTurn(text="run", name="run"),
            ScriptedTurn(text="fix", when=TurnCondition(last_result_is_error=True), leads_to="run"),
            ScriptedTurn(text="done"),
        )
    )

    assert played(scenario, PROMPT, failed, PROMPT, passed) == ["run", "fix", "run", "done"]


def test_behind_the_end_a_plain_text_closes() -> None:
    scenario = Scenario(turns=(ScriptedTurn(text="a"),))

    assert played(scenario, PROMPT, PROMPT, PROMPT) == ["a", CLOSING_TEXT, CLOSING_TEXT]


def test_a_turn_that_was_not_gone_past_is_played_again() -> None:
    cursor = ScenarioCursor(Scenario(turns=(ScriptedTurn(text="a"), ScriptedTurn(text="b"))))

    assert cursor.next_turn(PROMPT).text == "a"
    assert cursor.next_turn(PROMPT).text == "a"


def test_equal_turns_are_told_apart_by_their_place() -> None:
    turn = ScriptedTurn(text="same")

    assert played(Scenario(turns=(turn, turn)), PROMPT, PROMPT, PROMPT) == [
        "same",
        "same",
        CLOSING_TEXT,
    ]


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ((ScriptedTurn(text="a", leads_to="b"),), "leads to 'b'"),
        ((ScriptedTurn(text="a", name="n"), ScriptedTurn(text="b", name="n")), "named 'n'"),
    ],
)
def test_jumps_to_nowhere_are_refused(turns: tuple[ScriptedTurn, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Scenario(turns=turns)


def test_the_stop_reason_follows_from_the_calls_unless_set() -> None:
    call = ScriptedCall.of("glob", {})
    assert ScriptedTurn(text="a").played_stop_reason is StopReason.END_TURN
    assert ScriptedTurn(calls=(call,)).played_stop_reason is StopReason.TOOL_USE
    cut = ScriptedTurn(calls=(call,), stop_reason=StopReason.MAX_TOKENS)
    assert cut.played_stop_reason is StopReason.MAX_TOKENS
