"""What a line behind a slash is taken for."""

import pytest

from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand
from caramelo_tui.ui.slash_commands import BUILT_IN, SlashCommands, SlashLine, shadowed


def own(name: str) -> UserCommand:
    return UserCommand(name=name, description="Mine", text="x", origin=CommandOrigin.USER)


@pytest.fixture
def commands() -> SlashCommands:
    return SlashCommands((own("fix-it"), own("help")))


@pytest.mark.parametrize(
    ("prompt", "name", "text"),
    [
        ("/help", "help", ""),
        (" /mode  each ", "mode", "each"),
        ("/mode", "mode", ""),
        ("/fix-it the\nparser", "fix-it", "the\nparser"),
        ("/hepl", "hepl", ""),
    ],
)
def test_commands_are_read(commands: SlashCommands, prompt: str, name: str, text: str) -> None:
    assert commands.read(prompt) == SlashLine(name=name, text=text)


@pytest.mark.parametrize(
    "prompt",
    ["/", "/plan the work", "/usr/bin is missing", "/etc/hosts", "/x is wrong", "hi /mode"],
)
def test_what_is_meant_for_the_model_is_no_command(commands: SlashCommands, prompt: str) -> None:
    assert commands.read(prompt) is None


def test_names_that_begin_with_the_letters_come_first(commands: SlashCommands) -> None:
    names = [command.name for command in commands.offer("s")]
    assert [name for name in names if name in {"status", "files", "skill"}] == [
        "skill",
        "status",
        "files",
    ]
    assert [command.name for command in commands.offer("fi")][:2] == ["files", "fix-it"]
    assert commands.offer("zz") == ()
    assert commands.offer("")[: len(BUILT_IN)] == BUILT_IN


def test_the_apps_own_command_stands_before_the_users(commands: SlashCommands) -> None:
    assert commands.own("help") is None
    assert commands.own("fix-it") == own("fix-it")
    assert [command.name for command in commands.all].count("help") == 1
    assert shadowed((own("fix-it"), own("help"))) == ("help",)
    mine = commands.named("fix-it")
    assert mine is not None
    assert (mine.words, mine.origin, mine.takes_text) == ("Mine", "yours", True)


def test_an_unknown_name_is_answered_with_the_nearest(commands: SlashCommands) -> None:
    assert commands.unknown("hepl") == "There is no command /hepl; did you mean /help?"
    assert commands.unknown("zzzz") == "There is no command /zzzz; type / to see all."
