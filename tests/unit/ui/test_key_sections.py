"""Help and docs name every key and every sign."""

from pathlib import Path

from caramelo_tui.ui.formatting import STATE_SIGNS
from caramelo_tui.ui.key_sections import all_sections, keys_page, sign_sections
from caramelo_tui.ui.keymap import KEYS
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


def test_every_sign_is_explained() -> None:
    assert set(MARK_WORDS) == set(Mark)
    signs = {sign for section in sign_sections() for sign, _words in section.rows}
    assert set(STATE_SIGNS.values()) <= signs
