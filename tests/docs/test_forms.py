"""The forms that other programs write and read are those in the pages, and links lead somewhere."""

import json
import re
import unicodedata
from pathlib import Path

from caramelo_tui.domain.approvals import (
    CommandAction,
    CommandAnswer,
    ProposedWrite,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.diffs import Hunk, SearchReplace, WriteProposal
from caramelo_tui.domain.ids import ApprovalId, CallId, HunkId
from caramelo_tui.headless.approver_answers import read_answer
from caramelo_tui.sessions.codec import UnknownEvent, decode_event, encode_line
from tests.docs.examples import DOCS, ExampleWorkspace, examples_of
from tests.unit.agent.test_approvers import command

ROOT = DOCS.parent
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")))
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_ANCHORED = re.compile(r"\]\((?!https?://)([^)#]*)#([^)]+)\)")


def json_blocks(page: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```json\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def hunk(number: int) -> Hunk:
    return Hunk(
        id=HunkId(f"hunk-{number}"),
        old_start=number,
        old_lines=("a\n",),
        new_start=number,
        new_lines=("b\n",),
    )


def review() -> ReviewRequest:
    proposal = WriteProposal(
        call_id=CallId("call-1"),
        path="src/a.py",
        shown_path="src/a.py",
        edit=SearchReplace(search="a", replace="b"),
        before=b"a\na\n",
        after=b"b\nb\n",
        hunks=(hunk(1), hunk(2)),
        base_hash="0",
    )
    write = ProposedWrite(
        call_id=CallId("call-1"), fingerprint="f", tool="file_edit", proposal=proposal, reason="r"
    )
    return ReviewRequest(id=ApprovalId("ask-1"), writes=(write,))


def test_the_answers_of_a_program_that_approves_are_taken() -> None:
    to_command, to_review = json_blocks("command-line.md")
    assert read_answer(to_command.encode(), command()) == CommandAnswer(
        action=CommandAction.DENY, remark="Not on a Friday."
    )
    answer = read_answer(to_review.encode(), review())
    assert isinstance(answer, ReviewAnswer)
    assert answer.accepted == {HunkId("hunk-1"): True, HunkId("hunk-2"): False}
    assert [remark.text for remark in answer.remarks] == ["Why?"]


def test_the_event_is_one_and_stands_as_it_is_written() -> None:
    (text,) = json_blocks("events.md")
    event = decode_event(json.loads(text))
    assert not isinstance(event, UnknownEvent)
    assert encode_line(event) == text.strip()


def test_a_line_of_calls_is_answered_in_the_form_of_the_page(tmp_path: Path) -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    (asked, answered) = re.findall(r'^\{"id": 1, .*$', page, re.MULTILINE)
    call, shown = json.loads(asked), json.loads(answered)
    with ExampleWorkspace(tmp_path) as workspace:
        answer = workspace.answer_line(call)
    assert list(answer) == list(shown)
    assert (answer["id"], answer["is_error"]) == (call["id"], False)


def test_one_call_alone_prints_what_a_line_of_calls_answers(tmp_path: Path) -> None:
    example = examples_of("file-tools.md")[0]
    core = next(each for each in examples_of("file-tools.md") if "read_file" in each.command)
    with ExampleWorkspace(tmp_path) as workspace:
        for each in (example, core):
            answer = workspace.run_alone(each.command)
            assert (answer.exit_code, answer.output) == (0, each.shown)


def anchor_of(heading: str) -> str:
    """Return the anchor that a page's reader makes of a heading."""
    kept = "".join(
        letter
        for letter in heading.lower()
        if letter in " -_" or unicodedata.category(letter)[0] in "LN"
    )
    return kept.replace(" ", "-")


def test_links_into_pages_lead_to_headings() -> None:
    lost: list[str] = []
    count = 0
    for page in PAGES:
        text = _FENCE.sub("", page.read_text(encoding="utf-8"))
        for file, anchor in _ANCHORED.findall(text):
            count += 1
            target = page.parent / file if file else page
            known = _HEADING.findall(_FENCE.sub("", target.read_text(encoding="utf-8")))
            if anchor not in {anchor_of(heading) for heading in known}:
                lost.append(f"{page.name}: {file}#{anchor}")
    assert lost == []
    assert count > 15
