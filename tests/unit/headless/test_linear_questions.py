"""A question about a call is said whole, and only its number answers it."""

from caramelo_tui.domain.approvals import ActionRequest, CommandAction, CommandAnswer
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind, CommandLine
from caramelo_tui.headless.linear.call_question import CallQuestion
from tests.unit.headless.linear_worlds import command_request

CHOICES = (
    "Choices: 1 run once. 2 deny. 3 deny with a message. 4 deny and stop the run. "
    "5 edit the command."
)


async def explain(command: CommandLine) -> tuple[CommandPart, ...]:
    return (CommandPart(text=command.command, risks=("removes files",)),)


def question(
    command: str = "make", *, cwd: str = "/home/project", note: str = "", agent_title: str = ""
) -> CallQuestion:
    parts = (CommandPart(text="rm -r build", risks=("removes files recursively",)),)
    request = command_request(command, parts=parts, cwd=cwd, note=note, agent_title=agent_title)
    return CallQuestion(request, root="/home/project", explain=explain)


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
        "Part 1: rm -r build Risk: removes files recursively.",
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
    for typed in ("", " ", "y", "yes", "6", "0", "1 2", "run once", "\u0661"):
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
    asked = question()
    await asked.take(["5"])
    assert (await asked.take(["make \\", "  test"])).say == ()
    shown = await asked.take(["."])
    assert shown.asks_anew
    assert shown.answer is None
    assert "The command as you edited it, 2 lines, 13 characters:" in shown.say
    assert "|   test" in shown.say
    assert "Part 1: make \\<U+000A>  test Risk: removes files." in shown.say
    reply = await asked.take(["1"])
    assert reply.answer == CommandAnswer(action=CommandAction.EDIT, command="make \\\n  test")


async def test_an_empty_edit_changes_nothing() -> None:
    asked = question()
    await asked.take(["5"])
    shown = await asked.take(["."])
    assert shown.say[0] == "The command is unchanged."
    assert (await asked.take(["1"])).answer == CommandAnswer(action=CommandAction.RUN)


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
    asked = CallQuestion(request, root="/", explain=explain)
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
