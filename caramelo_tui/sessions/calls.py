"""Find one call in a session file.

Owns that its two lines are found without reading the others as JSON. Proven by
tests/unit/sessions/test_calls.py.
"""

import json
from pathlib import Path

from caramelo_tui.domain.agent_events import ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.sessions import StoredCall
from caramelo_tui.sessions.codec import decode_event
from caramelo_tui.sessions.json_shapes import ShapeError, object_of
from caramelo_tui.sessions.lines import stored_lines

_KINDS = (b'{"type":"ToolCallStarted"', b'{"type":"ToolCallFinished"')


def find_call(path: Path, call_id: CallId) -> StoredCall | None:
    """Return what the file holds of a finished call; ``None`` if it does not. Blocks.

    Raises:
        OSError: If the file cannot be read.
    """
    name = json.dumps(call_id).encode("ascii")
    arguments = ""
    with path.open("rb") as file:
        for line in stored_lines(file):
            if line is None or not line.startswith(_KINDS) or name not in line:
                continue
            try:
                event = decode_event(object_of(line))
            except ShapeError:
                # A damaged line says nothing of any call.
                continue
            if isinstance(event, ToolCallStarted) and event.call_id == call_id:
                arguments = event.arguments_json
            elif isinstance(event, ToolCallFinished) and event.call_id == call_id:
                return StoredCall(arguments_json=arguments, result=event.result)
    return None
