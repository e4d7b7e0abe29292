"""The file of keys is read line by line; what is wrong stands beside what is right."""

from pathlib import Path

import pytest

from caramelo_tui.config.user_keys import read_key_wishes
from caramelo_tui.domain.key_wishes import KeyWish, KeyWishes


def read(folder: Path, text: str) -> KeyWishes:
    path = folder / "keys.toml"
    path.write_text(text, encoding="utf-8")
    return read_key_wishes(path)


def test_a_key_and_a_list_of_keys(tmp_path: Path) -> None:
    found = read(tmp_path, '[keys]\n"screen.help" = "f12"\nfiles.mention = ["+", "alt+m"]\n')
    assert found.problems == ()
    assert found.wishes == (
        KeyWish(action="screen.help", keys=("f12",), origin="keys.toml:2"),
        KeyWish(action="files.mention", keys=("+", "alt+m"), origin="keys.toml:3"),
    )


def test_no_file_is_no_wish(tmp_path: Path) -> None:
    assert read_key_wishes(tmp_path / "keys.toml") == KeyWishes()
    assert read(tmp_path, "[keys]\n") == KeyWishes()


@pytest.mark.parametrize("value", ["3", "[]", '["f1", 3]', '""', "true", str(["f1"] * 9)])
def test_what_is_no_key_is_named_with_its_line(tmp_path: Path, value: str) -> None:
    found = read(tmp_path, f'[keys]\n"screen.help" = {value}\n"screen.zoom" = "f1"\n')
    assert [wish.action for wish in found.wishes] == ["screen.zoom"]
    (problem,) = found.problems
    assert problem.startswith('keys.toml:2: keys."screen.help" must be a key')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[key]\n"screen.help" = "f1"\n', "only the table [keys] is known"),
        ("keys = 3\n", "must be a table"),
        ("[keys\n", "not valid TOML"),
    ],
)
def test_other_forms_are_problems(tmp_path: Path, text: str, words: str) -> None:
    found = read(tmp_path, text)
    assert found.wishes == ()
    assert words in found.problems[0]


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    assert "cannot be read" in read_key_wishes(tmp_path).problems[0]
