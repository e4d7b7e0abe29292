"""Write events as JSON and read them again.

Owns the stored form of every event: one object with ``type``, the head's fields, and the
event's own. The same form goes to session files and to ``run --json``; docs/events.md
describes it. An event of a type that this version does not know is kept as it is. Proven by
tests/unit/sessions/test_codec.py and tests/property/test_codec.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from caramelo_tui.domain import agent_events as events
from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.approvals import ApprovalRequest
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.event_shapes import EVENT_SHAPES, REQUEST_SHAPE
from caramelo_tui.sessions.json_shapes import Shape, ShapeError, as_object

FORMAT_VERSION = events.FORMAT_VERSION

_SHAPES: Mapping[str, Shape[Any]] = {kind.__name__: shape for kind, shape in EVENT_SHAPES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvent:
    """A stored event that this version has no name for, or cannot read."""

    type: str
    """Its type as stored; empty when there is none."""
    data: Mapping[str, JsonValue]
    """The whole stored object."""
    problem: str
    """Why it was not read."""


def encode_event(event: AgentEvent) -> dict[str, JsonValue]:
    """Return the JSON object of an event."""
    name = type(event).__name__
    own = as_object(_SHAPES[name].encode(event))
    head = as_object(own.pop("head"))
    return {"type": name, **head, **own}


def encode_line(event: AgentEvent) -> str:
    """Return an event as one line of ASCII JSON, without the line end."""
    return json.dumps(encode_event(event), allow_nan=False, separators=(",", ":"))


def encode_request(request: ApprovalRequest) -> dict[str, JsonValue]:
    """Return the JSON object of a question to the user, as ``ApprovalRequested`` has it."""
    return as_object(REQUEST_SHAPE.encode(request))


def decode_event(data: Mapping[str, JsonValue]) -> AgentEvent | UnknownEvent:
    """Return the event of a JSON object; never raises for an object."""
    name = data.get("type")
    if not isinstance(name, str) or name not in _SHAPES:
        shown = name if isinstance(name, str) else ""
        return UnknownEvent(type=shown, data=data, problem="unknown type of event")
    try:
        event: AgentEvent = _SHAPES[name].decode({**data, "head": dict(data)})
    except ShapeError as error:
        return UnknownEvent(type=name, data=data, problem=str(error))
    return event
