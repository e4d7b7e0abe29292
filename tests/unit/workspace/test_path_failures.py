"""Errors of the operating system in words."""

import errno
import os
import stat

import pytest

from caramelo_tui.domain.errors import PathRefused, ToolFailure
from caramelo_tui.workspace.path_failures import (
    MissingPath,
    NotAFolder,
    errors_as_failures,
    failure_of,
    kind_in_words,
)


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOENT, MissingPath, "a/b does not exist"),
        (errno.ENOTDIR, NotAFolder, "a/b: a part of the path is not a folder"),
        (errno.EISDIR, ToolFailure, "a/b is a folder"),
        (errno.ELOOP, PathRefused, "a/b: it became a link"),
        (errno.ENAMETOOLONG, PathRefused, "a/b: the path is too long"),
        (errno.ENOSPC, ToolFailure, "a/b: No space left"),
        (errno.EACCES, ToolFailure, "a/b: Permission denied"),
    ],
)
def test_each_cause_has_its_words(number: int, kind: type[ToolFailure], words: str) -> None:
    failure = failure_of(OSError(number, os.strerror(number)), "a/b")
    assert isinstance(failure, kind)
    assert words in str(failure)


def test_an_error_without_words_keeps_its_text() -> None:
    assert "odd" in str(failure_of(OSError("odd"), "a"))


def test_errors_become_failures_with_their_cause_kept() -> None:
    with pytest.raises(MissingPath) as caught, errors_as_failures("a"):
        raise FileNotFoundError(errno.ENOENT, "gone")
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_kinds_have_names() -> None:
    assert kind_in_words(stat.S_IFBLK) == "a device"
    assert kind_in_words(0) == "of an unknown kind"
