"""What a review shows of a write, and where remarks go."""

from dataclasses import replace

from caramelo_tui.agent.call_records import CallRecord
from caramelo_tui.agent.review import WriteFate, outcome_of
from caramelo_tui.agent.write_reports import file_change, finish_of, remarks_by_call
from caramelo_tui.domain.approvals import Remark
from caramelo_tui.domain.files import ChangeKind
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.tools.files.write_file import write_file
from tests.doubles.pipeline_worlds import write
from tests.unit.agent.test_review import BASE, answers, edit, whole, written


def test_every_remark_goes_to_exactly_one_call() -> None:
    first = edit("c1", BASE, "line 3\n", "three\n")
    second = edit("c2", first.after, "line 9\n", "nine\n")
    other = replace(edit("c3", BASE, "line 1\n", "one\n"), path="b", shown_path="link-to-b")
    on_second = Remark(path="a", text="nine?", line=9)
    on_no_hunk = Remark(path="a", text="hm", line=5)
    on_the_file = Remark(path="a", text="all of it")
    through_the_link = Remark(path="link-to-b", text="b")
    on_nothing = Remark(path="elsewhere", text="?")
    found = remarks_by_call(
        written(first, second, other),
        [on_second, on_no_hunk, on_the_file, through_the_link, on_nothing],
    )
    assert found == {
        CallId("c2"): (on_second,),
        CallId("c1"): (on_no_hunk, on_the_file, on_nothing),
        CallId("c3"): (through_the_link,),
    }


def test_an_applied_write_reports_what_was_written() -> None:
    record = CallRecord(index=0, call=write("c", "a", "x"))
    outcome = outcome_of(whole("c", BASE, 2, 10), BASE, answers(c="+-"))
    finish = finish_of(record, outcome, outcome.after)
    assert finish.state is CallState.OK
    assert finish.changes is not None
    diff = finish.changes.files[0]
    assert (diff.before, diff.after) == (BASE, outcome.after)
    assert (len(diff.applied), len(diff.rejected)) == (1, 1)


def test_an_applied_write_is_worded_as_its_tool_words_it() -> None:
    outcome = outcome_of(whole("c", BASE, 2), BASE, answers(c="+"))
    assert outcome.after is not None
    record = CallRecord(index=0, call=write("c", "a", "x"))
    in_bytes = finish_of(record, outcome, outcome.after).output.text
    record.tool = write_file()
    in_characters = finish_of(record, outcome, outcome.after).output.text
    assert f"{len(outcome.after)} bytes" in in_bytes
    assert f"{len(outcome.after.decode())} characters" in in_characters


def test_a_dependent_write_reports_nothing_written_and_keeps_remarks() -> None:
    first = edit("c1", BASE, "line 3\n", "three\n")
    second = edit("c2", first.after, "three\n", "drei\n")
    record = CallRecord(index=1, call=write("c2", "a", "x"))
    record.remarks = (Remark(path="a", text="shorter, please"),)
    outcome = outcome_of(second, BASE, answers(c2="+"))
    assert outcome.fate is WriteFate.DEPENDS
    finish = finish_of(record, outcome, BASE)
    assert finish.state is CallState.REJECTED
    assert finish.output.text.endswith("\nThe user says: shorter, please")
    assert finish.changes is None


def test_our_write_creates_or_modifies() -> None:
    assert file_change("a", None).kind is ChangeKind.CREATED
    assert file_change("a", b"").kind is ChangeKind.MODIFIED
