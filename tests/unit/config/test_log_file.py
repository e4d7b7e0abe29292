"""The log is bounded, private, one JSON object a line, and never in the way."""

import json
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from caramelo_tui.config.log_file import LOG_NAME, MAX_BYTES, log_path, start_logging
from tests.doubles.logs import logging_as_before


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with logging_as_before():
        yield


LOG = logging.getLogger("caramelo_tui.some.module")


def lines(folder: Path) -> list[dict[str, object]]:
    text = (folder / LOG_NAME).read_text(encoding="ascii")
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_is_one_json_object(tmp_path: Path) -> None:
    start_logging(tmp_path / "logs", is_debug=False)
    LOG.warning("%s is gone", "a.txt")
    LOG.error("it failed", exc_info=ValueError("why"))
    first, second = lines(tmp_path / "logs")
    assert (first["level"], first["logger"]) == ("warning", "caramelo_tui.some.module")
    assert first["message"] == "a.txt is gone"
    assert isinstance(first["at"], float)
    assert "ValueError: why" in str(second["trace"])


def test_outside_text_can_neither_forge_a_line_nor_reach_a_terminal_raw(tmp_path: Path) -> None:
    start_logging(tmp_path, is_debug=False)
    LOG.warning('x\n{"level": "forged"}\r\x1b[2J\u2028\u202e\udcff')
    raw = (tmp_path / LOG_NAME).read_bytes()
    assert raw.count(b"\n") == 1
    assert raw.isascii()
    assert b"\x1b" not in raw
    assert "\x1b[2J" in str(lines(tmp_path)[0]["message"])


def test_debug_lines_are_kept_when_asked_for(tmp_path: Path) -> None:
    start_logging(tmp_path, is_debug=False)
    LOG.debug("small")
    LOG.info("small")
    assert not (tmp_path / LOG_NAME).exists()
    start_logging(tmp_path, is_debug=True)
    LOG.debug("small")
    assert [line["level"] for line in lines(tmp_path)] == ["debug"]


def test_libraries_reach_neither_the_log_nor_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # As in the program: there is no handler of the test's own.
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    start_logging(tmp_path, is_debug=True)
    logging.getLogger("httpx2").debug("Authorization: secret")
    logging.getLogger("anthropic").warning("loud")
    logging.getLogger("asyncio").error("a task failed")
    assert [line["message"] for line in lines(tmp_path)] == ["a task failed"]
    assert capfd.readouterr() == ("", "")


def test_file_and_folder_are_private_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        start_logging(tmp_path / "state" / "logs", is_debug=False)
        for _ in range(MAX_BYTES // 8000 + 10):
            LOG.warning("x" * 8000)
    finally:
        os.umask(old)
    folder = tmp_path / "state" / "logs"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert {entry.name for entry in folder.iterdir()} == {LOG_NAME, f"{LOG_NAME}.1"}
    assert {stat.S_IMODE(entry.stat().st_mode) for entry in folder.iterdir()} == {0o600}


def test_the_log_is_bounded_in_size_and_so_is_each_line(tmp_path: Path) -> None:
    start_logging(tmp_path, is_debug=False)
    for _ in range(3 * MAX_BYTES // 8000):
        LOG.warning("x" * 1_000_000)
    sizes = [entry.stat().st_size for entry in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= MAX_BYTES
    assert str(lines(tmp_path)[0]["message"]).endswith("… (cut)")


def test_a_folder_that_cannot_be_written_costs_the_log_only(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "logs").write_text("a file, no folder")
    start_logging(tmp_path / "logs", is_debug=False)
    LOG.error("one")
    LOG.error("two")
    assert capfd.readouterr() == ("", "")
    (tmp_path / "logs").unlink()
    LOG.error("three")
    assert [line["message"] for line in lines(tmp_path / "logs")] == ["three"]


def test_the_place_is_known_once_logging_has_started(tmp_path: Path) -> None:
    assert not log_path()
    start_logging(tmp_path, is_debug=False)
    assert log_path() == str(tmp_path / LOG_NAME)
