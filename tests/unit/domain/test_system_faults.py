"""What the system refused is said with what to do about it."""

import errno
import os

import pytest

from caramelo_tui.domain.system_faults import reason_of


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "who may write"),
        (errno.EIO, "disk fails"),
        (errno.EMFILE, "ulimit -n"),
        (errno.ENFILE, "close other programs"),
        (errno.ESTALE, "connect it again"),
    ],
)
def test_an_error_of_the_system_comes_with_advice(number: int, advice: str) -> None:
    said = reason_of(OSError(number, os.strerror(number)))
    assert said.startswith(os.strerror(number))
    assert advice in said


def test_what_no_advice_helps_is_said_as_it_is() -> None:
    assert reason_of(OSError(errno.ENOENT, "No such file")) == "No such file"
    assert reason_of(OSError("odd")) == "odd"
