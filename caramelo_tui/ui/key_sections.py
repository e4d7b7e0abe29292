"""Gather all keys and signs by place, for the help screen and the page in the docs.

Owns the order of the sections; keys come from the key map and from the panes' own bindings, signs
from where they are drawn. Imported when help is first asked for. Proven by
tests/unit/ui/test_key_sections.py and tests/pilot/test_help.py.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from textual.binding import Binding
from textual.widget import Widget

from caramelo_tui.ui.formatting import STATE_SIGNS, state_words
from caramelo_tui.ui.key_file import KnownAction
from caramelo_tui.ui.keymap import DEFAULT_KEYS, KEYS, KeyEntry, KeyMap, KeyPlace, keys_of
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.panes.conversation import ConversationPane
from caramelo_tui.ui.panes.status_bar import STATUS_WORDS
from caramelo_tui.ui.screens.find import FindLine
from caramelo_tui.ui.screens.models import ModelLine
from caramelo_tui.ui.screens.pager import PagerScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.screens.preview import PreviewScreen
from caramelo_tui.ui.touch_marks import GIT_WORDS, MARK_WORDS
from caramelo_tui.ui.widgets.block_pager import PagerView
from caramelo_tui.ui.widgets.conversation_view import ConversationView
from caramelo_tui.ui.widgets.diff_sections import FATE_SIGNS
from caramelo_tui.ui.widgets.diff_view import DiffView
from caramelo_tui.ui.widgets.output_view import OutputView
from caramelo_tui.ui.widgets.remark_line import RemarkLine

_PANES: Sequence[tuple[str, tuple[type[Widget], ...]]] = (
    ("Changes", (ChangesPane, DiffView)),
    ("Conversation", (ConversationPane, ConversationView)),
    ("Pager", (PagerScreen, PagerView)),
    ("Lists to choose from", (FindLine, PickScreen)),
    ("Preview", (PreviewScreen,)),
    ("Models", (ModelLine,)),
)
"""Panes that declare keys of their own, with the widgets that take them."""
_UNLISTED: tuple[type[Widget], ...] = (OutputView, RemarkLine)
"""Widgets with bindings of their own that help does not list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpSection:
    """Keys of one place, or signs of one kind."""

    title: str
    rows: tuple[tuple[str, str], ...]
    """Keys or signs as text, and what they do or mean."""
    names: tuple[str, ...] = ()
    """Name of each row's action for ``keys.toml``, empty for one whose keys are fixed; no names
    at all for signs."""


def all_sections(keys: KeyMap = DEFAULT_KEYS) -> tuple[HelpSection, ...]:
    """Return every key in force by place, and then every sign."""
    places = [place_section(place, keys) for place in KeyPlace]
    panes = [_pane_section(title, kinds, keys) for title, kinds in _PANES]
    return (*places, *panes, *sign_sections())


def place_section(place: KeyPlace, keys: KeyMap) -> HelpSection:
    """Return the keys in force at one place."""
    return HelpSection(
        title=place.value,
        rows=tuple(
            (", ".join(keys.labels_of(entry)) or _NO_KEY, entry.words) for entry in keys_of(place)
        ),
        names=tuple(_name_of(entry) for entry in keys_of(place)),
    )


def known_actions() -> tuple[KnownAction, ...]:
    """Return every action whose keys can be changed, each once."""
    found = [
        KnownAction(name=entry.id, keys=entry.keys, is_priority=entry.is_priority)
        for entry in KEYS
        if _name_of(entry)
    ]
    kinds = [kind for _title, kinds in _PANES for kind in kinds]
    for kind in (*kinds, *_UNLISTED):
        found += [
            KnownAction(name=binding.id, keys=binding.key)
            for binding in _bindings_of_class(kind)
            if binding.id and binding.id not in {action.name for action in found}
        ]
    return tuple(found)


def problem_section(keys: KeyMap) -> tuple[HelpSection, ...]:
    """Return what is wrong with the user's own keys, as a section, or nothing."""
    rows = tuple(
        (origin, words)
        for origin, _sign, words in (problem.partition(": ") for problem in keys.problems)
    )
    return (HelpSection(title="Keys that could not be set", rows=rows),) if rows else ()


def sign_sections() -> tuple[HelpSection, ...]:
    """Return what the signs beside files, calls and hunks mean."""
    return (
        HelpSection(
            title="Signs in Files", rows=tuple((mark, words) for mark, words in MARK_WORDS.items())
        ),
        HelpSection(
            title="Signs of git, in the last column of Files",
            rows=tuple((state.value, words) for state, words in GIT_WORDS.items()),
        ),
        HelpSection(
            title="Signs of calls",
            rows=tuple((sign, state_words(state)) for state, sign in STATE_SIGNS.items()),
        ),
        HelpSection(
            title="Signs of hunks",
            rows=tuple((sign, fate.value) for fate, sign in FATE_SIGNS.items()),
        ),
        HelpSection(title="Signs in the status bar", rows=STATUS_WORDS),
    )


def keys_of_class(
    kind: type[Widget], keys: KeyMap = DEFAULT_KEYS
) -> Iterator[tuple[str, str, str]]:
    """Yield keys, words and names of what a class of ours declares, those of its bases last."""
    for binding in _bindings_of_class(kind):
        if binding.description:
            labels = keys.labels(binding.id, binding.key)
            yield ", ".join(labels) or _NO_KEY, binding.description, binding.id or ""


def _bindings_of_class(kind: type[Widget]) -> Iterator[Binding]:
    for cls in kind.__mro__:
        if not cls.__module__.startswith("caramelo_tui"):
            continue
        declared: Sequence[object] = vars(cls).get("BINDINGS", ())
        yield from (binding for binding in declared if isinstance(binding, Binding))


def _name_of(entry: KeyEntry) -> str:
    return entry.id if entry.action else ""


def _pane_section(title: str, kinds: Iterable[type[Widget]], keys: KeyMap) -> HelpSection:
    found: dict[str, tuple[str, str]] = {}
    for kind in kinds:
        for labels, words, name in keys_of_class(kind, keys):
            found.setdefault(words, (labels, name))
    return HelpSection(
        title=title,
        rows=tuple((labels, words) for words, (labels, _name) in found.items()),
        names=tuple(name for _labels, name in found.values()),
    )


def keys_page() -> str:
    """Return ``docs/keys.md``: every default key and every sign, as Markdown."""
    parts = [_PAGE_HEAD]
    for section in all_sections():
        if section.names:
            parts.append(f"\n## {section.title}\n\n{_KEY_HEAD}")
            parts += [
                f"| {_code(keys)} | {words} | {name and _code(name)} |\n"
                for (keys, words), name in zip(section.rows, section.names, strict=True)
            ]
            continue
        parts.append(f"\n## {section.title}\n\n{_SIGN_HEAD}")
        parts += [f"| {_code(sign)} | {words} |\n" for sign, words in section.rows]
    return "".join(parts)


def _code(keys: str) -> str:
    return ", ".join(f"`{key}`" for key in keys.split(", "))


_NO_KEY = "–"  # noqa: RUF001 - a dash says that there is none
"""Stands for the keys of an action that lost them."""
_KEY_HEAD = "| Key | What it does | Name |\n| --- | --- | --- |\n"
_SIGN_HEAD = "| Sign | What it means |\n| --- | --- |\n"
_PAGE_HEAD = """# Keys

Every default key, by the place where it works, and every sign. `F1` shows the same in the app,
with the keys of the focused pane first. This file is made from the program; a test compares the
two.

Defaults keep away from what terminals and multiplexers take for themselves: `ctrl+a`, `ctrl+b`,
`ctrl+s`, `ctrl+q`, `ctrl+z`, `ctrl+i`, `ctrl+m`.

## Your own keys

A file `keys.toml` beside `config.toml` gives actions other keys. It names an action as the last
column below does, with one key or a list; the others keep theirs. Help, palette and status bar
show the keys in force.

```toml
[keys]
"screen.zoom" = "f12"
"files.mention" = ["+", "alt+m"]
```

A key is a character, or a name such as `esc`, `enter`, `space`, `tab`, `pgup`, `F5`, with `ctrl+`,
`alt+` or `shift+` before it where terminals tell that apart. What works in every place needs a
function key, `ctrl` or `alt`, so that nothing is missing for typing. Whom you give a key takes it
from who had it there; of two lines that want the same one, the first gets it; a list, or what works
everywhere, is asked before the pane around it. What could not be met is said at the start and in
help. The answers to questions about commands cannot be changed, nor can the keys without a name.
"""
