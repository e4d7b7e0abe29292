"""The model reads how a command ended."""

import signal

import pytest

from caramelo_tui.tools.shell.command_report import STREAM_BYTES, command_report, exit_text
from caramelo_tui.tools.subprocesses import CapturedOutput, CommandResult
from tests.doubles.processes import parse_report


def captured(data: bytes, *, total: int | None = None) -> CapturedOutput:
    return CapturedOutput(
        head=data[:STREAM_BYTES],
        total_bytes=len(data) if total is None else total,
        artifact=None,
    )


def report(
    stdout: bytes = b"",
    stderr: bytes = b"",
    *,
    exit_code: int | None = 0,
    is_timed_out: bool = False,
    background_pids: tuple[int, ...] = (),
    artifact_problem: str = "",
) -> str:
    result = CommandResult(
        exit_code=exit_code,
        stdout=captured(stdout),
        stderr=captured(stderr),
        is_timed_out=is_timed_out,
        background_pids=background_pids,
        artifact_problem=artifact_problem,
    )
    return command_report(result, timeout_ms=30_000)


def test_a_report_has_the_status_and_both_streams() -> None:
    assert report(b"out\n", b"err", exit_code=3) == (
        "exit_code: 3\n--- stdout (4 bytes) ---\nout\n--- stderr (3 bytes) ---\nerr\n"
    )


def test_empty_streams_say_so() -> None:
    assert report() == "exit_code: 0\n--- stdout (empty) ---\n--- stderr (empty) ---\n"


def test_a_long_stream_is_cut_marked_and_its_size_told() -> None:
    text = report(b"123456789\n" * 1_100)

    assert "--- stdout (first 10,240 of 11,000 bytes) ---" in text
    assert "[stdout truncated: 10,240 of 11,000 bytes shown;" in text
    assert parse_report(text).stdout == "123456789\n" * 1_024


@pytest.mark.parametrize("character", ["\u00e4", "\u20ac", "\U0001f36c"])
@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_a_cut_falls_on_a_character_border(character: str, shift: int) -> None:
    whole = "x" * shift + character * 6_000
    shown = parse_report(report(whole.encode())).stdout

    assert "\ufffd" not in shown
    assert whole.startswith(shown)
    assert STREAM_BYTES - 3 <= len(shown.encode()) <= STREAM_BYTES


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    assert "a\ufffd\ufffdb\n" in report(b"a\xff\xfeb\n")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (0, "0"),
        (1, "1"),
        (-9, "-9 (SIGKILL)"),
        (-15, "-15 (SIGTERM)"),
        (None, "none (the process could not be ended)"),
        (-(signal.SIGRTMIN + 2), f"-{signal.SIGRTMIN + 2} (signal {signal.SIGRTMIN + 2})"),
    ],
)
def test_signals_have_names(code: int | None, text: str) -> None:
    assert exit_text(code) == text


def test_a_time_limit_a_background_process_and_a_full_disk_are_told() -> None:
    text = report(
        exit_code=-9,
        is_timed_out=True,
        background_pids=(7, 8),
        artifact_problem="No space left on device",
    )

    assert "timed out: after 30,000 ms" in text
    assert "background: still running, until the session ends: pid 7, 8" in text
    assert "the kept whole output is incomplete: No space left on device" in text


def test_output_that_looks_like_a_heading_is_read_right() -> None:
    tricky = b"--- stderr (4 bytes) ---\nnope\n"

    read = parse_report(report(tricky, b"real\n"))
    assert (read.stdout.encode(), read.stderr) == (tricky, "real\n")
