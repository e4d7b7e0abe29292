"""The commands of the linear mode are in its help, on its page, and those of the screen."""

import re

from caramelo_tui.headless.linear.commands import HELP
from caramelo_tui.ui.slash_commands import BUILT_IN
from tests.docs.examples import DOCS
from tests.unit.headless.linear_worlds import linear_world

_COMMAND = re.compile(r"(?<![\w/])/[a-z][a-z-]*")
_ROW = re.compile(r"^\| (`[^|]+`[^|]*) \|", re.MULTILINE)
SCREEN_ONLY = {"/tools", "/copy", "/theme"}
"""What only something that is drawn can be asked."""
OTHER_NAMES = {"/keys"}
"""Further names of commands that are in the help."""


async def known() -> set[str]:
    with linear_world() as world:
        commands = world.session._commands
        return {*commands._plain, *commands._with_argument}


async def test_every_command_is_in_the_help_and_on_the_page() -> None:
    names = await known() - OTHER_NAMES
    assert set(_COMMAND.findall(" ".join(HELP))) == names - {"/help"}
    page = (DOCS / "accessibility.md").read_text(encoding="utf-8")
    shown = {name for row in _ROW.findall(page) for name in _COMMAND.findall(row)}
    assert shown == names - {"/help"}


async def test_every_command_of_the_screen_is_there_unless_it_needs_one() -> None:
    screen = {f"/{command.name}" for command in BUILT_IN}
    assert screen - await known() == SCREEN_ONLY
