"""Help and docs name every key and every sign."""

from pathlib import Path

from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.formatting import STATE_SIGNS
from caramelo_tui.ui.key_sections import all_sections, keys_page, sign_sections
from caramelo_tui.ui.keymap import KEYS, KeyPlace
from caramelo_tui.ui.panes.status_bar import STATUS_WORDS, StatusView, status_items
from caramelo_tui.ui.session_wishes import MODE_ROUND
from caramelo_tui.ui.touch_marks import MARK_WORDS, Mark


def test_the_page_in_docs_is_made_from_the_program() -> None:
    page = Path(__file__).parents[3] / "docs" / "keys.md"
    assert page.read_text(encoding="utf-8") == keys_page()


def test_every_key_of_the_map_and_of_the_panes_is_there_once() -> None:
    sections = {section.title: dict(section.rows) for section in all_sections()}
    words = [words for section in all_sections() for _keys, words in section.rows]
    assert {entry.words for entry in KEYS} <= set(words)
    assert sections["Changes"]["a"] == "Accept the hunk"
    assert sections["Changes"]["j"] == "Next hunk"
    assert sections["Changes"]["p"] == "Ask for what was not applied again"
    assert sections["Conversation"]["alt+up"] == "Block up"


def test_what_the_status_bar_says_is_explained_in_its_own_form() -> None:
    view = StatusView(
        is_starting=False,
        is_running=True,
        turn=3,
        waiting=2,
        is_restricted=True,
        usage=Usage(input_tokens=266, output_tokens=98),
        context_tokens=46_000,
        context_window=200_000,
        changed_lines=17,
        deny_above=500,
        cache_hits=2,
        cache_lookups=9,
        cost=0.12,
        branch="main*",
        is_watching=False,
    )
    said = " ".join(item.text for item in status_items(view))
    explained = [sign for sign, _words in STATUS_WORDS[1:]]
    assert [sign for sign in explained if sign not in said] == []
    assert STATUS_WORDS[0][0].split() == [mode.value for mode in MODE_ROUND]


def test_every_sign_is_explained() -> None:
    assert set(MARK_WORDS) == set(Mark)
    signs = {sign for section in sign_sections() for sign, _words in section.rows}
    assert set(STATE_SIGNS.values()) <= signs


def test_every_place_has_a_test_that_presses_all_its_keys_in_a_terminal() -> None:
    folder = Path(__file__).parents[2] / "e2e"
    tests = "".join(path.read_text("utf-8") for path in folder.glob("test_*.py"))
    # The frame's own are counted by the key map, in tests/e2e/test_keys.py.
    frame = {KeyPlace.APP.value, KeyPlace.SCREEN.value}
    titles = {section.title for section in all_sections() if section.names}
    assert [title for title in sorted(titles - frame) if f'"{title}"' not in tests] == []
