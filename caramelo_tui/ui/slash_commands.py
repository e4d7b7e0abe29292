"""Name what a line that begins with a slash can ask of the app.

Owns the names of the app's own commands, what stands for each in the name space of actions, the
order in which commands are offered while one is typed, and which one a misspelt name means.
Carries nothing out. Proven by tests/unit/ui/test_slash_commands.py and
tests/pilot/test_slash_commands.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from types import MappingProxyType

from caramelo_tui.agent.user_commands import UserCommand
from caramelo_tui.domain.decisions import ApprovalMode


@dataclass(frozen=True, slots=True, kw_only=True)
class SlashCommand:
    """One command as it is offered."""

    name: str
    """Without the slash."""
    words: str
    """What it does, starting with a verb; a user's own description is unsafe as it is."""
    action: str = ""
    """The action it stands for when nothing follows; empty for a command of the user's own."""
    arguments: tuple[str, ...] = ()
    """What may follow, where that is known."""
    takes_text: bool = False
    """Whether something may follow."""
    origin: str = ""
    """Whose it is; empty for the app's own."""


REPORT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "policy": "Show the rules in force",
        "config": "Show every setting, and where it was set",
        "profile": "Show the tools of this profile",
        "cache": "Show how the cache does",
    }
)
"""What can be told of a session, by name."""

BUILT_IN: tuple[SlashCommand, ...] = (
    SlashCommand(name="help", words="Show all keys", action="screen.help"),
    SlashCommand(
        name="mode",
        words="Change the approval mode",
        action="screen.cycle_mode",
        arguments=tuple(mode.value for mode in ApprovalMode),
        takes_text=True,
    ),
    SlashCommand(name="model", words="Choose the model", action="screen.models", takes_text=True),
    SlashCommand(
        name="provider", words="Choose the provider", action="screen.models", takes_text=True
    ),
    SlashCommand(name="plan", words="Work in mode plan", action="screen.set_mode('plan')"),
    SlashCommand(
        name="undo", words="Take the changes of the last turn back", action="screen.undo('turn')"
    ),
    SlashCommand(
        name="redo", words="Put back what the last undo took", action="screen.undo('redo')"
    ),
    SlashCommand(
        name="rewind",
        words="Take the files back to before a prompt",
        action="screen.undo('rewind')",
    ),
    SlashCommand(
        name="resume",
        words="Go on with another session",
        action="screen.sessions('resume')",
        takes_text=True,
    ),
    SlashCommand(
        name="fork", words="Go on in a copy of this session", action="screen.sessions('fork')"
    ),
    SlashCommand(
        name="earlier",
        words="Show this session from its first prompt",
        action="screen.sessions('earlier')",
    ),
    SlashCommand(
        name="export",
        words="Write this session to a file",
        action="screen.sessions('export')",
        arguments=("md", "json", "html"),
        takes_text=True,
    ),
    SlashCommand(name="files", words="Go to Files", action="screen.jump('files')"),
    SlashCommand(name="diff", words="Go to Changes", action="screen.jump('changes')"),
    SlashCommand(name="tools", words="Go to Tools", action="screen.jump('tools')"),
    SlashCommand(
        name="skill", words="Activate a skill", action="screen.pick_skill", takes_text=True
    ),
    SlashCommand(
        name="grants",
        words="Take back what you allowed or blocked for the session",
        action="screen.session_grants",
    ),
    SlashCommand(
        name="queue",
        words="Take back or remove a prompt that waits",
        action="screen.prompt('queue')",
    ),
    SlashCommand(
        name="paste-image",
        words="Put the clipboard's image into the prompt",
        action="screen.prompt('paste_image')",
    ),
    SlashCommand(
        name="copy", words="Copy the last answer", action="screen.conversation('copy_last')"
    ),
    SlashCommand(
        name="theme", words="Show the next theme, or one", action="app.next_theme", takes_text=True
    ),
    SlashCommand(name="keys", words="Show all keys", action="screen.help"),
    SlashCommand(name="login", words="Log in, or give a key", action="app.login"),
    SlashCommand(
        name="compact",
        words="Show what a compaction would do, and compact",
        action="screen.context('compact')",
    ),
    SlashCommand(name="status", words="Say how the session stands", action="screen.session_status"),
    SlashCommand(
        name="spending",
        words="Show what every request took",
        action="screen.context('spending')",
    ),
    *(
        SlashCommand(name=name, words=words, action=f"screen.report('{name}')")
        for name, words in REPORT_WORDS.items()
    ),
    SlashCommand(name="quit", words="Leave; asks once if work is undecided", action="app.leave"),
)
"""The app's own commands, in the order in which they are offered."""

_NAMED = re.compile(r"/([a-z][a-z0-9-]*)(?:\s+(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlashLine:
    """A prompt that reads like a command."""

    name: str
    text: str
    """All behind the name, without blanks around it."""


class SlashCommands:
    """The app's commands and the user's."""

    def __init__(self, own: Iterable[UserCommand] = (), *, themes: Sequence[str] = ()) -> None:
        """Take the user's commands; one that is named as the app's own is shadowed by it.

        Args:
            own: The user's commands.
            themes: Names that ``/theme`` takes.
        """
        built_in = {command.name for command in BUILT_IN}
        self._own = {command.name: command for command in own if command.name not in built_in}
        self.all: tuple[SlashCommand, ...] = (
            *(
                replace(command, arguments=tuple(themes)) if command.name == "theme" else command
                for command in BUILT_IN
            ),
            *(
                SlashCommand(
                    name=command.name,
                    words=command.description,
                    takes_text=True,
                    origin=command.origin.value,
                )
                for command in self._own.values()
            ),
        )
        self._by_name = {command.name: command for command in self.all}

    def own(self, name: str) -> UserCommand | None:
        """Return the user's command of a name."""
        return self._own.get(name)

    def named(self, name: str) -> SlashCommand | None:
        """Return the command of a name."""
        return self._by_name.get(name)

    def offer(self, letters: str) -> tuple[SlashCommand, ...]:
        """Return the commands that letters can become: names that begin with them, then others."""
        begin = [command for command in self.all if command.name.startswith(letters)]
        hold = [command for command in self.all if letters in command.name[1:]]
        return (*begin, *(command for command in hold if command not in begin))

    def read(self, prompt: str) -> SlashLine | None:
        """Return a prompt as a command, or ``None`` when it is meant for the model.

        A known name that takes no text, with text behind it, is a prompt, such as ``/plan the
        work``. A lone word behind a slash is a command even when there is none of that name: it
        was hardly meant for the model.
        """
        match = _NAMED.fullmatch(prompt.strip())
        if match is None:
            return None
        name, text = match[1], (match[2] or "").strip()
        command = self._by_name.get(name)
        is_meant = not text if command is None else command.takes_text or not text
        return SlashLine(name=name, text=text) if is_meant else None

    def unknown(self, name: str) -> str:
        """Return what is said of a name that is no command."""
        near = get_close_matches(name, self._by_name, n=1)
        if near:
            return f"There is no command /{name}; did you mean /{near[0]}?"
        return f"There is no command /{name}; type / to see all."


def shadowed(own: Sequence[UserCommand]) -> tuple[str, ...]:
    """Return the names of the user's commands that the app's own stand before."""
    built_in = {command.name for command in BUILT_IN}
    return tuple(command.name for command in own if command.name in built_in)
