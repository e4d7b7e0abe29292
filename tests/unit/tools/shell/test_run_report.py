"""Long output is shown from both ends, within its limit, and says what is missing."""

import pytest

from caramelo_tui.tools.shell.run_report import run_report
from caramelo_tui.tools.subprocesses import CapturedOutput, CommandResult

LIMIT = 65_536


def captured(data: bytes, limit: int, artifact: str | None) -> CapturedOutput:
    return CapturedOutput(
        head=data[:limit],
        total_bytes=len(data),
        artifact=artifact,
        tail=data[-(limit // 2) :],
    )


def report(
    stdout: bytes = b"",
    stderr: bytes = b"",
    *,
    exit_code: int = 0,
    is_timed_out: bool = False,
    limit: int = LIMIT,
    artifact: str | None = "0a1b.out",
) -> tuple[str, bool]:
    result = CommandResult(
        exit_code=exit_code,
        stdout=captured(stdout, limit, artifact),
        stderr=captured(stderr, limit, artifact),
        is_timed_out=is_timed_out,
        background_pids=(),
    )
    return run_report(result, timeout_s=7, grace_s=5.0, limit_bytes=limit)


def test_short_output_is_whole_under_its_headings() -> None:
    assert report(b"out\n", b"err", exit_code=3) == (
        "exit_code: 3\n--- stdout (4 bytes) ---\nout\n--- stderr (3 bytes) ---\nerr\n",
        False,
    )


def test_empty_streams_say_so() -> None:
    text, is_cut = report()

    assert text == "exit_code: 0\n--- stdout (empty) ---\n--- stderr (empty) ---\n"
    assert not is_cut


def test_time_limit_says_what_was_done() -> None:
    text, _ = report(exit_code=-9, is_timed_out=True)

    assert text.startswith(
        "exit_code: -9 (SIGKILL)\ntimed out: after 7 s the command was asked to end (SIGTERM); "
        "all that was left 5 s later was killed\n"
    )


def test_output_of_exactly_the_limit_is_whole() -> None:
    text, is_cut = report(b"x" * (LIMIT - 100), b"y" * 100)

    assert not is_cut
    assert "x" * (LIMIT - 100) in text
    assert "y" * 100 in text


def test_output_above_the_limit_shows_its_first_and_last_half() -> None:
    data = b"FIRST" + b"a" * 40_000 + b"\n" + b"b" * 40_000 + b"LAST\n"

    text, is_cut = report(data)

    half = LIMIT // 2
    shown_head = data[:half].decode()
    shown_tail = data[-half:].decode()
    assert is_cut
    assert text == (
        "exit_code: 0\n"
        f"--- stdout (first {half:,} and last {half:,} of {len(data):,} bytes) ---\n"
        f"{shown_head}\n"
        f"[{len(data) - LIMIT:,} bytes of stdout left out here; the whole output is kept as "
        "0a1b.out]\n"
        f"{shown_tail}"
        "--- stderr (empty) ---\n"
    )


def test_one_byte_above_the_limit_is_cut() -> None:
    text, is_cut = report(b"x" * (LIMIT + 1))

    assert is_cut
    assert "[1 bytes of stdout left out here" in text


@pytest.mark.parametrize(
    ("stdout", "stderr", "shown"),
    [
        (200_000, 100, (LIMIT - 100, 100)),
        (100, 200_000, (100, LIMIT - 100)),
        (200_000, 200_000, (LIMIT // 2, LIMIT // 2)),
        (40_000, 40_000, (LIMIT // 2, LIMIT // 2)),
    ],
)
def test_both_streams_share_the_limit(stdout: int, stderr: int, shown: tuple[int, int]) -> None:
    text, is_cut = report(b"x" * stdout, b"y" * stderr)

    assert is_cut
    # The headings hold no x and three of y ("bytes", "bytes of stderr") at most.
    assert text.count("x") - text.count("exit_code") == shown[0]
    assert abs(text.count("y") - shown[1]) <= 4


@pytest.mark.parametrize("character", ["ä", "€", "\U0001f36c"])
@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_cuts_fall_on_character_borders(character: str, shift: int) -> None:
    text, is_cut = report(("x" * shift + character * 60_000 + "z" * shift).encode())

    assert is_cut
    assert "\ufffd" not in text


def test_bytes_that_are_not_utf8_are_replaced_and_keep_the_limit() -> None:
    for size in (60_000, 65_536, 300_000):
        text, is_cut = report(b"\xff" * size)
        assert is_cut
        assert len(text.encode()) < LIMIT + 500
        assert f"of {size:,} bytes" in text
    assert "a\ufffdb\n" in report(b"a\xffb")[0]


def test_stray_continuation_bytes_at_the_cut_are_no_endless_character() -> None:
    text, _ = report(b"\x80" * 300_000)

    assert len(text.encode()) < LIMIT + 500


def test_output_beyond_what_is_kept_says_so() -> None:
    text, _ = report(b"x" * 11_000_000)

    assert "the first 10 MB of the output are kept as 0a1b.out" in text


def test_output_that_could_not_be_kept_names_no_file() -> None:
    text, _ = report(b"x" * 100_000, artifact=None)

    assert "they could not be kept" in text


def test_a_raised_limit_shows_more() -> None:
    data = b"x" * 2_000_000

    assert not report(data, limit=10_485_760)[1]
