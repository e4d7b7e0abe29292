"""Any bytes as a session's file: it opens, or it is said why not; what opens can be kept again."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from caramelo_tui.agent.resume import remains_of
from caramelo_tui.agent.resume_transcript import TranscriptPlayer
from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.sessions import ExportForm, SessionTrouble
from caramelo_tui.sessions.catalogue import list_sessions
from caramelo_tui.sessions.codec import UnknownEvent, decode_event, encode_line
from caramelo_tui.sessions.export import export_session, plain_text
from caramelo_tui.sessions.json_shapes import object_of
from caramelo_tui.sessions.opening import open_session
from caramelo_tui.sessions.store import StoredSession, load_events
from tests.doubles.stored_sessions import Told, write_session

_RAW = frozenset(map(chr, (*range(32), *range(127, 160)))) - {"\n", "\t"}
"""Control characters that a terminal or a browser would act on."""


def _told() -> bytes:
    told = Told()
    told.begin("go on\x1b[2J").turn().stream("so")
    told.reply("so", ("c1", "grep", '{"pattern": "a"}')).end_turn()
    told.turn().reply("done <b>\u202e").end_turn()
    with TemporaryDirectory() as folder:
        return write_session(Path(folder), told).read_bytes()


SEEDS: tuple[bytes, ...] = (
    _told(),
    b'{"type":"Session","session_id":"a","workspace":"/w","started_at":1.0,"format_version":1}\n',
    b'{"type":"Session"}\n{"type":"RunEnded"}\n\n{"type":1}\n[]\nnull\n{',
)


def fuzz_one(data: bytes) -> None:
    """Open, list, export and encode again.

    Raises:
        AssertionError: If something is lost on the way, or control characters stay.
    """
    with TemporaryDirectory() as name:
        path = Path(name) / "20260101-000000-1.jsonl"
        path.write_bytes(data)
        list_sessions(path.parent)
        stored = load_events(path)
        _check_exports(stored)
        try:
            opened = open_session(path)
        except SessionTrouble:
            return
        opened.file.close()
    _check_events(opened.events)


def _check_exports(stored: StoredSession) -> None:
    for form in ExportForm:
        text = export_session(stored, form)
        text.encode()
        if form is ExportForm.HTML:
            assert not _RAW & set(text)
            assert "<script" not in text
    assert not _RAW & set(plain_text(stored))


def _check_events(events: tuple[AgentEvent, ...]) -> None:
    for event in events:
        again = decode_event(object_of(encode_line(event).encode()))
        assert not isinstance(again, UnknownEvent)
        assert repr(again) == repr(event)
    player = TranscriptPlayer()
    player.play(events)
    player.end()
    json.dumps(remains_of(events).changed_lines)
