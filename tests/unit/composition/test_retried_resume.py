"""What failed before the program ended can be asked for again when the session goes on."""

from pathlib import Path

from caramelo_tui.agent.resume import RESUMED
from caramelo_tui.domain.agent_events import Ending, RunEnded
from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.provider_events import TextDelta
from caramelo_tui.sessions.opening import open_session
from tests.doubles.agent_worlds import says
from tests.unit.composition.test_resume import ask, last, sent, sitting, until

GO = UserMessage(text="go")
NOTE = UserMessage(text=RESUMED, is_note=True)


async def test_a_resumed_session_asks_again_without_the_broken_answer(tmp_path: Path) -> None:
    async with sitting(tmp_path, [[TextDelta(text="Half"), StreamBroken("lost")]]) as (agent, _):
        await ask(agent, "go")
    opened = open_session(last(tmp_path))
    async with sitting(tmp_path, [says("whole")], opened) as (agent, models):
        assert agent.retries.send_again()
        ended = (await until(agent, RunEnded))[-1]

        assert isinstance(ended, RunEnded)
        assert ended.ending is Ending.COMPLETED
        assert sent(models) == (GO, NOTE)
    # The record tells the same: a third sitting has what the second one had.
    again = open_session(last(tmp_path))
    async with sitting(tmp_path, [says("more")], again) as (agent, models):
        assert not agent.retries.is_offered
        await ask(agent, "on")
        assert sent(models)[:2] == (GO, NOTE)
        assert getattr(sent(models)[2], "text", "") == "whole"
