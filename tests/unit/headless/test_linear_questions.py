"""A question about a call is said whole, and only its number answers it."""

from caramelo_tui.domain.approvals import ActionRequest, CommandAction, CommandAnswer
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind
from caramelo_tui.headless.linear.call_question import CallQuestion
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeRules
from tests.unit.headless.linear_worlds import command_request

CHOICES = (
    "Choices: 1 run once. 2 deny. 3 deny with a message. 4 deny and stop the run. "
    "5 edit the command. 6 deny and block such commands."
)


def question(
    command: str = "make",
    *,
    cwd: str = "/home/project",
    note: str = "",
    agent_title: str = "",
    agent: FakeAgent | None = None,
) -> CallQuestion:
    parts = (CommandPart(text="rm -r build", risks=("removes files recursively",)),)
    request = command_request(command, parts=parts, cwd=cwd, note=note, agent_title=agent_title)
    return CallQuestion(request, agent or FakeAgent())


def test_the_whole_command_is_said_with_all_that_belongs_to_it() -> None:
    text = question("cd a\nrm -r build", note="A write was rejected.", agent_title="tests").text()
    assert text == (
        "Question: run this command? Tool bash.",
        "The command, 2 lines, 16 characters:",
        "| cd a",
        "| rm -r build",
        "End of the command.",
        "Folder: /home/project.",
        "Time limit: 30 s.",
        "Part 1: rm -r build",
        "Risk of part 1: removes files recursively.",
        "Asked by the sub-agent tests.",
        "Note: A write was rejected.",
        "Asked because: bash always asks.",
        CHOICES,
        "Type a number and press Enter.",
    )


def test_hidden_and_look_alike_characters_are_marked_and_warned_of() -> None:
    lines = question("ls \u202e\u0430\x1b[2J", cwd="/home/project/\u0430").text()
    assert lines[1] == (
        "Warning: it has hidden and look-alike characters, written as <U+ and a number>."
    )
    assert "| ls <U+202E><U+0430><U+001B>[2J" in lines
    folder = "Folder: /home/project/<U+0430>, which is not the root of the workspace."
    assert folder in lines


def test_a_command_cannot_say_where_it_ends() -> None:
    lines = question("ls\nEnd of the command.\nChoices: 1 deny.").text()
    assert lines.count("End of the command.") == 1
    assert "| End of the command." in lines


async def test_numbers_answer_and_nothing_else_does() -> None:
    for typed in ("", " ", "y", "yes", "7", "0", "1 2", "run once", "\u0661"):
        reply = await question().take([typed])
        assert reply.answer is None
        assert "answers nothing" in reply.say[0]
    answers = {"1": CommandAction.RUN, "2": CommandAction.DENY, " 4 ": CommandAction.STOP}
    for typed, action in answers.items():
        assert (await question().take([typed])).answer == CommandAnswer(action=action)


async def test_a_message_denies_and_an_empty_one_goes_back() -> None:
    asked = question()
    assert (await asked.take(["3"])).answer is None
    assert asked.takes_text
    back = await asked.take([""])
    assert back.asks_anew
    assert back.answer is None
    await asked.take(["3"])
    reply = await asked.take(["use", "make test"])
    assert reply.answer == CommandAnswer(action=CommandAction.DENY, remark="use make test")


async def test_an_edited_command_is_said_again_before_it_may_run() -> None:
    edited = "make \\\n  test"
    parts = {edited: (CommandPart(text=edited, risks=("removes files",)),)}
    asked = question(agent=FakeAgent(parts_of=parts))
    await asked.take(["5"])
    assert (await asked.take(["make \\", "  test"])).say == ()
    shown = await asked.take(["."])
    assert shown.asks_anew
    assert shown.answer is None
    assert "The command as you edited it, 2 lines, 13 characters:" in shown.say
    assert "|   test" in shown.say
    assert "Part 1: make \\<U+000A>  test" in shown.say
    assert "Risk of part 1: removes files." in shown.say
    reply = await asked.take(["1"])
    assert reply.answer == CommandAnswer(action=CommandAction.EDIT, command="make \\\n  test")


async def test_an_empty_edit_changes_nothing() -> None:
    asked = question()
    await asked.take(["5"])
    shown = await asked.take(["."])
    assert shown.say[0] == "The command is unchanged."
    assert (await asked.take(["1"])).answer == CommandAnswer(action=CommandAction.RUN)


async def test_such_commands_are_blocked_with_the_suggested_pattern() -> None:
    agent = FakeAgent()
    asked = question(agent=agent)
    wish = await asked.take(["6"])
    assert wish.say[:2] == ("Suggested: rm -r", "Refuses every command that runs rm with -r.")
    assert asked.takes_text
    reply = await asked.take(["."])
    assert agent.rules.blocked == [("rm -r", "make")]
    assert reply.answer == CommandAnswer(
        action=CommandAction.DENY,
        remark="The user blocks commands that match `rm -r` for the rest of this session.",
    )


async def test_a_pattern_of_the_users_own_blocks_and_one_that_is_not_taken_says_why() -> None:
    agent = FakeAgent(rules=FakeRules(refusal="It does not match\x1b this command."))
    asked = question(agent=agent)
    await asked.take(["6"])
    refused = await asked.take(["ls"])
    assert refused.answer is None
    assert refused.say[0] == "It does not match<U+001B> this command."
    agent.rules.refusal = ""
    assert (await asked.take(["make"])).answer is not None
    assert agent.rules.blocked == [("make", "make")]


async def test_an_empty_pattern_blocks_nothing() -> None:
    agent = FakeAgent()
    asked = question(agent=agent)
    await asked.take(["6"])
    back = await asked.take([""])
    assert back.asks_anew
    assert agent.rules.blocked == []
    assert not asked.takes_text


async def test_an_action_is_said_with_its_facts_and_body() -> None:
    action = Action(
        kind=ActionKind.COMMIT,
        title="Commit all changes",
        facts=(ActionFact(label="files", value="a.py\nb.py"),),
        body="Add a flag\n\nMore.",
    )
    request = ActionRequest(
        id=ApprovalId("ask-1"),
        call_id=CallId("call-1"),
        fingerprint="print",
        tool="git_commit",
        action=action,
        reason="commits ask",
    )
    asked = CallQuestion(request, FakeAgent())
    text = asked.text()
    assert text[:8] == (
        "Question: Commit all changes? Tool git_commit.",
        "| files: a.py",
        "|   b.py",
        "Text, 3 lines:",
        "| Add a flag",
        "| ",
        "| More.",
        "End of what is asked.",
    )
    assert text[-2].startswith("Choices: 1 do it once. 2 deny.")
    assert "5" not in text[-2]
    assert (await asked.take(["5"])).answer is None
    assert (await asked.take(["1"])).answer == CommandAnswer(action=CommandAction.RUN)
