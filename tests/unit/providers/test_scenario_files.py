"""Scenario files and the errors their writers get."""

import json
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.providers.scenario import (
    FaultKind,
    Scenario,
    ScriptedCall,
    ScriptedFault,
    ScriptedTurn,
    TurnCondition,
)
from caramelo_tui.providers.scenario_files import parse_scenario, read_scenario

TOML = """
title = "A small fix"
closing_text = "Bye."

[[turns]]
name = "look"
thinking = "Where is it?"
text = "I look."
[[turns.calls]]
name = "grep"
arguments = { pattern = "bug", max_matches = 5 }
[[turns.calls]]
name = "bash"
id = "b1"
arguments_raw = "{broken"

[[turns]]
text = "Again."
when = { result_contains = "denied", last_result_is_error = true }
leads_to = "look"

[[turns]]
raises = "overloaded"

[[turns]]
text = "half"
raises = { kind = "stream_broken", after_content = true }

[[turns]]
text = "cut"
stop_reason = "max_tokens"
"""

EXPECTED = Scenario(
    title="A small fix",
    closing_text="Bye.",
    turns=(
        ScriptedTurn(
            name="look",
            thinking="Where is it?",
            text="I look.",
            calls=(
                ScriptedCall.of("grep", {"pattern": "bug", "max_matches": 5}),
                ScriptedCall(name="bash", id="b1", arguments_json="{broken"),
            ),
        ),
        ScriptedTurn(
            text="Again.",
            when=TurnCondition(result_contains="denied", last_result_is_error=True),
            leads_to="look",
        ),
        ScriptedTurn(raises=ScriptedFault(kind=FaultKind.OVERLOADED)),
        ScriptedTurn(
            text="half",
            raises=ScriptedFault(kind=FaultKind.STREAM_BROKEN, after_content=True),
        ),
        ScriptedTurn(text="cut", stop_reason=StopReason.MAX_TOKENS),
    ),
)


def test_a_toml_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(TOML, encoding="utf-8")

    assert read_scenario(path) == EXPECTED


def test_a_json_file_of_the_same_shape_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"turns": [{"text": "a"}]}), encoding="utf-8")

    assert read_scenario(path) == Scenario(turns=(ScriptedTurn(text="a"),))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read"):
        read_scenario(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("turns = [", "is not valid TOML"),
        ("", r"turns: must hold at least one turn"),
        ("turns = 1", "turns: must be a list"),
        ("turns = [1]", r"turns\[1\]: must be a table"),
        ("title = 1\nturns = [{text='a'}]", "title: must be a text"),
        ("colour = 1", "colour: is not known; allowed: closing_text, title, turns"),
        ("[[turns]]", r"turns\[1\]: says nothing"),
        ("[[turns]]\ntxt = 'a'", r"turns\[1\].txt: is not known"),
        ("[[turns]]\ntext = 'a'\n[[turns]]\ntext = 2", r"turns\[2\].text: must be a text"),
        ("[[turns]]\ncalls = [{}]", r"turns\[1\].calls\[1\].name: must name a tool"),
        ("[[turns]]\ncalls = [{name='a', arguments=1}]", "arguments: must be a table"),
        ("[[turns]]\ncalls = [{name='a', arguments={d=2020-01-01}}]", "is no JSON"),
        ("[[turns]]\ntext='a'\nwhen = {}", "at least one condition"),
        ("[[turns]]\ntext='a'\nwhen = {x=1}", r"when\.x: is not known"),
        ("[[turns]]\ntext='a'\nwhen = {last_result_is_error='no'}", "true or false"),
        ("[[turns]]\nraises = 'boom'", "raises: must be one of rate_limited, overloaded"),
        ("[[turns]]\nraises = {kind='overloaded', retry_after_s='1'}", "number of seconds"),
        ("[[turns]]\ntext='a'\nstop_reason = 'tired'", "must be one of end_turn"),
        ("[[turns]]\ntext='a'\nleads_to = 'x'", "leads to 'x'"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        parse_scenario(text, source="s.toml")
    assert str(caught.value).startswith("s.toml: ")


def test_broken_json_is_told() -> None:
    with pytest.raises(ConfigError, match="is not valid JSON"):
        parse_scenario("{", source="s.json", is_json=True)


def test_seconds_to_wait_are_read() -> None:
    text = "[[turns]]\nraises = {kind='rate_limited', retry_after_s=1.5}"
    (turn,) = parse_scenario(text, source="s").turns

    assert turn.raises == ScriptedFault(kind=FaultKind.RATE_LIMITED, retry_after_s=1.5)
