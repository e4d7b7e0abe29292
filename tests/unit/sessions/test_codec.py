"""The codec: every member of the union has a shape, lines are plain, strangers are kept."""

import dataclasses
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from caramelo_tui.domain.agent_events import AgentEvent, EventHead, TextStreamed, TurnEnded
from caramelo_tui.domain.ids import RunId
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.codec import UnknownEvent, decode_event, encode_event, encode_line
from caramelo_tui.sessions.event_shapes import EVENT_SHAPES

HEAD = EventHead(seq=7, at=12.5, run_id=RunId("run-1"))


def test_every_event_has_a_shape() -> None:
    assert set(EVENT_SHAPES) == set(get_args(AgentEvent))


def test_an_event_is_one_flat_object_with_its_type_first() -> None:
    data = encode_event(TextStreamed(head=HEAD, text="hi"))
    assert list(data.items()) == [
        ("type", "TextStreamed"),
        ("seq", 7),
        ("at", 12.5),
        ("run_id", "run-1"),
        ("turn_id", None),
        ("agent", ""),
        ("text", "hi"),
    ]


@pytest.mark.parametrize("text", ["\x1b[2J\x9b\x7f\n\r", "a\u2028b\u0085c", "\udc80", "漢字😀"])
def test_a_line_holds_no_line_end_and_nothing_but_plain_ascii(text: str) -> None:
    event = TextStreamed(head=HEAD, text=text)
    line = encode_line(event)
    assert line.isascii()
    assert line.isprintable()
    assert decode_event(json.loads(line)) == event


@pytest.mark.parametrize(
    ("data", "name", "problem"),
    [
        ({"type": "FromTheFuture", "seq": 1}, "FromTheFuture", "unknown type"),
        ({"type": 5}, "", "unknown type"),
        ({"seq": 1}, "", "unknown type"),
        ({"type": "TextStreamed", "seq": 1, "at": 1}, "TextStreamed", "lacks text"),
        ({"type": "TextStreamed", "at": 1, "text": "x"}, "TextStreamed", "lacks seq"),
        ({"type": "TextStreamed", "seq": "1", "at": 1, "text": ""}, "TextStreamed", "whole"),
    ],
)
def test_what_cannot_be_read_is_kept_as_it_is(
    data: dict[str, JsonValue], name: str, problem: str
) -> None:
    event = decode_event(data)
    assert isinstance(event, UnknownEvent)
    assert (event.type, event.data) == (name, data)
    assert problem in event.problem


def test_a_field_of_a_newer_version_does_not_hide_the_event() -> None:
    event = TurnEnded(head=HEAD, number=2)
    assert decode_event({**encode_event(event), "new": [1]}) == event


def test_the_docs_name_every_event_with_its_fields() -> None:
    page = Path(__file__).parents[3] / "docs" / "events.md"
    rows = {
        row.split("|")[1].strip().strip("`"): row.split("|")[3]
        for row in page.read_text("utf-8").splitlines()
        if row.startswith("| `")
    }
    for kind in EVENT_SHAPES:
        own = [field.name for field in dataclasses.fields(kind) if field.name != "head"]
        assert re.findall(r"`(\w+)`", rows[kind.__name__])[: len(own)] == own
