import stat
from pathlib import Path

import pytest

from caramelo_tui import __version__
from caramelo_tui.config.crash_report import (
    KEPT_REPORTS,
    MOST_CHARS,
    crash_text,
    write_crash_report,
)
from caramelo_tui.config.private_parts import HIDDEN


class FaultOfOurs(ValueError):
    """Stands for any fault."""


def fail(message: str) -> None:
    secret_local = "value-of-a-variable"
    raise FaultOfOurs(message) from KeyError(f"cause-{len(secret_local)}")


def failure(message: str) -> FaultOfOurs:
    with pytest.raises(FaultOfOurs) as caught:
        fail(message)
    return caught.value


def text_of(message: str, environment: dict[str, str] | None = None, home: str = "/home/u") -> str:
    return crash_text(failure(message), environment=environment or {}, home=Path(home), at="now")


def test_it_says_what_happened_where_and_on_what() -> None:
    text = text_of("it broke", {"TERM": "xterm"})
    assert f"Caramelo: {__version__}" in text
    assert "terminal: xterm" in text
    assert "textual 8" in text
    assert "FaultOfOurs: it broke" in text
    assert "KeyError: 'cause-19'" in text
    assert "in fail" in text


def test_values_of_variables_are_not_in_it() -> None:
    assert "value-of-a-variable" not in text_of("x").replace(
        'secret_local = "value-of-a-variable"', ""
    )


@pytest.mark.parametrize(
    "message",
    [
        "401 for plain-value-1234",
        "401 for plain-value-1234-longer",
        "key sk-ant-api03-abcdefghijkl refused",
        "token ghp_abcdefghijklmnop refused",
        "Authorization: Bearer abc.def",
    ],
)
def test_keys_are_hidden(message: str) -> None:
    environment = {"MY_API_KEY": "plain-value-1234", "OTHER_TOKEN": "plain-value-1234-longer"}
    text = text_of(message, environment)
    for part in ("plain-value", "abcdefghijkl", "abc.def", "longer"):
        assert part not in text
    assert HIDDEN in text


def test_the_home_folder_is_a_tilde() -> None:
    assert "~/project/x.py" in text_of("in /home/u/project/x.py")
    assert "in /etc/x" in text_of("in /etc/x", home="/")


def test_the_end_of_a_long_trace_is_kept() -> None:
    text = text_of("x" * MOST_CHARS + "THE-END")
    assert text.rstrip().endswith("THE-END")
    assert len(text) < MOST_CHARS + 2000


def test_the_file_is_private_and_old_ones_go(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(KEPT_REPORTS + 3):
        (folder / f"crash-20200101-0000{number:02}-1.txt").write_text("old")
    path = write_crash_report(folder, None, environment={}, home=Path("/home/u"))
    assert "unknown" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = sorted(folder.glob("crash-*"))
    assert len(kept) == KEPT_REPORTS
    assert kept[-1] == path


def test_the_report_of_now_stays_though_the_clock_has_gone_back(tmp_path: Path) -> None:
    for number in range(KEPT_REPORTS):
        (tmp_path / f"crash-20990101-0000{number:02}-1.txt").write_text("of a wrong clock")
    path = write_crash_report(tmp_path, None, environment={}, home=Path("/home/u"))
    assert path.exists()
    assert len(list(tmp_path.glob("crash-*"))) == KEPT_REPORTS


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        write_crash_report(tmp_path / "file" / "logs", None, environment={}, home=Path("/"))


def test_a_key_is_hidden_where_a_long_trace_is_cut() -> None:
    key = "plain-key-of-a-vendor"
    text = text_of(f"{key}{'x' * (MOST_CHARS - len(key) // 2 - 1)}", {"A_KEY": key})
    assert key[-8:] not in text


def test_what_is_printed_moves_no_cursor() -> None:
    assert "\x1b" not in text_of("\x1b[2J\x9b1m")
    assert "<U+001B>[2J" in text_of("\x1b[2J")
