"""Vital places and devices are known by their text."""

import pytest

from caramelo_tui.policy.places import (
    absolute,
    is_block_device,
    is_device,
    is_disk_root,
    is_free_to_write,
    is_vital,
    workspace_path,
)
from caramelo_tui.policy.shell_parts import Surroundings
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field
from tests.doubles.policy_calls import HOME, ROOT, SURROUNDINGS


def glob(text: str) -> Field:
    return Field(text, has_glob=True)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/", "/"),
        ("//", "/"),
        ("/..", "/"),
        ("a/../b", f"{ROOT}/b"),
        ("..", "/home/u/p"),
        ("", None),
        (f"{UNKNOWN}/x", None),
    ],
)
def test_paths_are_made_absolute_by_text(text: str, path: str | None) -> None:
    assert absolute(Field(text), ROOT) == path


def test_a_relative_path_in_an_unknown_folder_is_unknown() -> None:
    assert absolute(Field("x"), None) is None
    assert absolute(Field("/x"), None) == "/x"
    assert not is_vital(Field(".."), None, SURROUNDINGS)
    assert not is_disk_root(Field(".."), None)


@pytest.mark.parametrize(
    "target",
    [
        Field("/"), Field("/home"), Field("/HOME/U"), Field("/home/u"), Field(".."), glob("/*"),
        glob("/home/*"), glob("/home/u/.*"), glob("/?*"), glob("/h*"), glob("/*/*"),
        glob("/[a-z]*"),
    ],
)  # fmt: skip
def test_vital_folders_are_vital(target: Field) -> None:
    assert is_vital(target, ROOT, SURROUNDINGS)


@pytest.mark.parametrize(
    "target",
    [
        Field("."), Field("build"), Field("/home/u/other"), Field("/home/u/*"), Field("/usr"),
        glob("*"), glob("/tmp*"), glob("build/*"), glob("/home/u/x*"),
    ],
)  # fmt: skip
def test_other_folders_are_not(target: Field) -> None:
    assert not is_vital(target, ROOT, SURROUNDINGS)


def test_the_root_of_the_disk_and_all_in_it() -> None:
    assert is_disk_root(Field("//"), ROOT)
    assert is_disk_root(glob("/*"), ROOT)
    assert is_disk_root(Field("../../../.."), ROOT)
    assert not is_disk_root(glob("/u*"), ROOT)
    assert not is_disk_root(Field("/*"), ROOT)


def test_devices() -> None:
    assert is_block_device("/dev/sda1")
    assert is_block_device("/dev/disk/by-id/x")
    assert not is_block_device("/dev/null")
    assert is_device("/dev/sda")
    assert is_device("/dev/unheard-of")
    assert not is_device("/dev/null")
    assert not is_device("/dev/fd/3")
    assert not is_device("/etc/x")


def test_the_border_of_the_workspace() -> None:
    assert workspace_path(ROOT, SURROUNDINGS) == "."
    assert workspace_path(f"{ROOT}/a/b", SURROUNDINGS) == "a/b"
    assert workspace_path(f"{ROOT}2/a", SURROUNDINGS) is None
    assert is_free_to_write("/tmp/x", SURROUNDINGS)
    assert is_free_to_write("/dev/null", SURROUNDINGS)
    assert not is_free_to_write("/dev/sda", SURROUNDINGS)
    assert not is_free_to_write("/etc/x", SURROUNDINGS)


def test_a_workspace_below_the_temporary_folder_is_not_free_to_write() -> None:
    surroundings = Surroundings(root="/tmp/demo", home=HOME)
    assert not is_free_to_write("/tmp/demo/a", surroundings)
    assert not is_free_to_write("/tmp/demo", surroundings)
    assert is_free_to_write("/tmp/demo2", surroundings)
