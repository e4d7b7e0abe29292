"""A wall clock that jumps costs no session, no event and no order within a session."""

import json
from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.sessions.catalogue import find_session, list_sessions
from caramelo_tui.sessions.codec import UnknownEvent
from caramelo_tui.sessions.opening import open_session
from caramelo_tui.sessions.recorder import SessionRecorder
from caramelo_tui.sessions.store import SessionFile, SessionHeader, load_events

YEARS_S = 10 * 365 * 86_400.0
NOW = 1_800_000_000.0
COMPACT = (",", ":")


class JumpingClock:
    """A wall clock that is somewhere else at each look; time passes evenly all the same."""

    def __init__(self, *moments: float) -> None:
        self._moments = list(moments)
        self._passed = 0.0

    def now(self) -> float:
        return self._moments.pop(0) if len(self._moments) > 1 else self._moments[0]

    def monotonic(self) -> float:
        self._passed += 0.001
        return self._passed


JUMPS = (NOW, NOW + YEARS_S, NOW - YEARS_S, 0.0, NOW + 1, NOW + 2)


async def stored(folder: Path, name: str, clock: JumpingClock, count: int) -> Path:
    """Return the file of a session with so many events."""
    stream = EventStream(clock)
    path = folder / f"{name}.jsonl"
    header = SessionHeader(session_id=SessionId(name), workspace="/w", started_at=NOW)
    for number in range(count):
        stream.raise_notice(NoticeLevel.INFO, f"n{number}")
    stream.close()
    problems: list[str] = []
    await SessionRecorder(SessionFile(path, header), on_trouble=problems.append).record(
        stream.reader()
    )
    assert problems == []
    return path


async def test_events_keep_their_order_and_are_all_kept(tmp_path: Path) -> None:
    path = await stored(tmp_path, "s-1", JumpingClock(*JUMPS), len(JUMPS))
    events = load_events(path).events
    assert [e.head.seq for e in events if not isinstance(e, UnknownEvent)] == [1, 2, 3, 4, 5, 6]
    opened = open_session(path)
    assert (opened.last_seq, opened.problems) == (6, ())
    opened.file.close()


@pytest.mark.parametrize("at", [0.0, NOW - YEARS_S, NOW, NOW + YEARS_S, NOW + 200 * YEARS_S])
def test_a_session_of_any_time_is_listed_and_gone_on_with(tmp_path: Path, at: float) -> None:
    for name, moment in (("s-of-now", NOW), ("s-of-then", at)):
        header = SessionHeader(session_id=SessionId(name), workspace="/w", started_at=moment)
        event = {"type": "RunStarted", "seq": 1, "at": moment, "prompt": name}
        (tmp_path / f"{name}.jsonl").write_text(
            f"{header.line()}\n{json.dumps(event, separators=COMPACT)}\n"
        )
    listed = list_sessions(tmp_path)
    assert {summary.id for summary in listed} == {"s-of-now", "s-of-then"}
    times = [summary.active_at for summary in listed]
    assert times == sorted(times, reverse=True)
    for name in ("s-of-now", "s-of-then"):
        opened = open_session(find_session(tmp_path, name))
        assert opened.header.session_id == name
        opened.file.close()
