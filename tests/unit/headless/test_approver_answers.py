"""What a program that approves may answer, and that everything else approves nothing."""

import json

import pytest

from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    Remark,
    ReviewAnswer,
)
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import Action, ActionKind
from caramelo_tui.headless.approver_answers import UnusableAnswer, read_answer
from tests.unit.agent.test_approval_broker import review
from tests.unit.agent.test_approvers import command

ACTION = ActionRequest(
    id=ApprovalId("a"),
    call_id=CallId("1"),
    fingerprint="f",
    tool="git_commit",
    action=Action(kind=ActionKind.COMMIT, title="Commit"),
    reason="it asks",
)
REVIEW = review("one.txt", "two.txt")
HUNKS = [hunk.id for write in REVIEW.writes for hunk in write.proposal.hunks]


def answer(value: object, request: ApprovalRequest) -> object:
    return read_answer(json.dumps(value).encode(), request)


def problem(value: object, request: ApprovalRequest) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    with pytest.raises(UnusableAnswer) as caught:
        read_answer(data, request)
    return str(caught.value)


@pytest.mark.parametrize("request_", [command(), ACTION], ids=["command", "action"])
def test_a_call_is_run_denied_or_stopped(request_: ApprovalRequest) -> None:
    run = answer({"action": "run", "command": "", "remark": None}, request_)
    assert run == CommandAnswer(action=CommandAction.RUN)
    deny = answer({"action": "deny", "remark": "not today"}, request_)
    assert deny == CommandAnswer(action=CommandAction.DENY, remark="not today")
    stop = answer({"action": "stop"}, request_)
    assert stop == CommandAnswer(action=CommandAction.STOP)


def test_a_command_may_be_edited_and_an_action_may_not() -> None:
    edit = {"action": "edit", "command": "make -n test"}
    assert answer(edit, command()) == CommandAnswer(
        action=CommandAction.EDIT, command="make -n test"
    )
    assert problem(edit, ACTION) == "\"action\" must be one of run, deny, stop, not 'edit'"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (b"", "it printed nothing"),
        (b" \n", "it printed nothing"),
        (b"yes", "it did not print JSON"),
        (b"\xff", "it did not print JSON"),
        (b'{"action": "run"} {}', "it did not print JSON"),
        (b"[" * 100_000, "it did not print JSON"),
        (b'{"action": "deny", "action": "run"}', "a key stands twice in one object: action"),
        ([], "the answer must be an object"),
        ("run", "the answer must be an object"),
        ({}, '"action" must be one of run, edit, deny, stop, not None'),
        ({"action": "RUN"}, "not 'RUN'"),
        ({"action": True}, "not True"),
        ({"action": ["run"]}, "not ['run']"),
        ({"action": "run", "always": True}, "unknown key 'always'; known: action, command, remark"),
        ({"action": "run", "command": "ls"}, '"command" goes with "edit" only'),
        ({"action": "edit"}, '"edit" needs the new "command"'),
        ({"action": "edit", "command": " "}, '"edit" needs the new "command"'),
        ({"action": "deny", "remark": 3}, '"remark" must be a text'),
        ({"hunks": {}}, "unknown key 'hunks'"),
    ],
)
def test_whatever_else_a_program_says_about_a_command_is_named(value: object, says: str) -> None:
    assert says in problem(value, command())


def test_a_review_takes_the_hunks_that_are_named_and_remarks() -> None:
    remark = {"path": "one.txt", "text": "Why?", "line": 1, "excerpt": "x"}
    found = answer({"hunks": {HUNKS[0]: True}, "remarks": [remark]}, REVIEW)
    assert isinstance(found, ReviewAnswer)
    # Who is not named is rejected: that is what the pipeline makes of it.
    assert found.accepted == {HUNKS[0]: True}
    assert found.remarks == (Remark(path="one.txt", text="Why?", line=1, excerpt="x"),)
    assert not found.stops_run
    assert answer({"hunks": {}}, REVIEW) == ReviewAnswer()


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({}, '"hunks" must be an object'),
        ({"hunks": [HUNKS[0]]}, '"hunks" must be an object'),
        ({"hunks": {"other": True}}, "names 'other', which is not in the request"),
        ({"hunks": {HUNKS[0]: "yes"}}, "must be true or false, not 'yes'"),
        ({"hunks": {HUNKS[0]: 1}}, "must be true or false, not 1"),
        ({"hunks": {}, "all": True}, "unknown key 'all'"),
        ({"hunks": {}, "remarks": "no"}, '"remarks" must be a list'),
        ({"hunks": {}, "remarks": ["no"]}, "a remark must be an object"),
        ({"hunks": {}, "remarks": [{"path": "x", "text": "t"}]}, "'x', which is not in the req"),
        ({"hunks": {}, "remarks": [{"path": "one.txt"}]}, 'a remark needs a "text"'),
        ({"hunks": {}, "remarks": [{"path": "one.txt", "text": "t", "line": 0}]}, "from 1, not 0"),
        ({"hunks": {}, "remarks": [{"path": "one.txt", "text": "t", "line": True}]}, "not True"),
        ({"hunks": {}, "remarks": [{"path": "one.txt", "text": "t", "at": 1}]}, "key 'at'"),
        ({"action": "run"}, "unknown key 'action'"),
    ],
)
def test_whatever_else_a_program_says_about_a_review_is_named(value: object, says: str) -> None:
    assert says in problem(value, REVIEW)
