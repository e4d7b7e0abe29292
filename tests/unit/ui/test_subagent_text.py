from dataclasses import replace

from caramelo_tui.domain.agent_events import Ending
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.call_records import Subagent
from caramelo_tui.ui.subagent_text import subagent_text

NEW = Subagent(title="Tidy", role="coder", model="m")
BUSY = replace(NEW, turns=3, usage=Usage(input_tokens=12_000, output_tokens=400))


def test_a_new_one_is_starting() -> None:
    assert subagent_text(NEW) == "starting"


def test_a_running_one_says_its_turn_and_tokens() -> None:
    assert subagent_text(BUSY) == "turn 3 · 12k tokens"
    assert subagent_text(BUSY, shows_tokens=False) == "turn 3"


def test_one_that_ended_says_how_many_turns_it_took() -> None:
    assert subagent_text(replace(BUSY, ending=Ending.COMPLETED)) == "3 turns · 12k tokens"
    assert subagent_text(replace(NEW, turns=1, ending=Ending.COMPLETED)) == "1 turn"


def test_an_ending_that_is_no_success_is_named() -> None:
    ended = replace(BUSY, ending=Ending.MAX_TURNS)
    assert subagent_text(ended) == "max turns · 3 turns · 12k tokens"
