"""Say which key does what, once.

Owns every default key of the frame, the prompt, the file tree, the tool log and the modals, as
values from which Textual's bindings, the help screen, the palette and ``docs/keys.md`` are made.
Holds no state and knows no widget; panes with keys of their own declare them as bindings, and
the help screen reads those. Proven by tests/unit/ui/test_keymap.py.

Defaults avoid what terminals and multiplexers take for themselves (ctrl+a, ctrl+b, ctrl+s,
ctrl+q, ctrl+z, ctrl+i, ctrl+m).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from textual.binding import Binding

from caramelo_tui.ui.key_names import key_label


class KeyPlace(StrEnum):
    """Where a key works."""

    APP = "Always, in every question too"
    SCREEN = "Everywhere on the main screen"
    PROMPT = "Prompt"
    FILES = "Files"
    TOOLS = "Tools"
    LIST = "Lists"
    COMMAND = "Question about a command or another action"
    DETAILS = "Details of a call, preview of a file"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyEntry:
    """One action and its default keys."""

    place: KeyPlace
    action: str
    """Textual action, such as ``jump('files')``; empty for keys a widget reads by itself."""
    keys: str
    """Textual key names, divided by commas; the first one is shown."""
    words: str
    """What it does, starting with a verb."""
    is_priority: bool = False
    """Whether it works even where the focused widget would take the key."""
    is_in_palette: bool = False
    """Whether the command palette lists it."""
    name: str = ""
    """Name of an action that has arguments, for remapping; empty: the action's own."""

    @property
    def id(self) -> str:
        """Name for remapping, such as ``screen.help``."""
        return f"{self.place.name.lower()}.{self.name or self.action}"

    @property
    def labels(self) -> tuple[str, ...]:
        """The keys as a person reads them, in the order of ``keys``."""
        return tuple(key_label(key) for key in self.keys.split(","))


def _screen(
    action: str, keys: str, words: str, *, is_priority: bool = True, name: str = ""
) -> KeyEntry:
    """Return an entry of the main screen; these win over the focused widget by default."""
    return KeyEntry(
        place=KeyPlace.SCREEN,
        action=action,
        keys=keys,
        words=words,
        is_priority=is_priority,
        is_in_palette=True,
        name=name,
    )


def _size(action: str, keys: str, words: str, name: str) -> KeyEntry:
    """Return an entry for a border; in the prompt such keys go from word to word."""
    return _screen(action, keys, words, is_priority=False, name=name)


def _prompt(wish: str, keys: str, words: str, name: str) -> KeyEntry:
    """Return an entry for what the prompt can do; its editor has the same keys, in their order."""
    return _screen(f"prompt('{wish}')", keys, words, is_priority=False, name=name)


def _entry(place: KeyPlace, action: str, keys: str, words: str, name: str = "") -> KeyEntry:
    return KeyEntry(place=place, action=action, keys=keys, words=words, name=name)


KEYS: tuple[KeyEntry, ...] = (
    KeyEntry(
        place=KeyPlace.APP,
        action="interrupt",
        keys="ctrl+c",
        words="Stop the run; twice within 2 s quits",
        is_priority=True,
        is_in_palette=True,
    ),
    KeyEntry(
        place=KeyPlace.APP,
        action="switch_mouse",
        keys="shift+f8",
        words="Leave the mouse to the terminal, to select text with it, and take it back",
        is_priority=True,
        is_in_palette=True,
    ),
    _screen("help", "f1", "Show all keys"),
    _screen("jump('files')", "f2,alt+1", "Go to Files", name="files"),
    _screen("jump('conversation')", "f3,alt+2", "Go to Conversation", name="conversation"),
    _screen("jump('changes')", "f4,alt+3", "Go to Changes", name="changes"),
    _screen("jump('tools')", "f5,alt+4", "Go to Tools", name="tools"),
    _screen("step_pane(1)", "f6", "Go to the next pane", name="next_pane"),
    _screen("step_pane(-1)", "shift+f6", "Go to the pane before", name="pane_before"),
    _screen("zoom", "f8", "Zoom the focused pane, and back"),
    _size(
        "move_border(-1, True)", "ctrl+left", "Move the pane's upright border left", "border_left"
    ),
    _size(
        "move_border(1, True)", "ctrl+right", "Move the pane's upright border right", "border_right"
    ),
    _size("move_border(-1, False)", "ctrl+up", "Move the border above Tools up", "border_up"),
    _size("move_border(1, False)", "ctrl+down", "Move the border above Tools down", "border_down"),
    _screen("go_to_waiting", "ctrl+o", "Go to what waits for you"),
    _screen("models", "shift+f5", "Choose the model, or one for a role"),
    _screen("cycle_mode", "shift+tab", "Change the approval mode: review, each, auto, plan"),
    _screen("carry_out_plan", "f9", "Carry out the plan, in mode review"),
    _screen("edit_plan", "shift+f9", "Edit the plan first"),
    _screen("raise_limit", "f7", "Raise the limit of changed lines"),
    _screen("reset_count", "shift+f7", "Count changed lines from zero"),
    _prompt("steer", "ctrl+t", "Give the draft to the run under way, with its next turn", "steer"),
    _prompt("give", "ctrl+n", "Put the output of your last ! command into the prompt", "give"),
    _prompt("queue", "ctrl+l", "Take back or remove a prompt that waits", "queue"),
    _prompt("search", "ctrl+r", "Search the earlier prompts", "search_prompts"),
    _prompt("paste_image", "alt+v", "Put the clipboard's image into the prompt", "paste_image"),
    _prompt("edit", "ctrl+g", "Edit the draft in your editor ($VISUAL or $EDITOR)", "editor"),
    _screen("palette", "ctrl+p", "Find an action by name"),
    _screen("back", "escape", "Go back one level, at last to the prompt", is_priority=False),
    _entry(KeyPlace.PROMPT, "", "enter", "Send; while the agent runs, queue"),
    _entry(
        KeyPlace.PROMPT,
        "new_line",
        "ctrl+j,shift+enter",
        "New line (so does a trailing \\ and Enter)",
    ),
    _entry(KeyPlace.PROMPT, "", "up", "Earlier prompt; on an empty prompt, take back the queue"),
    _entry(KeyPlace.PROMPT, "", "down", "Later prompt"),
    _entry(KeyPlace.PROMPT, "", "at", "Offer files; tab or Enter takes one (:10-40 for lines)"),
    _entry(
        KeyPlace.PROMPT, "", "exclamation_mark", "On an empty prompt: run your own command, unasked"
    ),
    _entry(KeyPlace.PROMPT, "", "slash", "At the begin: offer commands; tab or Enter takes one"),
    _entry(KeyPlace.PROMPT, "expand_pastes", "ctrl+e", "Unfold a pasted text, or go to line end"),
    _entry(KeyPlace.LIST, "move(-1)", "up,k", "Row up", "up"),
    _entry(KeyPlace.LIST, "move(1)", "down,j", "Row down", "down"),
    _entry(KeyPlace.LIST, "page(-1)", "pageup", "Page up", "page_up"),
    _entry(KeyPlace.LIST, "page(1)", "pagedown", "Page down", "page_down"),
    _entry(KeyPlace.LIST, "edge(-1)", "home,g", "First row", "first"),
    _entry(KeyPlace.LIST, "edge(1)", "end,G", "Last row", "last"),
    _entry(KeyPlace.LIST, "open_row", "enter", "Open the row"),
    _entry(KeyPlace.FILES, "open_folder", "right,l", "Open the folder"),
    _entry(KeyPlace.FILES, "close_folder", "left,h", "Close the folder, or go to its parent"),
    _entry(KeyPlace.FILES, "mention", "at,m", "Mention the file in the prompt"),
    _entry(KeyPlace.FILES, "toggle_touched", "t", "Show only touched files"),
    _entry(KeyPlace.FILES, "show_change", "d", "Go to the change of the file"),
    _entry(KeyPlace.FILES, "edit_file", "o", "Open the file in $EDITOR"),
    _entry(KeyPlace.FILES, "copy_path", "y", "Copy the path"),
    _entry(
        KeyPlace.FILES, "toggle_skipped", "i", "Hide what searches skip or git ignores, or back"
    ),
    _entry(KeyPlace.FILES, "toggle_ignored", "alt+i", "Filter what git ignores too, or back"),
    _entry(KeyPlace.FILES, "filter", "slash", "Filter all paths by typing"),
    _entry(KeyPlace.TOOLS, "cancel_call", "x", "Cancel a running command, end a background one"),
    _entry(KeyPlace.TOOLS, "run_again", "ctrl+r", "Run a read again past the cache, for you only"),
    _entry(KeyPlace.TOOLS, "filter", "slash", "Filter by typing (is:error tool:bash words)"),
    _entry(KeyPlace.TOOLS, "next_state", "s", "Filter by the next state"),
    _entry(KeyPlace.TOOLS, "next_tool", "t", "Filter by the next tool"),
    _entry(KeyPlace.COMMAND, "", "y", "Run the command once, or do the action"),
    _entry(KeyPlace.COMMAND, "", "e", "Edit the command, then run it"),
    _entry(KeyPlace.COMMAND, "", "b", "Block such commands this session, and deny"),
    _entry(KeyPlace.COMMAND, "", "n", "Deny; the run goes on"),
    _entry(KeyPlace.COMMAND, "", "m", "Deny with a message for the model"),
    _entry(KeyPlace.COMMAND, "", "escape", "Deny and stop the run"),
    _entry(KeyPlace.COMMAND, "", "down,up,pagedown,pageup,end,home", "Scroll what is asked about"),
    _entry(KeyPlace.COMMAND, "", "shift+up,shift+down", "Scroll what is said about it"),
    _entry(KeyPlace.COMMAND, "", "tab,left,right", "Choose an answer; Enter never approves"),
    _entry(KeyPlace.DETAILS, "load_output", "o", "Open the whole output"),
    _entry(KeyPlace.DETAILS, "cancel_call", "x", "Cancel the command"),
    _entry(KeyPlace.DETAILS, "run_again", "ctrl+r", "Run a read again past the cache"),
    _entry(KeyPlace.DETAILS, "close", "escape,q", "Close"),
)
"""All default keys, in the order in which help shows them."""


def keys_of(place: KeyPlace) -> tuple[KeyEntry, ...]:
    """Return the entries of one place, in order."""
    return tuple(entry for entry in KEYS if entry.place is place)


def bindings_of(place: KeyPlace) -> list[Binding]:
    """Return Textual bindings for the entries of one place that name an action."""
    return [
        Binding(
            entry.keys,
            entry.action,
            entry.words,
            show=False,
            priority=entry.is_priority,
            id=entry.id,
        )
        for entry in keys_of(place)
        if entry.action
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMap:
    """The keys in force: the defaults, and what the user changed."""

    changed: Mapping[str, str] = field(default_factory=dict[str, str])
    """Textual key names, divided by commas, by the action's name; empty: no key is left."""
    problems: tuple[str, ...] = ()
    """Wishes that could not be met, and what lost its key, each fit for a notice."""

    def keys(self, name: str | None, default: str) -> tuple[str, ...]:
        """Return the keys of an action, none when it lost them.

        Args:
            name: For remapping; ``None`` for an action that cannot be changed.
            default: Its default keys, divided by commas.
        """
        keys = default if name is None else self.changed.get(name, default)
        return tuple(keys.split(",")) if keys else ()

    def labels(self, name: str | None, default: str) -> tuple[str, ...]:
        """Return the same as a person reads them."""
        return tuple(key_label(key) for key in self.keys(name, default))

    def labels_of(self, entry: KeyEntry) -> tuple[str, ...]:
        """Return the keys of an entry as a person reads them."""
        return self.labels(entry.id if entry.action else None, entry.keys)


DEFAULT_KEYS = KeyMap()
"""Nothing is changed."""


def label_of(action: str, keys: KeyMap = DEFAULT_KEYS) -> str:
    """Return the first key of an action as a label; empty when the action has no key."""
    for entry in KEYS:
        if entry.action == action:
            return next(iter(keys.labels_of(entry)), "")
    return ""


def hint_of(place: KeyPlace, *actions: str, keys: KeyMap = DEFAULT_KEYS) -> str:
    """Return short words for the lower edge of a pane, such as ``enter open · x cancel``."""
    found = {entry.action: entry for entry in keys_of(place)}
    return " · ".join(
        f"{labels[0]} {_HINTS.get(action, found[action].words)}"
        for action in actions
        if action in found and (labels := keys.labels_of(found[action]))
    )


_HINTS = {
    "open_row": "open",
    "mention": "mention",
    "toggle_touched": "touched",
    "filter": "filter",
    "cancel_call": "cancel",
    "run_again": "again",
}
