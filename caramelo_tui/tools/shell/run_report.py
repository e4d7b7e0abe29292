"""Tell the model how a command of ``run_command`` ended.

Owns which part of a long output is shown: all of it up to a limit for both streams together,
above that the start and the end of what is too long, with the size of what lies between and the
name of the file that holds it. Pure. Proven by tests/unit/tools/shell/test_run_report.py.
"""

from caramelo_tui.tools.output_capture import ARTIFACT_BYTES
from caramelo_tui.tools.shell.command_report import (
    ended,
    facts_text,
    stream_block,
    whole_characters,
)
from caramelo_tui.tools.subprocesses import CapturedOutput, CommandResult

_REPLACEMENT_BYTES = 3
"""A byte that is not UTF-8 is shown as U+FFFD, which has three."""
_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80
"""A UTF-8 byte that does not start a character is ``10xxxxxx``."""


def run_report(
    result: CommandResult, *, timeout_s: int, grace_s: float, limit_bytes: int
) -> tuple[str, bool]:
    """Return the text of a finished command, and whether something of its output was left out.

    Args:
        result: How it ended. Each stream's head has its first ``limit_bytes`` bytes, its tail
            the last half of that.
        timeout_s: The limit that was set, in seconds.
        grace_s: Seconds between SIGTERM and SIGKILL.
        limit_bytes: Bytes of both streams together that are shown, in UTF-8.
    """
    asked = (
        f"after {timeout_s:,} s the command was asked to end (SIGTERM); all that was left "
        f"{grace_s:g} s later was killed"
    )
    text = facts_text(result, at_time_limit=asked)
    is_cut = False
    streams = (("stdout", result.stdout), ("stderr", result.stderr))
    shares = _shares(result.stdout.total_bytes, result.stderr.total_bytes, limit_bytes)
    for (name, output), share in zip(streams, shares, strict=True):
        whole = output.head[: output.total_bytes].decode("utf-8", "replace")
        if output.total_bytes <= share and len(whole.encode()) <= share:
            sizes = f"{output.total_bytes:,} bytes" if output.total_bytes else "empty"
            text += stream_block(name, sizes, whole)
        else:
            text += _cut_block(name, output, share, _kept_in_words(result))
            is_cut = True
    return text, is_cut


def _shares(stdout_bytes: int, stderr_bytes: int, limit_bytes: int) -> tuple[int, int]:
    """Return how much of each stream may be shown; a short one leaves its rest to the other."""
    half = limit_bytes // 2
    if stderr_bytes <= half:
        return limit_bytes - stderr_bytes, stderr_bytes
    if stdout_bytes <= half:
        return stdout_bytes, limit_bytes - stdout_bytes
    return half, half


def _cut_block(name: str, output: CapturedOutput, share: int, kept: str) -> str:
    head = _first(output.head, share // 2)
    tail = _last(output.tail, min(share // 2, output.total_bytes - len(head)))
    missing = output.total_bytes - len(head) - len(tail)
    sizes = f"first {len(head):,} and last {len(tail):,} of {output.total_bytes:,} bytes"
    return (
        stream_block(name, sizes, head.decode("utf-8", "replace"))
        + f"[{missing:,} bytes of {name} left out here; {kept}]\n"
        + ended(tail.decode("utf-8", "replace"))
    )


def _kept_in_words(result: CommandResult) -> str:
    if result.stdout.artifact is None:
        return "they could not be kept"
    total = result.stdout.total_bytes + result.stderr.total_bytes
    if total <= ARTIFACT_BYTES:
        return f"the whole output is kept as {result.stdout.artifact}"
    return (
        f"the first {ARTIFACT_BYTES // 1_048_576} MB of the output are kept as "
        f"{result.stdout.artifact}"
    )


def _first(data: bytes, room: int) -> bytes:
    """Return the start of ``data``, whole characters, that is shown in ``room`` bytes."""
    start = whole_characters(data[:room])
    if _shown_bytes(start) <= room:
        return start
    return whole_characters(data[: room // _REPLACEMENT_BYTES])


def _last(data: bytes, room: int) -> bytes:
    """Return the end of ``data``, whole characters, that is shown in ``room`` bytes."""
    end = _from_character(data[len(data) - min(room, len(data)) :])
    if _shown_bytes(end) <= room:
        return end
    return _from_character(data[len(data) - room // _REPLACEMENT_BYTES :])


def _from_character(data: bytes) -> bytes:
    """Return ``data`` without the rest of a character that its start cuts through."""
    skipped = 0
    # A character has at most three bytes of continuation; more of them are no character.
    while skipped < min(3, len(data)) and data[skipped] & _CONTINUATION_MASK == _CONTINUATION:
        skipped += 1
    return data[skipped:]


def _shown_bytes(data: bytes) -> int:
    return len(data.decode("utf-8", "replace").encode())
