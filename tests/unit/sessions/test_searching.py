"""The search over what was said in stored sessions."""

from pathlib import Path

from caramelo_tui.sessions.catalogue import list_sessions
from caramelo_tui.sessions.searching import search_sessions
from tests.doubles.stored_sessions import Told, write_session


def found(folder: Path, words: str) -> dict[str, str]:
    hits = search_sessions(folder, list_sessions(folder), words)
    return {hit.id: hit.excerpt for hit in hits}


def test_prompts_and_answers_are_searched(tmp_path: Path) -> None:
    write_session(tmp_path, Told("one").exchange("mend the Parser", "it is done"))
    write_session(tmp_path, Told("two").exchange("hello", "the parser is fine"))
    write_session(tmp_path, Told("three").exchange("hello", "nothing"))
    assert found(tmp_path, "parser") == {"one": "mend the Parser", "two": "the parser is fine"}


def test_all_words_must_be_in_one_text(tmp_path: Path) -> None:
    write_session(tmp_path, Told().exchange("red apples", "green pears"))
    assert found(tmp_path, "apples RED")
    assert not found(tmp_path, "red pears")


def test_nothing_finds_everything(tmp_path: Path) -> None:
    write_session(tmp_path, Told().exchange("a", "b"))
    assert found(tmp_path, "  ") == {"s-1": ""}


def test_a_long_text_is_cut_around_the_word(tmp_path: Path) -> None:
    write_session(tmp_path, Told().exchange("x " * 100 + "needle" + " y" * 100, "b"))
    excerpt = found(tmp_path, "needle")["s-1"]
    assert excerpt.startswith("…x")
    assert excerpt.endswith("y…")
    assert len(excerpt) < 100


def test_a_damaged_line_is_passed_over(tmp_path: Path) -> None:
    broken = ('{"type":"RunStarted","prompt":"needle', '{"type":"RunStarted","prompt":"needle"}')
    write_session(tmp_path, Told().exchange("a needle", "b"), more=broken)
    assert found(tmp_path, "needle") == {"s-1": "a needle"}


def test_a_session_that_went_away_meanwhile_is_not_found(tmp_path: Path) -> None:
    path = write_session(tmp_path, Told().exchange("a", "b"))
    sessions = list_sessions(tmp_path)
    path.unlink()
    assert search_sessions(tmp_path, sessions, "a") == ()
