"""What the scripted model of the measurements says."""

import json

from benchmarks.model_app import END, Message, answer, events, markdown


def asked(*turns: tuple[str, str]) -> list[Message]:
    return [
        Message(role="user" if who == "u" else "assistant", content=text) for who, text in turns
    ]


def test_reads_and_edits_come_in_turn_and_end() -> None:
    turns = [("u", "bench:calls 3")]
    said: list[str | None] = []
    for _ in range(4):
        _, call, _ = answer({"messages": asked(*turns)})
        said.append(None if call is None else f"{call[0]} {call[1]['path']}")
        turns += [("a", "done"), ("u", "a result")]
    first, second = "pkg/mod_000.py", "pkg/mod_001.py"
    assert said == [f"file_read {first}", f"file_edit {first}", f"file_read {second}", None]


def test_a_later_prompt_begins_anew() -> None:
    turns = asked(("u", "bench:reads 1 0"), ("a", "done"), ("u", "bench:reads 2 7"))
    assert answer({"messages": turns})[1] == ("file_read", {"path": "small/s_007.py"})


def test_a_stream_has_its_size_its_end_and_its_pause() -> None:
    text, call, pause_ms = answer({"messages": asked(("u", "bench:stream 5000 10"))})
    assert (len(markdown(5_000)), call, pause_ms) == (5_000, None, 10)
    assert text.startswith(markdown(5_000))
    assert text.endswith(f"{END}\n")


def test_pieces_make_up_the_text() -> None:
    pieces = [
        json.loads(event.split(b"data: ", 1)[1]) for event in events("x" * 50, None, number=1)
    ]
    deltas = [one["delta"]["text"] for one in pieces if one["type"] == "content_block_delta"]
    assert [len(delta) for delta in deltas] == [20, 20, 10]
    assert pieces[-1]["type"] == "message_stop"
