"""Find an action by its name.

Owns what the command palette lists: every action of the key map that is marked for it, with its
key, and the actions that have no key. Imported when the palette is first opened. Proven by
tests/pilot/test_palette.py.
"""

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import partial

from textual.app import App
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KEYS, KeyMap, KeyPlace, keys_of
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.slash_commands import REPORT_WORDS
from caramelo_tui.ui.widgets.changes_keys import CHANGES_KEYS
from caramelo_tui.ui.widgets.conversation_view import ConversationView
from caramelo_tui.ui.widgets.diff_keys import DIFF_KEYS

_MODES = (
    (ApprovalMode.PLAN, "reads only; its last text is the plan"),
    (ApprovalMode.REVIEW, "one review for all writes of a turn"),
    (ApprovalMode.EACH, "one review for each write"),
    (ApprovalMode.AUTO, "writes without asking; bash still asks"),
)

_SESSIONS = (
    ("resume", "Session: go on with another one", "/resume"),
    ("fork", "Session: go on in a copy of this one", "/fork"),
    ("export", "Session: write it to a Markdown file", "/export"),
    ("earlier", "Session: show it from its first prompt", "/earlier"),
)
_UNDOS = (
    ("turn", "Undo: the changes of the last turn", "/undo"),
    ("run", "Undo: the changes of the last run", "all turns behind one prompt"),
    ("rewind", "Undo: everything since a prompt", "/rewind"),
    ("redo", "Redo: what the last undo took", "/redo"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteEntry:
    """One line of the palette."""

    words: str
    help: str
    """The key, or what else helps."""
    action: str
    """Action in the name space of the app."""


_OF_THE_SESSION = (
    PaletteEntry(
        words="Compact the conversation", help="/compact", action="screen.context('compact')"
    ),
    PaletteEntry(
        words="Say how the session stands", help="/status", action="screen.session_status"
    ),
    PaletteEntry(words="Spending", help="/spending", action="screen.context('spending')"),
    PaletteEntry(
        words="Session grants: take back what you allowed or blocked",
        help="/grants",
        action="screen.session_grants",
    ),
    PaletteEntry(words="Activate a skill", help="/skill NAME", action="screen.pick_skill"),
)
_OF_THE_PANES = (
    PaletteEntry(
        words="Give the panes their usual sizes",
        help="on screens of this size",
        action="screen.reset_sizes",
    ),
    PaletteEntry(
        words="Copy the last answer", help="/copy", action="screen.conversation('copy_last')"
    ),
)
_OF_THE_APP = (
    PaletteEntry(words="Quit", help="asks once if work is undecided", action="app.leave"),
    PaletteEntry(words="Suspend to the shell", help="fg comes back", action="app.suspend"),
    PaletteEntry(words="Next theme", help="for this start", action="app.next_theme"),
)
_LOGIN = PaletteEntry(words="Log in, or give a key", help="/login", action="app.login")


def palette_entries(keys: KeyMap = DEFAULT_KEYS) -> Iterator[PaletteEntry]:
    """Yield what the palette offers, in the order of the key map."""
    for entry in KEYS:
        if entry.is_in_palette:
            space = "app" if entry.place is KeyPlace.APP else "screen"
            yield PaletteEntry(
                words=entry.words,
                help=", ".join(keys.labels_of(entry)),
                action=f"{space}.{entry.action}",
            )
    for mode, words in _MODES:
        yield PaletteEntry(
            words=f"Approval mode {mode.value}",
            help=words,
            action=f"screen.set_mode('{mode.value}')",
        )
    yield from _report_entries()
    yield from _OF_THE_SESSION
    for what, words, command in _UNDOS:
        yield PaletteEntry(words=words, help=command, action=f"screen.undo('{what}')")
    yield from _OF_THE_PANES
    yield from _pane_entries(keys)
    yield _LOGIN
    yield from _session_entries()
    yield from _OF_THE_APP


def _pane_entries(keys: KeyMap) -> Iterator[PaletteEntry]:
    """Yield what the keys of the panes do."""
    for binding in ConversationView.own_keys():
        yield PaletteEntry(
            words=f"Conversation: {binding.description}",
            help=f"{', '.join(keys.labels(binding.id, binding.key))} there",
            action=f"screen.conversation({binding.action!r})",
        )
    for bindings, is_move in ((CHANGES_KEYS, False), (DIFF_KEYS, True)):
        for binding in bindings:
            if binding.action != "back":
                yield PaletteEntry(
                    words=f"Changes: {binding.description}",
                    help=f"{', '.join(keys.labels(binding.id, binding.key))} there",
                    action=f"screen.changes({binding.action!r}, {is_move})",
                )
    for place, action in ((KeyPlace.FILES, "files"), (KeyPlace.TOOLS, "tools")):
        for entry in keys_of(place):
            yield PaletteEntry(
                words=f"{place.value}: {entry.words}",
                help=f"{', '.join(keys.labels_of(entry))} there",
                action=f"screen.{action}({entry.action!r})",
            )


def _report_entries() -> Iterator[PaletteEntry]:
    for name, words in REPORT_WORDS.items():
        yield PaletteEntry(words=words, help=f"/{name}", action=f"screen.report('{name}')")


def _session_entries() -> Iterator[PaletteEntry]:
    for wish, words, command in _SESSIONS:
        yield PaletteEntry(words=words, help=command, action=f"screen.sessions({wish!r})")


class ActionProvider(Provider):
    """Offers the entries to Textual's palette."""

    @property
    def _keys(self) -> KeyMap:
        return self.screen.keys if isinstance(self.screen, MainScreen) else DEFAULT_KEYS

    async def discover(self) -> Hits:
        """Offer everything while nothing is typed."""
        for entry in palette_entries(self._keys):
            yield DiscoveryHit(entry.words, self._runner(entry), help=entry.help)

    async def search(self, query: str) -> Hits:
        """Offer what matches."""
        matcher = self.matcher(query)
        for entry in palette_entries(self._keys):
            score = matcher.match(entry.words)
            if score > 0:
                yield Hit(
                    score, matcher.highlight(entry.words), self._runner(entry), help=entry.help
                )

    def _runner(self, entry: PaletteEntry) -> Callable[[], Coroutine[None, None, None]]:
        return partial(self._run, entry.action)

    async def _run(self, action: str) -> None:
        await self.app.run_action(action, default_namespace=self.screen)


def open_palette(app: App[object]) -> None:
    """Open the palette over the screen that is in front."""
    app.push_screen(
        CommandPalette(providers=[ActionProvider], placeholder="Find an action", id="palette")
    )
