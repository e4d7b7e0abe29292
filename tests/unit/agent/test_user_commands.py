"""A user's own command becomes a prompt: arguments get in as text, once."""

import pytest

from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand, expand


def command(text: str) -> UserCommand:
    return UserCommand(name="fix", description="", text=text, origin=CommandOrigin.USER)


@pytest.mark.parametrize(
    ("text", "arguments", "prompt"),
    [
        ("Fix $ARGUMENTS now.", "a b", "Fix a b now."),
        ("From $1 to $2.", "a 'b c'", "From a to b c."),
        ("From $1 to $2.", "a", "From a to ."),
        ("Only $2 of $ARGUMENTS", "it's all", "Only all of it's all"),
        ("No place.", "extra words", "No place.\n\nextra words"),
        ("No place.\n", "", "No place."),
        ("$1", "$2 $ARGUMENTS", "$2"),
        ("costs $10 and $ARGUMENTSX", "", "costs $10 and $ARGUMENTSX"),
    ],
)
def test_arguments_get_to_their_places(text: str, arguments: str, prompt: str) -> None:
    assert expand(command(text), arguments) == prompt
