"""Whatever a command writes: the limit holds, nothing is shown twice, the sizes add up."""

import re

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.shell.run_report import run_report
from caramelo_tui.tools.subprocesses import CapturedOutput, CommandResult

_CUT = re.compile(r"\(first ([\d,]+) and last ([\d,]+) of ([\d,]+) bytes\)")
_LEFT_OUT = re.compile(r"\[([\d,]+) bytes of (?:stdout|stderr) left out here;")
_HEADINGS_BYTES = 400
"""Facts, headings and notes of both streams together are shorter."""

pieces = st.sampled_from(
    [b"a", b"line\n", "é".encode(), "€".encode(), "\U0001f36c".encode(), b"\xff", b"\x80", b"\xe2"]
)
streams = st.lists(st.tuples(pieces, st.integers(1, 60)), max_size=12).map(
    lambda parts: b"".join(piece * times for piece, times in parts)
)


def captured(data: bytes, limit: int) -> CapturedOutput:
    return CapturedOutput(
        head=data[:limit], total_bytes=len(data), artifact="x.out", tail=data[-(limit // 2) :]
    )


@given(streams, streams, st.integers(64, 400))
def test_the_limit_holds_and_the_sizes_add_up(stdout: bytes, stderr: bytes, limit: int) -> None:
    result = CommandResult(
        exit_code=0,
        stdout=captured(stdout, limit),
        stderr=captured(stderr, limit),
        is_timed_out=False,
        background_pids=(),
    )
    text, is_cut = run_report(result, timeout_s=1, grace_s=5.0, limit_bytes=limit)

    assert len(text.encode()) <= limit + _HEADINGS_BYTES
    cuts = [[int(number.replace(",", "")) for number in cut] for cut in _CUT.findall(text)]
    missing = [int(number.replace(",", "")) for number in _LEFT_OUT.findall(text)]
    assert is_cut is bool(cuts)
    for (first, last, total), left_out in zip(cuts, missing, strict=True):
        assert first + last + left_out == total
        assert left_out >= 0
    if not is_cut:
        assert stdout.decode("utf-8", "replace") in text
        assert stderr.decode("utf-8", "replace") in text
    elif len(stdout) + len(stderr) <= limit:
        # Only what grows by being replaced can be too long then.
        assert "\ufffd" in (stdout + stderr).decode("utf-8", "replace")
