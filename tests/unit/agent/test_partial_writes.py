"""A write that is still being written says what it would come to."""

import json

from caramelo_tui.agent.partial_writes import TAIL_LINES, Draft, draft_of, partial_write
from caramelo_tui.domain.ids import CallId

CALL = CallId("call-1")
BASE = "".join(f"line {number}\n" for number in range(1, 21))


def drawn(tool: str, arguments: str, before: str | None, *, is_whole: bool = False) -> Draft:
    write = partial_write(tool, arguments, is_whole=is_whole)
    assert write is not None
    return draft_of(write, before, call_id=CALL)


def test_nothing_is_said_before_the_path_is_whole() -> None:
    for start in ("", "{", '{"path": "src/a', '{"path": "src/a.py"'):
        assert partial_write("file_write", start) is None
    write = partial_write("file_write", '{"path": "src/a.py", "content": "on')
    assert write is not None
    assert (write.path, write.text, write.is_whole) == ("src/a.py", "on", False)


def test_what_is_no_object_of_texts_says_nothing() -> None:
    for start in ("[1", '{"path": 3, "content": "x', "nonsense", '{"path": "", "content": "'):
        assert partial_write("file_write", start) is None
    assert partial_write("bash", '{"path": "a", "command": "x') is None


def test_every_prefix_of_a_call_can_be_read() -> None:
    whole = json.dumps({"path": "ä.py", "search": "\U0001f600\n", "replace": 'a"\\\n\ud83d'})
    for end in range(len(whole) + 1):
        partial_write("file_edit", whole[:end])
    write = partial_write("file_edit", '{"path": "ä.py", "search": "😀", "replace": "x')
    assert write is not None
    assert write.search == "😀"


def test_a_whole_file_grows_line_by_line() -> None:
    draft = drawn("file_write", '{"path": "a.py", "content": "one\\ntwo\\nth', None)
    assert draft.hunks[0].new_lines == ("one\n", "two\n", "th\n")
    assert (draft.added, draft.removed, draft.note) == (3, 0, "")


def test_a_whole_call_tells_whether_the_last_line_has_an_end() -> None:
    draft = drawn("file_write", '{"path": "a.py", "content": "one"}', None, is_whole=True)
    assert draft.hunks[0].new_lines == ("one",)


def test_arguments_that_are_cut_off_are_not_whole() -> None:
    write = partial_write("file_write", '{"path": "a.py", "content": "one', is_whole=True)
    assert write is not None
    assert not write.is_whole


def test_a_file_that_is_there_is_said_to_be_replaced() -> None:
    draft = drawn("write_file", '{"path": "a.py", "content": "one', BASE)
    assert draft.note == "takes the place of 20 lines"
    assert (draft.added, draft.removed) == (1, 20)


def test_of_a_long_text_only_the_newest_lines_are_drawn() -> None:
    content = "".join(f"value {number}\n" for number in range(5_000))
    draft = drawn("file_write", json.dumps({"path": "a", "content": content}), None)
    assert len(draft.hunks[0].new_lines) == TAIL_LINES
    assert draft.hidden_lines == 5_000 - TAIL_LINES
    assert draft.hunks[0].new_start == 5_000 - TAIL_LINES + 1
    assert draft.hunks[0].new_lines[-1] == "value 4999\n"


def test_an_edit_has_no_place_before_its_text_to_find_is_whole() -> None:
    draft = drawn("file_edit", '{"path": "a.py", "search": "line 7\\nline 8', BASE)
    assert draft.hunks == ()
    assert draft.note == "2 lines to be replaced so far"


def test_an_edit_is_drawn_at_its_place_as_it_grows() -> None:
    draft = drawn("file_edit", '{"path": "a", "search": "line 7\\n", "replace": "sev', BASE)
    (hunk,) = draft.hunks
    assert (hunk.old_start, hunk.old_lines) == (7, ("line 7\n",))
    assert hunk.new_lines == ("sev\n",)
    assert hunk.context_before == ("line 4\n", "line 5\n", "line 6\n")
    assert draft.after is None


def test_an_edit_within_a_line_shows_the_whole_line() -> None:
    draft = drawn("edit_file", '{"path": "a", "old_string": "e 7\\nl", "new_string": "X"', BASE)
    (hunk,) = draft.hunks
    assert hunk.old_lines == ("line 7\n", "line 8\n")
    assert hunk.new_lines == ("linXine 8\n",)
    assert hunk.context_after == ("line 9\n", "line 10\n", "line 11\n")


def test_an_edit_at_the_first_and_the_last_line_has_its_place() -> None:
    first = drawn("file_edit", '{"path": "a", "search": "line 1\\n", "replace": "x', BASE)
    assert first.hunks[0].old_start == 1
    assert first.hunks[0].context_before == ()
    last = drawn("file_edit", '{"path": "a", "search": "line 20", "replace": "x', BASE)
    assert last.hunks[0].old_start == 20
    assert last.hunks[0].context_after == ()


def test_an_edit_without_one_place_says_so() -> None:
    gone = drawn("file_edit", '{"path": "a", "search": "nowhere", "replace": "', BASE)
    assert (gone.hunks, gone.note) == ((), "its text to find is not in the file as it is")
    twice = drawn("file_edit", '{"path": "a", "search": "line", "replace": "', BASE)
    assert twice.note == "its text to find stands more than once in the file"
    unknown = drawn("file_edit", '{"path": "a", "search": "line", "replace": "', None)
    assert unknown.note == "the file cannot be shown"


def test_line_endings_do_not_matter_for_the_place() -> None:
    crlf = BASE.replace("\n", "\r\n")
    draft = drawn("file_edit", '{"path": "a", "search": "line 7\\nline 8\\n", "replace": "x', crlf)
    assert draft.hunks[0].old_start == 7


def test_a_whole_call_says_what_the_next_one_stands_on() -> None:
    draft = drawn(
        "file_edit", '{"path": "a", "search": "line 7\\n", "replace": "x\\n"}', BASE, is_whole=True
    )
    assert draft.after == BASE.replace("line 7\n", "x\n")


def test_a_long_replacement_is_cut_to_its_newest_lines() -> None:
    text = "".join(f"new {number}\n" for number in range(3_000))
    arguments = json.dumps({"path": "a", "search": "line 7\n", "replace": text})
    draft = drawn("file_edit", arguments[:-2], BASE)
    assert draft.hunks[-1].new_lines[-1] == "new 2999\n"
    assert len(draft.hunks[-1].new_lines) == TAIL_LINES
    assert draft.added == 3_000
