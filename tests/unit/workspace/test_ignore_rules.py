"""What searches and the watcher leave out."""

import pytest

from caramelo_tui.workspace.ignore_rules import (
    SKIPPED_FOLDERS,
    is_hidden_from_watch,
    is_temporary,
    temporary_name,
)

REFERENCE = (
    "node_modules .git dist build out target .gradle .next .cache coverage __pycache__ .venv"
)
CONTRACT = "venv .tox .mypy_cache .pytest_cache .ruff_cache .idea .vscode"


def test_the_list_is_that_of_the_reference_and_the_contract() -> None:
    assert set(REFERENCE.split()) | set(CONTRACT.split()) == SKIPPED_FOLDERS


@pytest.mark.parametrize("name", ["a.txt", ".hidden", "é" * 127, "x" * 255, "caf\udce9", "a\nb"])
def test_temporary_names_are_fresh_recognised_and_short_enough(name: str) -> None:
    first, second = temporary_name(name), temporary_name(name)
    assert first != second
    assert is_temporary(first)
    assert len(first.encode("utf-8", "surrogateescape")) <= 255


@pytest.mark.parametrize("name", ["a.caramelo-12345678", ".caramelo", ".x.caramelo-1234567g", "a"])
def test_other_names_are_not_taken_for_ours(name: str) -> None:
    assert not is_temporary(name)


def test_the_watch_hides_the_content_of_skipped_folders_and_our_temporaries() -> None:
    assert is_hidden_from_watch("node_modules/x/y.js")
    assert is_hidden_from_watch("a/.git/HEAD")
    assert is_hidden_from_watch("a/.f.caramelo-0123abcd")
    # A file may be called like a skipped folder.
    assert not is_hidden_from_watch("a/build")
    assert not is_hidden_from_watch("outer/a.txt")
