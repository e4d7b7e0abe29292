"""The tool log's filter: states, tools and words."""

import pytest

from caramelo_tui.ui.call_filter import STATE_SIGN, TOOL_SIGN, CallFilter, with_next


@pytest.mark.parametrize(
    ("text", "is_left"),
    [
        ("", True),
        ("is:not-run", True),
        ("is:error", False),
        ("is:error is:not-run", True),
        ("tool:ba", True),
        ("tool:grep", False),
        ("tool:grep tool:bash", True),
        ("IS:NOT-RUN TOOL:BASH make", True),
        ("make test", True),
        ("make nothing", False),
        ("is: tool:", True),
    ],
)
def test_a_filter_leaves_what_it_names(text: str, is_left: bool) -> None:  # noqa: FBT001 - a parameter
    wanted = CallFilter.read(text)
    assert wanted.matches(state="not_run", tool="bash", row="bash make test not run") is is_left


def test_one_key_goes_through_the_states_and_back_to_all() -> None:
    states = ("ok", "not_run")
    text = "make"
    seen: list[str] = []
    for _press in range(3):
        text = with_next(text, STATE_SIGN, states)
        seen.append(text)
    assert seen == ["make is:ok", "make is:not-run", "make"]


def test_a_tool_and_a_state_stand_beside_each_other() -> None:
    assert with_next("is:ok", TOOL_SIGN, ["bash"]) == "is:ok tool:bash"
    assert with_next("is:ok tool:bash", TOOL_SIGN, ["bash"]) == "is:ok"


def test_a_value_that_is_gone_is_lifted() -> None:
    assert with_next("is:running", STATE_SIGN, ["ok"]) == ""
    assert with_next("", STATE_SIGN, []) == ""
