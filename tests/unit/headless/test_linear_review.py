"""Nothing of a review is decided but by the user, and everything is said in words."""

import os
from dataclasses import replace
from pathlib import Path

from caramelo_tui.domain.approvals import ReviewAnswer, ReviewRequest
from caramelo_tui.domain.decisions import WriteGrant
from caramelo_tui.headless.linear.dialogs import Reply
from caramelo_tui.headless.linear.editor import LinearEditor
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.review_question import ReviewQuestion
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeRules
from tests.unit.headless.linear_worlds import (
    TWO_HUNKS,
    ManualLines,
    review,
    script,
    write,
)


def asked_about(
    request: ReviewRequest, agent: FakeAgent | None = None, *, editor: str = ""
) -> ReviewQuestion:
    """Ask about a review; ``editor`` is the command of the person's editor."""
    lines = LinearEditor(
        ManualLines(),
        LinearOutput(os.open(os.devnull, os.O_WRONLY)),
        environment={"EDITOR": editor},
    )
    return ReviewQuestion(request, agent or FakeAgent(), lines)


def test_every_hunk_is_said_with_its_number_and_lines() -> None:
    text = asked_about(
        review(TWO_HUNKS, write(None, "new\n", path="b.py", call_id="call-2"))
    ).text()
    assert text[:2] == ("Review: 2 files, 3 hunks.", "Nothing is written before you settle it.")
    assert "Proposal for the file a.py, by file_edit." in text
    assert "Proposal for the new file b.py, by file_edit." in text
    assert "Hunk 2 of 3, a.py, line 25: 1 line added, 1 removed." in text
    assert "removed 25: line 25" in text
    assert "added 25: changed" in text
    assert text.count("Undecided.") == 3
    assert text[-2] == "End of the review."


async def test_hunks_are_decided_by_number_range_and_all() -> None:
    asked = asked_about(review(TWO_HUNKS, write(None, "new\n", path="b.py", call_id="call-2")))
    first, second, third = [*(hunk.id for hunk in TWO_HUNKS.proposal.hunks), "call-2:0"]
    assert (await asked.take(["a 1-2"])).say == ("Accepted hunks 1 to 2. 1 undecided.",)
    assert (await asked.take(["r 2"])).say == ("Rejected hunk 2. 1 undecided.",)
    assert asked.undecided == 1
    assert "Hunk 2, a.py: Rejected." in (await asked.take(["l"])).say
    await asked.take(["a all"])
    assert asked.undecided == 0
    await asked.take(["r 2"])
    reply = await asked.take(["s"])
    assert isinstance(reply.answer, ReviewAnswer)
    assert reply.answer.accepted[first] is True
    assert reply.answer.accepted[second] is False
    assert third in reply.answer.accepted


async def test_what_is_no_answer_decides_nothing() -> None:
    asked = asked_about(review(TWO_HUNKS))
    for typed in ("", "1", "y", "a", "a 0", "a 3", "a 2-1", "a 1 2", "r x", "c 9 no", "h 7", "s 1"):
        reply = await asked.take([typed])
        assert reply.answer is None
        assert reply.say
    assert asked.undecided == 2


async def test_settling_asks_about_undecided_hunks() -> None:
    asked = asked_about(review(TWO_HUNKS))
    await asked.take(["a 1"])
    reply = await asked.take(["s"])
    assert reply.asks_anew
    assert reply.say == ("1 hunk is undecided. 1 accept them. 2 reject them. 3 go back.",)
    assert "answers nothing" in (await asked.take(["a 2"])).say[0]
    assert (await asked.take(["3"])).answer is None
    assert asked.undecided == 1
    await asked.take(["s"])
    settled = (await asked.take(["2"])).answer
    assert isinstance(settled, ReviewAnswer)
    assert list(settled.accepted.values()) == [True, False]


async def test_a_remark_goes_along_and_decides_nothing() -> None:
    asked = asked_about(review(TWO_HUNKS))
    await asked.take(["c 2 use a constant"])
    assert asked.undecided == 2
    assert (await asked.take(["h 2"])).say[1] == "Undecided, with a remark."
    await asked.take(["c 1 gone again"])
    await asked.take(["c 1"])
    await asked.take(["r all"])
    answer = (await asked.take(["s"])).answer
    assert isinstance(answer, ReviewAnswer)
    (remark,) = answer.remarks
    assert (remark.path, remark.text, remark.line) == ("a.py", "use a constant", 25)
    assert remark.excerpt == "changed"


async def test_a_rejection_says_what_falls_with_it() -> None:
    first = write("a\n", "b\n", call_id="call-1")
    second = write("b\n", "c\n", call_id="call-2")
    asked = asked_about(review(first, second))
    reply = await asked.take(["r 1"])
    assert any(line.startswith("Hunk 2 ") for line in reply.say)


def test_a_path_cannot_act_on_the_terminal() -> None:
    text = "\n".join(asked_about(review(write(None, "x\n", path="a\x1b[2J\nb"))).text())
    assert "\x1b" not in text
    assert "a<U+001B>[2J<U+000A>b" in text


GRANTS = (
    WriteGrant(pattern="a.py", covers="this file"),
    WriteGrant(pattern="**", covers="every\x1b file"),
)


async def test_writes_are_granted_by_number_and_decide_nothing_that_waits() -> None:
    agent = FakeAgent(rules=FakeRules(grants={"a.py": GRANTS}))
    asked = asked_about(review(TWO_HUNKS), agent)
    offer = await asked.take(["g 2"])
    assert offer.asks_anew
    assert offer.say[1] == "1 a.py, this file. 2 **, every<U+001B> file. 3 go back."
    assert "answers nothing" in (await asked.take(["a 1"])).say[0]
    granted = await asked.take(["2"])
    assert granted.answer is None
    assert granted.say[0] == "Back in the review. 2 undecided."
    assert agent.rules.granted == [("**", "a.py")]
    assert (await asked.take(["a 1"])).say == ("Accepted hunk 1. 1 undecided.",)


async def test_going_back_grants_nothing_and_a_refused_grant_says_why() -> None:
    agent = FakeAgent(rules=FakeRules(grants={"a.py": GRANTS}, refusal="It does not match."))
    asked = asked_about(review(TWO_HUNKS), agent)
    await asked.take(["g 1"])
    assert (await asked.take(["3"])).say[0].startswith("Back in the review.")
    await asked.take(["g 1"])
    assert (await asked.take(["1"])).say[0] == "It does not match."
    assert agent.rules.granted == []


async def test_a_file_that_always_asks_offers_no_grant() -> None:
    asked = asked_about(review(TWO_HUNKS))
    assert (await asked.take(["g 1"])).say == ("Writes to a.py always ask.",)
    for wrong in ("g", "g 3", "g all"):
        assert (await asked.take([wrong])).say[0].startswith("There is no hunk")


async def test_a_proposal_is_edited_and_decided_anew(tmp_path: Path) -> None:
    other = write(None, "new\n", path="b.py", call_id="call-2")
    editor = script(tmp_path, 'printf "mine\\nline 2\\n" > "$1"')
    asked = asked_about(review(TWO_HUNKS, other), editor=editor)
    await asked.take(["a all"])
    await asked.take(["c 1 why this"])
    shown = await asked.take(["e 2"])
    assert shown.asks_anew
    assert shown.say[:2] == ("As you edited it:", "Review: 2 files, 2 hunks.")
    assert "added 1: mine" in shown.say
    # What was decided about the other file stays; the edited one is undecided.
    assert asked.undecided == 1
    await asked.take(["a 1"])
    answer = (await asked.take(["s"])).answer
    assert isinstance(answer, ReviewAnswer)
    assert answer.edited == {"call-1": "mine\nline 2\n"}
    assert list(answer.accepted.values()) == [True, True]
    assert [(said.text, said.line) for said in answer.remarks] == [("why this", None)]


async def test_an_edit_that_changes_nothing_leaves_the_review(tmp_path: Path) -> None:
    asked = asked_about(review(TWO_HUNKS), editor=script(tmp_path, "exit 0"))
    await asked.take(["a 1"])
    assert (await asked.take(["e 1"])).say[0] == "The proposal is as it was."
    assert asked.undecided == 1
    for wrong in ("e", "e 3", "e all"):
        assert (await asked.take([wrong])).say[0].startswith("There is no hunk")
    answer = (await settled(asked)).answer
    assert isinstance(answer, ReviewAnswer)
    assert answer.edited == {}


async def test_what_is_no_text_is_not_edited() -> None:
    plain = write(None, "x\n")
    raw = replace(plain, proposal=replace(plain.proposal, after=b"\xff\n"))
    asked = asked_about(review(raw), editor="false")
    assert (await asked.take(["e 1"])).say[0] == "Only UTF-8 text can be edited."


async def settled(asked: ReviewQuestion) -> Reply:
    await asked.take(["s"])
    return await asked.take(["2"])
