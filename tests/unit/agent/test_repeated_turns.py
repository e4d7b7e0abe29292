"""Circles: what counts as the same turn, and when it is told and ended."""

from caramelo_tui.agent.repeated_turns import Circle, RepeatedTurns
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult


def turn(
    watch: RepeatedTurns, name: str, *, arguments: str = "{}", text: str = "same"
) -> Circle | None:
    call = ToolCall(id=CallId("c"), name=name, arguments_json=arguments)
    result = ToolResult(call_id=CallId("c"), text=text, is_error=False, state=CallState.OK)
    return watch.take([call], [result])


def test_the_same_call_is_told_at_three_and_hopeless_at_five() -> None:
    watch = RepeatedTurns()
    found = [turn(watch, "grep") for _ in range(6)]
    assert [circle and circle.times for circle in found] == [None, None, 3, None, 5, 6]
    assert [circle and circle.is_hopeless for circle in found[2:5]] == [False, None, True]


def test_order_and_blanks_of_arguments_make_no_difference() -> None:
    watch = RepeatedTurns()
    turn(watch, "grep", arguments='{"a": 1, "b": 2}')
    turn(watch, "grep", arguments='{"b":2,"a":1}')
    assert turn(watch, "grep", arguments='{ "a":1,"b":2 }') is not None


def test_another_result_or_other_arguments_are_progress() -> None:
    watch = RepeatedTurns()
    assert not any(turn(watch, "bash", text=f"{number} left") for number in range(9))
    assert not any(turn(watch, "bash", arguments=f'{{"n": {number}}}') for number in range(9))


def test_turns_that_alternate_are_a_circle_of_two_and_three() -> None:
    watch = RepeatedTurns()
    found = [turn(watch, name) for _ in range(5) for name in ("grep", "glob")]
    told = [circle for circle in found if circle is not None]
    assert {circle.names for circle in told} <= {("grep", "glob"), ("glob", "grep")}
    assert [circle.times for circle in told] == [3, 3, 5]
    assert found[-1] is not None
    watch = RepeatedTurns()
    found = [turn(watch, name) for _ in range(5) for name in ("a", "b", "c")]
    assert found[-1] is not None
    assert found[-1].is_hopeless


def test_reading_again_between_other_work_is_no_circle() -> None:
    watch = RepeatedTurns()
    for number in range(20):
        assert turn(watch, "file_read") is None
        assert turn(watch, "file_edit", arguments=f'{{"n": {number}}}') is None


def test_broken_arguments_are_compared_as_they_are() -> None:
    watch = RepeatedTurns()
    assert [turn(watch, "grep", arguments="{") for _ in range(3)][-1] is not None
    deep = "[" * 100_000
    assert [turn(watch, "grep", arguments=deep) for _ in range(3)][-1] is not None
