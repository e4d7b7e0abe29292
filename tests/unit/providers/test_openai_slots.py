"""Tool calls from fragments of every kind."""

from collections.abc import Mapping

import pytest

from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.provider_events import ProviderEvent, ToolArgumentsDelta, ToolCallBegan
from caramelo_tui.providers.openai_slots import ToolCallSlots

Fragment = Mapping[str, object]
Calls = list[tuple[str, str, str]]


def piece(
    index: int | None = 0, call_id: str | None = None, name: str | None = None, text: str = ""
) -> Fragment:
    function: dict[str, object] = {"arguments": text}
    if name is not None:
        function["name"] = name
    fragment: dict[str, object] = {"function": function}
    if index is not None:
        fragment["index"] = index
    if call_id is not None:
        fragment["id"] = call_id
    return fragment


def collected(events: list[ProviderEvent]) -> Calls:
    calls: dict[int, list[str]] = {}
    for event in events:
        if isinstance(event, ToolCallBegan):
            calls[event.slot] = [event.call_id, event.name, ""]
        elif isinstance(event, ToolArgumentsDelta):
            calls[event.slot][2] += event.fragment
    return [(call_id, name, text) for call_id, name, text in calls.values()]


def calls_of(*fragments: Fragment) -> Calls:
    ids = CountingIds()
    slots = ToolCallSlots(lambda: ids.new("made"))
    events = [event for fragment in fragments for event in slots.add(fragment)]
    return collected([*events, *slots.flush()])


def test_fragments_are_appended() -> None:
    assert calls_of(piece(0, "a", "x", '{"p'), piece(0, text='":1}')) == [("a", "x", '{"p":1}')]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [({"p": "naïve"}, '{"p": "naïve"}'), ([1], "[1]"), (0, "0"), (False, "false")],
)
def test_arguments_that_come_as_json_are_taken_whole(arguments: object, text: str) -> None:
    # Some servers send the object itself; nothing of it may be lost, whatever it is.
    fragment = {"index": 0, "id": "a", "function": {"name": "x", "arguments": arguments}}

    assert calls_of(fragment) == [("a", "x", text)]


def test_an_empty_object_before_fragments_is_nothing() -> None:
    first = {"index": 0, "id": "a", "function": {"name": "x", "arguments": {}}}

    assert calls_of(first, piece(0, text='{"p":1}')) == [("a", "x", '{"p":1}')]


def test_a_new_id_on_a_complete_index_opens_a_slot() -> None:
    assert calls_of(
        piece(0, "a", "x", "{1"), piece(0, text="}"), piece(0, "b", "x", "{2"), piece(0, text="}")
    ) == [("a", "x", "{1}"), ("b", "x", "{2}")]


def test_a_repeated_id_and_name_are_one_call() -> None:
    assert calls_of(piece(0, "a", "x", "{"), piece(0, "a", "x", "}")) == [("a", "x", "{}")]


def test_fragments_interleave_by_index() -> None:
    assert calls_of(
        piece(0, "a", "x", "{0"),
        piece(1, "b", "y", "{1"),
        piece(0, text="}"),
        piece(1, text="}"),
    ) == [("a", "x", "{0}"), ("b", "y", "{1}")]


def test_calls_come_in_index_order_whatever_came_first() -> None:
    assert calls_of(piece(1, "b", "y", "{1}"), piece(0, "a", "x", "{0}")) == [
        ("a", "x", "{0}"),
        ("b", "y", "{1}"),
    ]


def test_a_first_index_that_never_comes_holds_nothing_back_for_ever() -> None:
    assert calls_of(piece(2, "c", "z", "{}"), piece(1, "b", "y", "{}")) == [
        ("b", "y", "{}"),
        ("c", "z", "{}"),
    ]


def test_an_id_or_a_name_may_come_late() -> None:
    assert calls_of(piece(0, None, "x", "{"), piece(0, "a", text="}")) == [("a", "x", "{}")]
    assert calls_of(piece(0, "a", text="{"), piece(0, None, "x", "}")) == [("a", "x", "{}")]


def test_arguments_are_given_out_while_they_come() -> None:
    slots = ToolCallSlots(lambda: "made")
    began = list(slots.add(piece(0, "a", "x", "{")))
    more = list(slots.add(piece(0, text="}")))
    second = list(slots.add(piece(1, "b", "y")))

    assert began == [
        ToolCallBegan(slot=0, call_id="a", name="x"),
        ToolArgumentsDelta(slot=0, fragment="{"),
    ]
    assert more == [ToolArgumentsDelta(slot=0, fragment="}")]
    assert second == [ToolCallBegan(slot=1, call_id="b", name="y")]


def test_a_missing_id_is_made_up_once() -> None:
    assert calls_of(piece(0, None, "x", "{"), piece(0, text="}"), piece(1, "", "y", "{}")) == [
        ("made-1", "x", "{}"),
        ("made-2", "y", "{}"),
    ]


def test_an_id_used_twice_on_different_indexes_is_replaced() -> None:
    assert calls_of(piece(0, "a", "x", "{0}"), piece(1, "a", "x", "{1}")) == [
        ("a", "x", "{0}"),
        ("made-1", "x", "{1}"),
    ]


def test_without_an_index_fragments_go_by_id_or_to_the_last_slot() -> None:
    assert calls_of(
        piece(None, "a", "x", "{0"),
        piece(None, text=","),
        piece(None, "b", "y", "{1"),
        piece(None, "a", text="}"),
        piece(None, "b", text="}"),
    ) == [("a", "x", "{0,}"), ("b", "y", "{1}")]


def test_another_name_without_an_id_is_another_call() -> None:
    assert calls_of(piece(0, None, "x", "{0}"), piece(0, None, "y", "{1}")) == [
        ("made-1", "x", "{0}"),
        ("made-2", "y", "{1}"),
    ]


def test_a_fragment_without_an_id_joins_the_slot_last_opened_on_its_index() -> None:
    assert calls_of(piece(0, "a", "x", "{0}"), piece(0, "b", "x", "{"), piece(0, text="1}")) == [
        ("a", "x", "{0}"),
        ("b", "x", "{1}"),
    ]


def test_two_ids_are_never_glued_even_before_a_name() -> None:
    assert calls_of(piece(0, "a"), piece(0, "b", "x", "{}")) == [("b", "x", "{}")]


@pytest.mark.parametrize("index", ["0", True, -1, 1.5])
def test_an_index_that_is_none_is_as_if_it_were_missing(index: object) -> None:
    assert calls_of({**piece(None, "a", "x", "{}"), "index": index}) == [("a", "x", "{}")]


def test_no_arguments_are_an_empty_object() -> None:
    assert calls_of(piece(0, "a", "x"), {"index": 1, "id": "b", "function": {"name": "y"}}) == [
        ("a", "x", "{}"),
        ("b", "y", "{}"),
    ]


def test_a_blank_slot_is_no_call() -> None:
    slots = ToolCallSlots(lambda: "made")
    assert list(slots.add({"index": 0, "id": "a"})) == []
    assert slots.is_empty
    assert list(slots.flush()) == []


def test_arguments_without_a_name_break_the_stream() -> None:
    with pytest.raises(StreamBroken, match="without a name"):
        calls_of(piece(0, "a", text="{}"))


def test_a_huge_index_costs_nothing() -> None:
    assert calls_of(piece(10**15, "a", "x", "{}")) == [("a", "x", "{}")]
