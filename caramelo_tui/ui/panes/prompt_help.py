"""Offer what the word at the prompt's cursor can become.

Owns when files or commands are offered, which row is marked, the keys that move the mark and take
the row, and what is then written. Shows nothing and loads nothing: the pane draws it, and is told
when the list of files is wanted. Proven by tests/pilot/test_completion.py.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from caramelo_tui.ui.file_picker import mention_of, split_range
from caramelo_tui.ui.widgets.choice_rows import ChoiceRow

if TYPE_CHECKING:
    # Neither is needed for the first paint.
    from caramelo_tui.ui.file_picker import FilePicker
    from caramelo_tui.ui.panes.draft_editor import DraftEditor
    from caramelo_tui.ui.slash_commands import SlashCommand, SlashCommands

_MOST_ROWS = 6
"""Rows that are shown at once."""
_MENTION = re.compile(r"(?:^|[\s(\[{'`])@([^\s@\"]*)$")
_COMMAND = re.compile(r"/([a-z0-9-]*)$")
_ARGUMENT = re.compile(r"/([a-z0-9-]+) (\S*)$")


class HelpKind(Enum):
    """What the word at the cursor is."""

    FILE = auto()
    COMMAND = auto()
    ARGUMENT = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpWord:
    """The word that is being typed."""

    kind: HelpKind
    start: int
    """Column of its first letter, behind the sign."""
    letters: str
    command: str = ""
    """Of an argument: the command that it is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpChoice:
    """What the word can become."""

    row: ChoiceRow
    text: str
    """Put in the word's place, with its sign."""
    is_whole: bool = False
    """Whether Enter sends at once, because nothing else belongs behind it."""


def word_at(before: str, *, is_first_line: bool) -> HelpWord | None:
    """Return the word that ends at the cursor, if something can be offered for it.

    Args:
        before: The cursor's line up to the cursor.
        is_first_line: Whether it is the first one of the text: only there are commands.
    """
    if is_first_line and (match := _COMMAND.match(before)):
        return HelpWord(kind=HelpKind.COMMAND, start=match.start(1), letters=match[1])
    if is_first_line and (match := _ARGUMENT.match(before)):
        return HelpWord(
            kind=HelpKind.ARGUMENT, start=match.start(2), letters=match[2], command=match[1]
        )
    if match := _MENTION.search(before):
        return HelpWord(kind=HelpKind.FILE, start=match.start(1), letters=match[1])
    return None


class PromptHelp:
    """What is offered now."""

    def __init__(
        self,
        editor: "DraftEditor",
        *,
        changed: Callable[[], None],
        files_wanted: Callable[[], None],
    ) -> None:
        """Stand beside an editor.

        Args:
            editor: Whose word is helped with; gives its keys here first.
            changed: Told when something else is to be drawn.
            files_wanted: Told when a mention begins.
        """
        self._editor = editor
        self._changed = changed
        self._files_wanted = files_wanted
        self._picker: FilePicker | None = None
        self._commands: SlashCommands | None = None
        self._word: HelpWord | None = None
        self._closed: tuple[int, int] | None = None
        self.choices: tuple[HelpChoice, ...] = ()
        """What can be chosen, best first."""
        self.marked: int | None = None
        """Index of the choice that Enter takes; ``None``: Enter sends."""
        self.row_count = 0
        """Rows that are needed now; never fewer while one word is typed."""
        editor.takes_first = self._take_key

    @property
    def note(self) -> str:
        """Said in place of choices."""
        return "reading the files …" if self._picker is None else "no such file"

    @property
    def hint(self) -> str:
        """The keys, for the lower edge of the pane; empty when nothing is offered."""
        return "↑↓ · tab takes it · esc closes" if self.row_count else ""

    def take_files(self, picker: "FilePicker") -> None:
        """Offer these files from now on."""
        self._picker = picker
        self._word = None
        self.look()

    def take_commands(self, commands: "SlashCommands") -> None:
        """Offer these commands from now on."""
        self._commands = commands

    def look(self) -> None:
        """See what stands at the cursor now."""
        word = self._find_word()
        if word is None:
            self._closed = None
        if word is None or self._place(word) == self._closed:
            self._offer(None, ())
            return
        if word == self._word:
            return
        if word.kind is HelpKind.FILE and (self._word is None or self._word.kind != word.kind):
            self._files_wanted()
        self._offer(word, self._choices_for(word))

    def close(self) -> None:
        """Offer nothing until another word begins."""
        if self._word is not None:
            self._closed = self._place(self._word)
        self._offer(None, ())

    def choose(self, index: int) -> None:
        """Write a choice in the place of the word."""
        word = self._word
        if word is None or not 0 <= index < len(self.choices):
            return
        row, column = self._editor.cursor_location
        # The sign is written anew: a quote may have to stand behind it.
        start = word.start - (0 if word.kind is HelpKind.ARGUMENT else 1)
        self._editor.replace(self.choices[index].text, (row, start), (row, column))
        self.look()

    # --- keys --------------------------------------------------------------------------

    def _take_key(self, key: str) -> bool:
        """Take a key that is for the list; ``False`` leaves it to the editor."""
        if key not in {"up", "down", "tab", "enter", "escape"}:
            return False
        self.look()
        if not self.row_count:
            return False
        if key == "escape":
            self.close()
            return True
        if not self.choices:
            return False
        if key in {"up", "down"}:
            self._move(-1 if key == "up" else 1)
            return True
        return self._take_choice(is_tab=key == "tab")

    def _move(self, rows: int) -> None:
        start = self.marked if self.marked is not None else (-1 if rows > 0 else 0)
        self.marked = (start + rows) % len(self.choices)
        self._changed()

    def _take_choice(self, *, is_tab: bool) -> bool:
        if is_tab:
            self.choose(self.marked or 0)
            return True
        if self.marked is None or self._is_typed_out(self.choices[self.marked]):
            return False
        is_whole = self.choices[self.marked].is_whole
        self.choose(self.marked)
        return not is_whole

    def _is_typed_out(self, choice: HelpChoice) -> bool:
        """Whether the word is the choice already, so that Enter means to send."""
        word = self._word
        return (
            word is not None
            and word.kind is not HelpKind.FILE
            and choice.text.strip().removeprefix("/") == word.letters
        )

    # --- what is offered ---------------------------------------------------------------

    def _find_word(self) -> HelpWord | None:
        editor = self._editor
        if editor.is_given or not editor.has_focus or not editor.selection.is_empty:
            return None
        return word_at(editor.text_before_cursor, is_first_line=editor.cursor_location[0] == 0)

    def _place(self, word: HelpWord) -> tuple[int, int]:
        return self._editor.cursor_location[0], word.start

    def _offer(self, word: HelpWord | None, choices: Sequence[HelpChoice]) -> None:
        before = (self._word, self.row_count)
        is_same = word is not None and self._word is not None and word.start == self._word.start
        self._word, self.choices = word, tuple(choices)
        is_open = word is not None and (bool(choices) or self._waits_for_files(word))
        wanted = min(max(len(self.choices), 1), _MOST_ROWS) if is_open else 0
        self.row_count = max(wanted, self.row_count) if is_open and is_same else wanted
        is_marked = word is not None and (bool(word.letters) or word.kind is HelpKind.FILE)
        self.marked = 0 if is_marked and self.choices else None
        if before != (self._word, self.row_count):
            self._changed()

    def _waits_for_files(self, word: HelpWord) -> bool:
        return word.kind is HelpKind.FILE and self._picker is None

    def _choices_for(self, word: HelpWord) -> Sequence[HelpChoice]:
        match word.kind:
            case HelpKind.FILE:
                return self._files(word.letters)
            case HelpKind.COMMAND:
                found = () if self._commands is None else self._commands.offer(word.letters)
                return [_command_choice(command) for command in found]
            case HelpKind.ARGUMENT:
                return self._arguments(word)

    def _files(self, letters: str) -> Sequence[HelpChoice]:
        if self._picker is None:
            return ()
        path, lines = split_range(letters)
        if path in self._picker:
            # Typed out: Enter sends again.
            return ()
        return [_file_choice(found, lines) for found in self._picker.offer(path)]

    def _arguments(self, word: HelpWord) -> Sequence[HelpChoice]:
        command = None if self._commands is None else self._commands.named(word.command)
        known = () if command is None else command.arguments
        return [
            HelpChoice(row=ChoiceRow(name=argument), text=argument, is_whole=True)
            for argument in known
            if argument.startswith(word.letters)
        ]


def _file_choice(path: str, lines: str) -> HelpChoice:
    # Behind a folder one may type on; behind a file the next word begins.
    gap = "" if path.endswith("/") else " "
    return HelpChoice(row=ChoiceRow(name=path), text=mention_of(path, lines) + gap)


def _command_choice(command: "SlashCommand") -> HelpChoice:
    words = f"{command.words} ({command.origin})" if command.origin else command.words
    return HelpChoice(
        row=ChoiceRow(name=f"/{command.name}", words=words),
        text=f"/{command.name} " if command.takes_text else f"/{command.name}",
        is_whole=not command.takes_text,
    )
