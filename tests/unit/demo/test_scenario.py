"""The demo's script answers what the user accepts, rejects, denies and interrupts."""

import json
from pathlib import Path

import pytest

from caramelo_tui.demo.sample_workspace import copy_sample, scenario_text
from caramelo_tui.providers.scenario import Observation, Scenario, ScenarioCursor, ScriptedTurn
from caramelo_tui.providers.scenario_files import parse_scenario

PROMPT = Observation(prompt="go")
READ = ("path: tally/cli.py", False)
WRITTEN = ("edited tally/report.py", False)
REJECTED = ("rejected by the user", True)
FAILED = ("exit_code: 1\nDecimal is not JSON serializable", True)
PASSED = ("exit_code: 0", False)
DENIED = ("denied by the user", True)


@pytest.fixture
def script() -> Scenario:
    return parse_scenario(scenario_text(), source="demo")


def play(script: Scenario, *steps: tuple[str, bool] | None) -> list[ScriptedTurn]:
    """Play steps, each a result or ``None`` for a prompt; return the turns."""
    cursor = ScenarioCursor(script)
    turns: list[ScriptedTurn] = []
    for step in steps:
        seen = PROMPT if step is None else Observation(prompt="go", results=(step,))
        turns.append(cursor.next_turn(seen))
        cursor.advance(turns[-1])
    return turns


def test_all_accepted_comes_to_passing_tests(script: Scenario) -> None:
    turns = play(script, None, READ, READ, WRITTEN, FAILED, WRITTEN, PASSED)
    assert [turn.calls[0].name for turn in turns[:-1]] == [
        "list_dir",
        "grep",
        "file_edit",
        "bash",
        "file_edit",
        "bash",
    ]
    assert "All tests pass" in turns[-1].text
    assert not turns[-1].calls


def test_a_rejected_part_is_respected(script: Scenario) -> None:
    turns = play(script, None, READ, READ, REJECTED, ("exit_code: 1\nno such option", True))
    assert "stays out" in turns[3].text
    assert "need each other" in turns[4].text
    assert not turns[4].calls


def test_denied_tests_end_the_task(script: Scenario) -> None:
    turns = play(script, None, READ, READ, WRITTEN, DENIED)
    assert "as you wished" in turns[-1].text
    assert not turns[-1].calls


def test_an_interrupted_review_is_proposed_again(script: Scenario) -> None:
    turns = play(script, None, READ, READ, None, None)
    assert "propose the changes again" in turns[3].text
    assert turns[4] is turns[2]


def test_the_edits_fit_the_sample(script: Scenario) -> None:
    root = copy_sample()
    for turn in script.turns:
        for call in turn.calls:
            if call.name == "file_edit":
                edit(root, json.loads(call.arguments_json))


def edit(root: Path, arguments: dict[str, str]) -> None:
    path = root / arguments["path"]
    text = path.read_text(encoding="utf-8")
    assert text.count(arguments["search"]) == 1
    path.write_text(text.replace(arguments["search"], arguments["replace"]), encoding="utf-8")
