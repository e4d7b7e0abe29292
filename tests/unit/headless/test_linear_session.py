"""A session in lines: what is typed goes where it belongs, and nothing approves by accident."""

import asyncio
import signal

import pytest

from caramelo_tui.agent.port import FileList, SkillInfo
from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand
from caramelo_tui.domain.agent_events import (
    Ending,
    NoticeLevel,
    NoticeRaised,
    TextStreamed,
    ToolCallFinished,
    ToolExecutionStarted,
)
from caramelo_tui.domain.approvals import ApprovalOutcome, CommandAction, CommandAnswer
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import CallState, CommandLine, ToolResult
from caramelo_tui.headless.linear.session import Sitting
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_models import FakeModels
from tests.doubles.logins import FakeLogin
from tests.unit.headless.linear_worlds import (
    TWO_HUNKS,
    command_request,
    linear_world,
    review,
)


class SlowAgent(FakeAgent):
    """Explains a command only when a test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.may_explain.clear()
        self.is_asked = asyncio.Event()

    async def explain_command(self, command: CommandLine) -> tuple[CommandPart, ...]:
        self.is_asked.set()
        await self.may_explain.wait()
        return (CommandPart(text=command.command),)


async def test_a_line_is_a_prompt_and_a_paste_is_one_too() -> None:
    with linear_world() as world:
        await world.type("add a flag")
        world.agent.end_run()
        await world.catch_up()
        await world.type("one", "two")
        assert world.agent.submitted == ["add a flag", "one\ntwo"]


async def test_a_backslash_goes_on_and_an_empty_line_sends_nothing() -> None:
    with linear_world() as world:
        assert "sends nothing" in await world.type("")
        await world.type("first\\")
        await world.type("/help is no command here")
        assert world.agent.submitted == ["first\n/help is no command here"]


async def test_while_a_run_is_under_way_prompts_wait() -> None:
    with linear_world() as world:
        await world.type("one")
        assert "1 prompt in the queue." in await world.type("two")
        world.agent.end_run()
        said = await world.catch_up()
        assert world.agent.submitted == ["one", "two"]
        assert "The run ended: completed." in said


async def test_after_a_stopped_run_the_queue_waits() -> None:
    with linear_world() as world:
        await world.type("one")
        await world.type("two")
        said = await world.type("/stop")
        assert "1 prompt not sent: /send sends the next, /queue reads them, /drop forgets." in said
        assert "1 prompt forgotten." in await world.type("/drop")
        assert "No prompt can be sent" in await world.type("/send")
        assert world.agent.submitted == ["one"]


async def test_what_failed_is_asked_for_again_and_what_waits_is_sent_at_once() -> None:
    with linear_world() as world:
        world.agent.start_run("one", is_retry=True)
        assert "Working again, where it broke off on: one" in await world.catch_up()
        world.agent.retries.is_waiting = True
        await world.type("/retry")
        world.agent.end_run(Ending.ERROR, "Lost.", can_retry=True)
        assert "error. Lost. /retry asks for the answer again." in await world.catch_up()
        world.agent.retries.is_offered = True
        await world.type("/retry")
        assert (world.agent.retries.sent_now, world.agent.retries.sent_again) == (1, 1)
        assert "Nothing failed that can be sent again." in await world.type("/retry")
        assert world.agent.submitted == []


async def test_a_question_is_answered_by_its_number_only() -> None:
    with linear_world() as world:
        await world.type("one")
        world.agent.ask(command_request("make"))
        said = await world.catch_up()
        assert said.startswith("What was typed before this line is discarded.\nQuestion: run this")
        assert world.lines.drops == 1
        for wrong in ("", "y", "yes", "99"):
            await world.type(wrong)
        assert world.agent.answers == []
        assert "Answered: approved." in await world.type("1")
        assert world.agent.answers == [
            (ApprovalId("ask-1"), CommandAnswer(action=CommandAction.RUN))
        ]
        assert world.agent.submitted == ["one"]


async def test_what_is_typed_early_or_pasted_answers_nothing() -> None:
    with linear_world() as world:
        await world.type("one")
        world.agent.ask(command_request("make"))
        await world.catch_up()
        assert "half a second" in await world.type("1", after_s=0.4)
        assert "2 lines came at once" in await world.type("1", "1")
        assert world.agent.answers == []
        await world.type("2")
        assert world.agent.answers[0][1] == CommandAnswer(action=CommandAction.DENY)


async def test_an_edited_command_needs_half_a_second_again() -> None:
    with linear_world() as world:
        await world.type("one")
        world.agent.ask(command_request("make"))
        await world.catch_up()
        await world.type("5")
        assert "as you edited it" in await world.type("make test", ".")
        assert "half a second" in await world.type("1", after_s=0.3)
        await world.type("1")
        edited = CommandAnswer(action=CommandAction.EDIT, command="make test")
        assert world.agent.answers == [(ApprovalId("ask-1"), edited)]


async def test_questions_come_one_after_the_other_each_with_its_guard() -> None:
    with linear_world() as world:
        await world.type("one")
        world.agent.ask(command_request("make"))
        world.agent.ask(command_request("make install", approval_id="ask-2"))
        assert "1 more question waiting." in await world.catch_up()
        assert "| make install" in await world.type("2")
        assert "half a second" in await world.type("1", after_s=0.1)
        assert len(world.agent.answers) == 1


async def test_a_withdrawn_question_takes_no_answer() -> None:
    with linear_world() as world:
        await world.type("one")
        world.agent.ask(command_request("make"))
        await world.catch_up()
        world.agent.settle(ApprovalId("ask-1"), ApprovalOutcome.WITHDRAWN)
        # The number is on its way while the question goes.
        assert "withdrawn; nothing was done" in await world.type("1")
        assert world.agent.answers == []


async def test_a_question_that_goes_while_an_edit_is_read_is_not_answered() -> None:
    agent = SlowAgent()
    with linear_world(agent) as world:
        await world.type("one")
        agent.ask(command_request("make"))
        await world.catch_up()
        await world.type("5")
        editing = asyncio.create_task(world.type("make test", "."))
        await agent.is_asked.wait()
        agent.settle(ApprovalId("ask-1"), ApprovalOutcome.WITHDRAWN)
        await world.catch_up()
        agent.may_explain.set()
        assert "withdrawn meanwhile" in await editing


async def test_a_review_is_settled_and_its_changes_are_not_read_twice() -> None:
    with linear_world() as world:
        await world.type("one")
        world.agent.ask(review(TWO_HUNKS))
        assert "Hunk 2 of 2" in await world.catch_up()
        await world.type("a 1")
        assert "1 hunk is undecided" in await world.type("s")
        await world.type("2")
        (answered,) = world.agent.answers
        assert list(getattr(answered[1], "accepted", {}).values()) == [True, False]


async def test_commands_work_while_a_question_is_open() -> None:
    with linear_world() as world:
        await world.type("one")
        world.agent.ask(command_request("make"))
        await world.catch_up()
        assert "| make" in await world.type("/again")
        assert "Mode review." in await world.type("/status")
        assert world.agent.answers == []


async def test_modes_skills_and_limits_are_asked_for() -> None:
    agent = FakeAgent(skills=(SkillInfo(name="docs", description="Writes", is_active=False),))
    with linear_world(agent) as world:
        assert "Mode each." in await world.type("/mode per-call")
        assert "unknown mode" in await world.type("/mode fast")
        assert "Mode plan." in await world.type("/plan")
        assert "docs: Writes" in await world.type("/skill")
        assert "docs is active" in await world.type("/skill docs")
        await world.type("/raise-limit")
        await world.type("/reset-count")
        assert "There is no command /plam" in await world.type("/plam")
        assert "No question is open." in await world.type("/again")
        assert "No tool has given a result" in await world.type("/output")
        assert "/carry-out" in await world.type("/help")
        assert "Nothing runs." in await world.type("/stop")
        assert agent.activated == ["docs"]
        assert agent.rules.limit_wishes == ["raise", "reset"]
        assert agent.submitted == []
        await world.type("/usr/bin is a path")
        assert agent.submitted == ["/usr/bin is a path"]


async def test_a_plan_is_carried_out_in_mode_review() -> None:
    with linear_world(FakeAgent(mode=ApprovalMode.PLAN)) as world:
        assert "no plan" in await world.type("/carry-out")
        await world.type("plan it")
        world.agent.end_run(text="1. Do it.")
        assert "This is the plan." in await world.catch_up()
        await world.type("/carry-out")
        assert world.agent.submitted[-1] == "Carry out the plan."
        assert world.agent.mode is ApprovalMode.REVIEW


async def test_a_prepared_prompt_is_sent_by_a_command() -> None:
    with linear_world(prepared="Make the flag.") as world:
        await world.type("/send")
        assert world.agent.submitted == ["Make the flag."]


async def test_words_of_the_model_cannot_act_on_the_terminal() -> None:
    with linear_world() as world:
        world.agent.start_run()
        world.agent.emit(lambda head: TextStreamed(head=head, text="a\x1b]0;t\x07\n"))
        notice = "n\x1b[2J"
        world.agent.emit(
            lambda head: NoticeRaised(head=head, level=NoticeLevel.WARNING, text=notice)
        )
        world.agent.end_run(Ending.ERROR, "bad\x1bnews")
        said = await world.catch_up()
        assert "\x1b" not in said
        assert "Warning: n<U+001B>[2J" in said
        assert "The run ended: error. bad<U+001B>news" in said


async def test_a_run_is_steered_and_without_one_the_text_is_sent() -> None:
    with linear_world() as world:
        await world.type("/steer first")
        assert world.agent.submitted == ["first"]
        assert "next turn" in await world.type("/steer use tabs")
        assert world.agent.steering == ["use tabs"]
        world.agent.take_turn()
        assert "The run was told: use tabs" in await world.catch_up()


async def test_a_command_of_the_users_own_is_a_prompt() -> None:
    mine = UserCommand(name="fix", description="Fixes", text="Fix $1.", origin=CommandOrigin.USER)
    shadowed = UserCommand(name="quit", description="x", text="x", origin=CommandOrigin.USER)
    with linear_world(FakeAgent(user_commands=(mine, shadowed))) as world:
        said = await world.type("/help")
        assert "/fix, a command of your own: Fixes" in said
        await world.type("/fix a.py")
        assert world.agent.submitted == ["Fix a.py."]


async def test_a_shell_command_of_the_users_own_is_run_for_them() -> None:
    result = ToolResult(
        call_id=CallId("own"), text="exit_code: 0\na\x1b", is_error=False, state=CallState.OK
    )
    with linear_world(FakeAgent(own_result=result)) as world:
        await world.type("! ls ")
        await asyncio.gather(*world.session._others)
        assert world.agent.own_commands == ["ls"]
        assert "a<U+001B>\nEnd of the output." in world.news()
        # A paste of several lines is a prompt, whatever it begins with.
        await world.type("!ls", "!ls")
        assert world.agent.own_commands == ["ls"]


# --- the end --------------------------------------------------------------------------------


async def test_ctrl_c_stops_the_run_and_a_second_one_quits() -> None:
    with linear_world() as world:
        running = asyncio.create_task(world.session.run())
        # There is no input: it ends by itself.
        assert await running == 0
    with linear_world() as world:
        await world.type("one")
        world.session.take_signal(signal.SIGINT)
        assert world.agent.interrupts == 1
        assert "The run ended: cancelled." in await world.catch_up()
        world.clock.move(1.9)
        world.session.take_signal(signal.SIGINT)
        assert await world.session.run() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
async def test_other_signals_leave_at_once(number: signal.Signals, code: int) -> None:
    with linear_world() as world:
        world.session.take_signal(number)
        assert await world.session.run() == code


async def test_two_presses_far_apart_do_not_quit() -> None:
    with linear_world() as world:
        world.session.take_signal(signal.SIGINT)
        world.clock.move(2.1)
        world.session.take_signal(signal.SIGINT)
        world.session.take_signal(signal.SIGTERM)
        assert await world.session.run() == 143


async def test_quitting_says_once_what_would_be_lost() -> None:
    with linear_world() as world:
        await world.type("one")
        await world.type("two")
        world.agent.ask(review(TWO_HUNKS))
        await world.catch_up()
        said = await world.type("/quit")
        assert "2 undecided hunks and 1 waiting prompt would be lost." in said
        assert not world.session._ended.done()
        assert await world.type("/quit") == ""
        assert await world.session.run() == 0


async def test_a_command_beside_an_open_question_is_carried_out_once() -> None:
    with linear_world() as world:
        world.agent.ask(review(TWO_HUNKS))
        await world.catch_up()
        world.clock.move(1.0)
        await world.type("!ls")
        await asyncio.gather(*world.session._others)
        assert world.agent.own_commands == ["ls"]


@pytest.mark.parametrize(
    "command", ["/resume", "/earlier", "/fork", "/rewind", "/grants", "/pin", "/unpin", "/end"]
)
@pytest.mark.parametrize("number", ["9" * 5_000, "\u0663", "-1", "1e3", "1.5"])
async def test_what_is_no_number_of_ours_is_said_and_nothing_breaks(
    command: str, number: str
) -> None:
    with linear_world() as world:
        assert await world.type_beside(f"{command} {number}")
        assert not world.session._ended.done()


@pytest.mark.parametrize("command", ["/steer", "/pin", "/unpin", "/end", "/models"])
async def test_a_command_that_wants_more_says_so(command: str) -> None:
    with linear_world() as world:
        assert f"{command} wants something behind it" in await world.type(command)


async def test_a_fault_beside_what_is_typed_ends_the_session_and_is_not_hidden() -> None:
    class Broken(FakeAgent):
        async def list_files(self) -> FileList:
            raise RuntimeError("a fault of the program")

    with linear_world(Broken()) as world:
        await world.type("/files")
        with pytest.raises(RuntimeError, match="a fault of the program"):
            await world.session.run()


# --- files, the queue, and a login ----------------------------------------------------------


async def test_paths_are_read_out_by_words_and_a_long_list_is_cut() -> None:
    files = ("src/", "src/Cli.py", "docs/cli\x1b.md", *(f"many/{n}.txt" for n in range(25)))
    with linear_world(FakeAgent(files=files, files_are_whole=False)) as world:
        said = await world.type_beside("/files CLI")
        assert said == (
            "src/Cli.py\ndocs/cli<U+001B>.md\n2 paths. There are more files than were looked "
            "through.\n"
        )
        assert "src/Cli.py\n1 path." in await world.type_beside("/files cli src")
        assert "25 paths. 5 more are not read out." in await world.type_beside("/files many")


async def test_the_prompts_that_wait_are_read_out() -> None:
    with linear_world() as world:
        assert "No prompt waits." in await world.type("/queue")
        await world.type("one")
        await world.type("two\x1b")
        assert "Waiting prompt 1: two<U+001B>" in await world.type("/queue")


async def test_a_running_command_is_cancelled_and_the_run_goes_on() -> None:
    call = CallId("c-1")
    with linear_world() as world:
        assert "No command runs" in await world.type("/cancel")
        await world.type("one")
        world.agent.emit(lambda head: ToolExecutionStarted(head=head, call_id=call))
        await world.catch_up()
        assert await world.type("/cancel") == ""
        assert world.agent.cancelled == [call]
        result = ToolResult(call_id=call, text="", is_error=False, state=CallState.CANCELLED)
        world.agent.emit(
            lambda head: ToolCallFinished(
                head=head, call_id=call, tool="bash", result=result, duration_ms=1
            )
        )
        await world.catch_up()
        assert "No command runs" in await world.type("/cancel")


async def test_a_kept_output_is_read_whole() -> None:
    result = ToolResult(
        call_id=CallId("c"),
        text="cut",
        is_error=False,
        state=CallState.OK,
        artifact="out-1",
    )
    agent = FakeAgent(artifacts={"out-1": b"all\x1b of it\xff"})
    with linear_world(agent) as world:
        assert "Nothing was kept" in await world.type("/output whole")
        agent.emit(
            lambda head: ToolCallFinished(
                head=head, call_id=CallId("c"), tool="bash", result=result, duration_ms=1
            )
        )
        await world.catch_up()
        assert await world.type("/output whole") == (
            "all<U+001B> of it\ufffd\nEnd of the whole output.\n"
        )
        assert (await world.type("/output")).startswith("cut\n")
        assert "/output whole all" in await world.type("/output all")


async def test_a_process_that_was_left_running_is_ended_by_its_number() -> None:
    with linear_world() as world:
        await world.type("/end 123")
        assert world.agent.ended_pids == [123]
        assert "No process x was left running." in await world.type("/end x")


async def test_a_login_within_a_session_has_its_model_answer() -> None:
    login = FakeLogin()
    with linear_world(sitting=Sitting(make_login=lambda: login)) as world:
        world.lines.answers += ["2", "2", "sk-secret"]
        said = await world.type("/login")
        assert world.lines.hides == 1
        assert login.taken == [("openai", "sk-secret", False)]
        assert world.agent.models.chosen == [("openai", "")]
        assert "of openai answers from the next turn on." in said
        assert "sk-secret" not in said
        # A key for the provider in use changes nothing of its model.
        world.lines.answers += ["2", "1", "sk-new"]
        await world.type("/login")
        assert world.agent.models.chosen[-1] == ("anthropic", "claude-test")
        world.lines.answers += ["3"]
        assert "Nothing was changed." in await world.type("/login")


async def test_a_login_waits_for_the_end_of_a_run_and_says_when_there_is_none() -> None:
    with linear_world() as world:
        assert "nobody to log in to" in await world.type("/login")
    with linear_world(sitting=Sitting(make_login=FakeLogin)) as world:
        await world.type("one")
        assert "A run is under way" in await world.type("/login")


async def test_a_model_that_cannot_answer_after_a_login_says_why() -> None:
    agent = FakeAgent(models=FakeModels(problem="not this one\x1b"))
    with linear_world(agent, sitting=Sitting(make_login=FakeLogin)) as world:
        world.lines.answers += ["2", "1", "sk"]
        assert "not this one<U+001B>" in await world.type("/login")
