"""A text for a program is for the user's eyes only, and gone afterwards."""

import stat
from pathlib import Path

import pytest

from caramelo_tui.tools.git.private_text import private_text


def test_the_file_is_private_and_byte_faithful_and_goes() -> None:
    with private_text("é\nx") as path:
        file = Path(path)
        assert file.read_bytes() == "é\nx".encode()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert not file.parent.exists()


def test_it_goes_when_the_block_fails() -> None:
    with pytest.raises(ValueError, match="x"), private_text("t") as path:
        raise ValueError("x")
    assert not Path(path).exists()
