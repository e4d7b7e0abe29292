"""Which spellings of a path are refused before any look at the disk."""

import pytest

from caramelo_tui.domain.errors import PathRefused
from caramelo_tui.workspace.path_forms import checked_form, names_a_folder, plain_spelling


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("", "empty"),
        ("in.txt\0.png", "NUL"),
        ("~", "not expanded"),
        ("~/.ssh/id_ed25519", "not expanded"),
        ("~root/x", "not expanded"),
        ("C:\\x", "drive"),
        ("c:x", "drive"),
        ("//server/share", "UNC"),
        ("\\\\server\\share", "UNC"),
        ("/etc/passwd", "absolute"),
        ("file:///etc/passwd", "URL"),
        ("a\ud800b", "no file name"),
    ],
)
def test_refused_forms_give_their_reason(asked: str, reason: str) -> None:
    with pytest.raises(PathRefused, match=reason):
        checked_form(asked, allows_absolute=False)


@pytest.mark.parametrize("asked", ["~", "C:\\x", "//server/share", "\\\\s\\s"])
def test_allowing_absolute_paths_allows_nothing_else(asked: str) -> None:
    with pytest.raises(PathRefused):
        checked_form(asked, allows_absolute=True)
    assert checked_form("/a", allows_absolute=True) == "/a"


@pytest.mark.parametrize("asked", ["a:b/c", "./c:x", "a~", "a\\b", "-rf", " ", "a\nb", "*"])
def test_ordinary_names_pass_unchanged(asked: str) -> None:
    if asked == "a:b/c":
        with pytest.raises(PathRefused):
            checked_form(asked, allows_absolute=False)
        asked = f"./{asked}"
    assert checked_form(asked, allows_absolute=False) == asked


def test_the_text_names_the_argument_and_shows_nul_as_an_escape() -> None:
    with pytest.raises(PathRefused, match=r"in\\x00"):
        checked_form("in\0", allows_absolute=False)
    with pytest.raises(PathRefused, match=r"^~/x:"):
        checked_form("~/x", allows_absolute=False)


def test_folder_spellings() -> None:
    assert all(map(names_a_folder, ["a/", "a/.", "..", ".", ""]))
    assert not any(map(names_a_folder, ["a", "a/b", ".hidden", "..."]))


def test_plain_spelling_drops_dots_and_gives_up_at_dot_dot() -> None:
    assert plain_spelling("././/a//b/") == "a/b"
    assert plain_spelling("./") == "."
    assert plain_spelling("a/../b") is None


@pytest.mark.parametrize("asked", ["y" * 10_000_000, "a/../" * 1_000, "é" * 2_049])
def test_a_path_longer_than_any_is_refused_in_few_words(asked: str) -> None:
    with pytest.raises(PathRefused, match="the path is too long") as caught:
        checked_form(asked, allows_absolute=True)
    assert len(str(caught.value)) < 300
