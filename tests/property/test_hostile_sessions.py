"""Whatever events a session file holds, in whatever order, the session goes on or says why not."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.resume import remains_of
from caramelo_tui.agent.resume_ends import OpenEnds
from caramelo_tui.agent.resume_spending import ledger_of
from caramelo_tui.agent.resume_transcript import TranscriptPlayer
from caramelo_tui.agent.retries import failed_prompt_of
from caramelo_tui.agent.undo_news import UndoNews
from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.sessions import ExportForm
from caramelo_tui.policy.ledger import DiffLedger
from caramelo_tui.sessions.codec import encode_line
from caramelo_tui.sessions.export import export_session
from caramelo_tui.sessions.opening import open_session
from caramelo_tui.sessions.store import load_events
from tests.doubles.clocks import ManualClock
from tests.doubles.stored_sessions import Told, write_session
from tests.property.event_values import register

register()
MANY = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


@MANY
@given(data=st.data())
def test_any_events_can_be_taken_up(data: st.DataObject) -> None:
    kinds = st.sampled_from(list(get_args(AgentEvent)))
    events = data.draw(st.lists(kinds.flatmap(st.from_type), max_size=12))
    told = Told()
    told.events += events
    with TemporaryDirectory() as folder:
        path = write_session(Path(folder), told)
        opened = open_session(path)
        assert opened.events == tuple(events)
        stream = EventStream(ManualClock(), last_seq=opened.last_seq)
        ends, player = OpenEnds(), TranscriptPlayer()
        ends.play(opened.events)
        player.play(opened.events)
        remains = remains_of(opened.events)
        ledger = ledger_of(opened.events)
        failed_prompt_of(opened.events)
        UndoNews(stream, opened.events).take()
        DiffLedger().book(remains.changed_lines)
        ends.settle(stream)
        player.play(stream.events)
        player.end()
        # What comes of it can be written again.
        opened.file.append([encode_line(event) for event in stream.events])
        opened.file.close()
        json.dumps(ledger.cost, allow_nan=False)
        for form in ExportForm:
            assert export_session(load_events(path), form)
