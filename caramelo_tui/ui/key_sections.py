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
from caramelo_tui.ui.keymap import KeyPlace, key_label, keys_of
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.panes.conversation import ConversationPane
from caramelo_tui.ui.panes.status_bar import STATUS_WORDS
from caramelo_tui.ui.screens.pager import PagerScreen
from caramelo_tui.ui.touch_marks import MARK_WORDS
from caramelo_tui.ui.widgets.block_pager import PagerView
from caramelo_tui.ui.widgets.conversation_view import ConversationView
from caramelo_tui.ui.widgets.diff_sections import FATE_SIGNS
from caramelo_tui.ui.widgets.diff_view import DiffView

_PANES: Sequence[tuple[str, tuple[type[Widget], ...]]] = (
    ("Changes", (ChangesPane, DiffView)),
    ("Conversation", (ConversationPane, ConversationView)),
    ("Pager", (PagerScreen, PagerView)),
)
"""Panes that declare keys of their own, with the widgets that take them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpSection:
    """Keys of one place, or signs of one kind."""

    title: str
    rows: tuple[tuple[str, str], ...]
    """Keys or signs as text, and what they do or mean."""


def all_sections() -> tuple[HelpSection, ...]:
    """Return every key by place, and then every sign."""
    places = [
        HelpSection(
            title=place.value,
            rows=tuple((", ".join(entry.labels), entry.words) for entry in keys_of(place)),
        )
        for place in KeyPlace
    ]
    panes = [HelpSection(title=title, rows=tuple(_own_keys(kinds))) for title, kinds in _PANES]
    return (*places, *panes, *sign_sections())


def sign_sections() -> tuple[HelpSection, ...]:
    """Return what the signs beside files, calls and hunks mean."""
    return (
        HelpSection(
            title="Signs in Files", rows=tuple((mark, words) for mark, words in MARK_WORDS.items())
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


def keys_of_class(kind: type[Widget]) -> Iterator[tuple[str, str]]:
    """Yield the keys that a class of ours declares, those of its bases last."""
    for cls in kind.__mro__:
        if not cls.__module__.startswith("caramelo_tui"):
            continue
        declared: Sequence[object] = vars(cls).get("BINDINGS", ())
        for binding in declared:
            if isinstance(binding, Binding) and binding.description:
                labels = [binding.key_display or key_label(k) for k in binding.key.split(",")]
                yield ", ".join(labels), binding.description


def _own_keys(kinds: Iterable[type[Widget]]) -> Iterator[tuple[str, str]]:
    known: set[str] = set()
    for kind in kinds:
        for keys, words in keys_of_class(kind):
            if words not in known:
                known.add(words)
                yield keys, words


def keys_page() -> str:
    """Return ``docs/keys.md``: every default key and every sign, as Markdown."""
    parts = [_PAGE_HEAD]
    for section in all_sections():
        is_signs = section.title.startswith("Signs")
        head = "| Sign | What it means |" if is_signs else "| Key | What it does |"
        parts.append(f"\n## {section.title}\n\n{head}\n| --- | --- |\n")
        parts += [f"| {_code(keys)} | {words} |\n" for keys, words in section.rows]
    return "".join(parts)


def _code(keys: str) -> str:
    return ", ".join(f"`{key}`" for key in keys.split(", "))


_PAGE_HEAD = """# Keys

Every default key, by the place where it works, and every sign. `F1` shows the same in the app,
with the keys of the focused pane first. This file is made from the program; a test compares the
two.

Defaults keep away from what terminals and multiplexers take for themselves: `ctrl+a`, `ctrl+b`,
`ctrl+s`, `ctrl+q`, `ctrl+z`, `ctrl+i`, `ctrl+m`.
"""
