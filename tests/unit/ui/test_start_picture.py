from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.config.locations import Locations
from caramelo_tui.ui.start_picture import Field, Picture, picture_path, read, written

ROWS = ["\x1b[1;38;5;7m 1 Files \x1b[0m", "", "╭──╮ é"]
PICTURE = Picture(80, Field(22, 3, 76, "38;5;7"), ROWS)
USER = {"HOME": "/home/u", "TERM": "xterm", "OPENAI_API_KEY": "sk-1"}


def test_what_was_written_is_read(tmp_path: Path) -> None:
    assert read(written(PICTURE, [str(tmp_path), str(tmp_path / "none")])) == PICTURE


def test_a_picture_does_not_outlive_what_it_was_drawn_from(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    text = written(PICTURE, [str(settings)])
    settings.write_text("theme = 'light'\n")
    assert read(text) is None
    text = written(PICTURE, [str(settings)])
    settings.write_text("theme = 'a longer name'\n")
    assert read(text) is None


@pytest.mark.parametrize(
    "row",
    [
        "\x1b]2;title\a",
        "\x1b[2J",
        "\x1b[?1049l",
        "\x1b[6n",
        "\x1bc",
        "a\rb",
        "a\x07",
        "\x9b2J",
        "\x1b[38;5",
        "\x1b[1m\x1b",
        "\u202e",
    ],
)
def test_rows_hold_nothing_but_text_and_colours(row: str) -> None:
    assert read(written(PICTURE._replace(rows=[row]), [])) is None


@pytest.mark.parametrize(
    "head",
    [
        "",
        "caramelo frame 1",
        "another 1\n80 22 3 76 0",
        "caramelo frame 1\n80 22 3 76",
        "caramelo frame 1\n80 22 3 -1 0",
        "caramelo frame 1\n80 22 3 76 0m\x1b[2J",
        "caramelo frame 1\n80 22 3 76 0 1",
    ],
)
def test_another_head_is_no_picture(head: str) -> None:
    assert read(f"{head}\n\nrow") is None


@given(st.text())
def test_no_text_is_an_error(text: str) -> None:
    assert read(text) is None
    read(f"caramelo frame 1\n{text}\n\n{text}")


@given(st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF)), max_size=3))
def test_printable_rows_come_back(texts: list[str]) -> None:
    rows = [text for text in texts if text.isprintable()] or [""]
    picture = PICTURE._replace(rows=rows)
    assert read(written(picture, [])) == picture


@pytest.mark.parametrize(
    "variables",
    [
        {"HOME": "/home/u"},
        {"HOME": "/home/u", "XDG_STATE_HOME": "/elsewhere"},
        {"HOME": "/home/u", "XDG_STATE_HOME": "relative"},
        {"HOME": "/home/u", "CARAMELO_HOME": "/own"},
    ],
)
def test_pictures_lie_among_the_programs_own_files(variables: dict[str, str]) -> None:
    folder = Path(picture_path([], variables)).parent
    assert folder == Locations.from_environment(variables).state / "frames"


def test_what_decides_how_a_start_goes_is_in_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = picture_path([], USER)
    others = [
        picture_path(["--model", "m"], USER),
        picture_path([], {**USER, "TERM": "dumb"}),
        picture_path([], {**USER, "CARAMELO_THEME": "light"}),
        picture_path([], {key: text for key, text in USER.items() if key != "OPENAI_API_KEY"}),
    ]
    monkeypatch.chdir(tmp_path)
    assert len({base, *others, picture_path([], USER)}) == len(others) + 2


def test_a_keys_value_is_in_no_name() -> None:
    assert picture_path([], USER) == picture_path([], {**USER, "OPENAI_API_KEY": "sk-2"})


def test_without_a_home_nothing_is_kept() -> None:
    assert picture_path([], {}) == ""
    assert picture_path([], {"CARAMELO_HOME": "relative"}) == ""


def test_a_folder_that_is_gone_has_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert picture_path([], USER) == ""
