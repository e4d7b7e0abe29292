"""What is approved where nobody sits at the prompt, and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.approval_broker import ApprovalBroker, Approver, Refused
from caramelo_tui.agent.approvers import (
    ByHandApprover,
    FirstApproval,
    HeadlessApprover,
    parse_allowed_command,
)
from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import Action, ActionKind, CallState, CommandLine
from tests.doubles.pipeline_worlds import World, bash, write
from tests.unit.agent.test_approval_broker import review


def command(
    text: str = "make test", *, call_id: str = "1", cwd: str = ".", tool: str = "bash"
) -> CommandRequest:
    return CommandRequest(
        id=ApprovalId("a"),
        call_id=CallId(call_id),
        fingerprint="f",
        tool=tool,
        command=CommandLine(command=text, cwd=cwd, timeout_ms=1000),
        cwd_shown="/w",
        parts=(),
        reason="bash always asks",
    )


def action(kind: ActionKind) -> ActionRequest:
    return ActionRequest(
        id=ApprovalId("a"),
        call_id=CallId("1"),
        fingerprint="f",
        tool=f"{kind}_tool",
        action=Action(kind=kind, title="Do it"),
        reason="it asks",
    )


async def allows(approver: Approver, request: ApprovalRequest) -> bool:
    reply = await approver.reply(request)
    if isinstance(reply, CommandAnswer):
        assert reply.action is CommandAction.RUN
    if isinstance(reply, ReviewAnswer):
        assert isinstance(request, ReviewRequest)
        hunks = {hunk.id for write in request.writes for hunk in write.proposal.hunks}
        assert reply.accepted == dict.fromkeys(hunks, True)
    return not isinstance(reply, Refused)


async def reason(approver: Approver, request: ApprovalRequest) -> str:
    reply = await approver.reply(request)
    assert isinstance(reply, Refused)
    return reply.reason


@pytest.mark.parametrize(
    ("text", "literal", "uses"),
    [
        ("make test", "make test", 1),
        ("make test=3", "make test", 3),
        ("make J=4=1", "make J=4", 1),
        ("X= make", "X= make", 1),
        ("a=b", "a=b", 1),
        ("a=²", "a=²", 1),
    ],
)
def test_a_count_is_split_from_the_literal(text: str, literal: str, uses: int) -> None:
    assert parse_allowed_command(text) == (literal, uses)


@pytest.mark.parametrize("text", ["", "  ", "=3", "ls=0"])
def test_an_allowance_that_allows_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is empty|at least 1"):
        parse_allowed_command(text)


async def test_each_allowance_approves_one_use_of_exactly_that_command() -> None:
    approver = HeadlessApprover(allowed_commands=["make test"])
    assert not await allows(approver, command("make test "))
    assert await allows(approver, command(call_id="1"))
    assert not await allows(approver, command(call_id="2"))


async def test_uses_add_up() -> None:
    approver = HeadlessApprover(allowed_commands=["ls=2", "ls"])
    verdicts = [await allows(approver, command("ls", call_id=str(n))) for n in range(4)]
    assert verdicts == [True, True, True, False]


async def test_a_call_that_is_asked_again_takes_no_second_use() -> None:
    approver = HeadlessApprover(allowed_commands=["ls"])
    assert await allows(approver, command("ls"))
    assert await allows(approver, command("ls"))
    assert not await allows(approver, command("ls", call_id="2"))


async def test_an_allowance_counts_only_in_the_root() -> None:
    approver = HeadlessApprover(allowed_commands=["ls"])
    assert not await allows(approver, command("ls", cwd="sub"))
    assert "only in the workspace root" in await reason(approver, command("ls", cwd="sub"))


async def test_a_refusal_says_how_to_allow_it() -> None:
    approver = HeadlessApprover()
    said = await reason(approver, command("echo 'a b'"))
    assert said.endswith("""--allow-command 'echo '"'"'a b'"'"''""")
    said = await reason(approver, review("a"))
    assert "--mode auto" in said
    assert "--auto-approve" in said


async def test_auto_approve_answers_the_policy_but_never_for_bash() -> None:
    approver = HeadlessApprover(auto_approves=True)
    assert await allows(approver, review("a", "b"))
    assert await allows(approver, command(tool="run_command"))
    assert await allows(approver, command(tool="run_command", cwd="sub"))
    assert not await allows(approver, command(tool="bash"))
    assert await allows(approver, action(ActionKind.FETCH))
    assert await allows(approver, action(ActionKind.COMMIT))
    assert not await allows(approver, action(ActionKind.PULL_REQUEST))
    assert not await allows(approver, action(ActionKind.SKILL))


async def test_an_action_is_refused_with_the_way_to_allow_it() -> None:
    reply = await HeadlessApprover().reply(action(ActionKind.FETCH))
    assert isinstance(reply, Refused)
    assert "--auto-approve" in reply.reason
    assert "--approver" in reply.reason
    pull = await HeadlessApprover(auto_approves=True).reply(action(ActionKind.PULL_REQUEST))
    assert isinstance(pull, Refused)
    assert "--approver" in pull.reason


class Answering:
    """Answers with what it was given, and counts how often it was asked."""

    def __init__(self, answer: CommandAnswer | Refused | None) -> None:
        self.answer = answer
        self.asked = 0

    async def reply(self, request: ApprovalRequest) -> CommandAnswer | Refused | None:
        del request
        self.asked += 1
        return self.answer


async def test_the_first_that_does_not_refuse_decides() -> None:
    no, yes = Refused(reason="no"), CommandAnswer(action=CommandAction.RUN)
    deny = CommandAnswer(action=CommandAction.DENY)
    last = Answering(Refused(reason="not I either"))
    assert await FirstApproval(Answering(no), Answering(yes), last).reply(command()) == yes
    assert await FirstApproval(Answering(no), Answering(deny), last).reply(command()) == deny
    assert await FirstApproval(Answering(None), last).reply(command()) is None
    assert last.asked == 0
    assert await FirstApproval(Answering(no), last).reply(command()) == last.answer
    with pytest.raises(ValueError, match="nobody"):
        FirstApproval()


async def test_flags_are_asked_before_a_program() -> None:
    program = Answering(CommandAnswer(action=CommandAction.DENY))
    approver = FirstApproval(HeadlessApprover(allowed_commands=["ls"], auto_approves=True), program)
    assert await allows(approver, command("ls"))
    assert await allows(approver, review("a"))
    assert await allows(approver, action(ActionKind.COMMIT))
    assert program.asked == 0
    for request in (command("ls", call_id="2"), action(ActionKind.PULL_REQUEST)):
        assert await approver.reply(request) == program.answer
    assert program.asked == 2


@pytest.mark.parametrize(
    ("writes", "commands"), [(False, False), (True, False), (True, True)], ids=str
)
async def test_a_call_typed_by_hand_is_approved_by_its_flag(
    *, writes: bool, commands: bool
) -> None:
    approver = ByHandApprover(approves_writes=writes, approves_commands=commands)
    assert await allows(approver, review("a")) is writes
    assert await allows(approver, command()) is commands
    for kind in ActionKind:
        assert await allows(approver, action(kind)) is commands


async def test_a_call_typed_by_hand_is_told_its_flag() -> None:
    approver = ByHandApprover(approves_writes=False, approves_commands=False)
    assert "--approve writes" in await reason(approver, review("a"))
    assert "--approve all" in await reason(approver, command())


def headless(world: World, approver: Approver) -> CallPipeline:
    broker = ApprovalBroker(world.events, approver)
    return CallPipeline(replace(world.parts, broker=broker))


async def test_headless_nothing_hangs_and_refusals_are_counted(tmp_path: Path) -> None:
    world = World(tmp_path)
    pipeline = headless(world, HeadlessApprover(allowed_commands=["make"]))
    outcome = await pipeline.run_turn(
        [write("1", "a.txt", "x\n"), bash("2", "make"), bash("3", "ls")]
    )
    assert [result.state for result in outcome.results] == [
        CallState.DENIED,
        CallState.OK,
        CallState.DENIED,
    ]
    assert outcome.refused_calls == 2
    assert world.text("a.txt") is None


async def test_headless_auto_approve_answers_a_protected_path(tmp_path: Path) -> None:
    world = World(tmp_path, ApprovalMode.AUTO)
    world.policy.asked_paths.add("package.json")
    pipeline = headless(world, HeadlessApprover(auto_approves=True))
    outcome = await pipeline.run_turn([write("1", "package.json", "{}\n")])
    assert outcome.results[0].state is CallState.OK


async def test_nothing_approved_beforehand_lifts_a_denial(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.policy.denied.add("rm -rf /")
    pipeline = headless(world, HeadlessApprover(allowed_commands=["rm -rf /"]))
    outcome = await pipeline.run_turn([bash("1", "rm -rf /")])
    assert outcome.results[0].state is CallState.DENIED
    assert world.bash.executed == []
