"""Tell the model how a command ended.

Owns the text of a finished command: one line per fact, then a block per stream whose heading
gives its size, so that output which looks like a heading cannot be taken for one. Which part of
a long stream is shown differs between the profiles: here for ``bash``, in ``run_report`` for
``run_command``. Pure. Proven by tests/unit/tools/shell/test_command_report.py.
"""

import codecs
import signal

from caramelo_tui.tools.subprocesses import CapturedOutput, CommandResult

STREAM_BYTES = 10_240
"""10 KB of each stream go to the model."""


def command_report(result: CommandResult, *, timeout_ms: int) -> str:
    """Return the text of a finished command.

    Args:
        result: How it ended; its heads hold at least ``STREAM_BYTES`` where so much came.
        timeout_ms: The limit that was set, for the sentence about it.
    """
    killed = f"after {timeout_ms:,} ms the command and all that it started was killed"
    return (
        facts_text(result, at_time_limit=killed)
        + _block("stdout", result.stdout)
        + _block("stderr", result.stderr)
    )


def facts_text(result: CommandResult, *, at_time_limit: str) -> str:
    """Return one line per fact, above the streams.

    Args:
        result: How the command ended.
        at_time_limit: What is done at the time limit, in words.
    """
    lines = [f"exit_code: {exit_text(result.exit_code)}"]
    if result.is_timed_out:
        lines.append(f"timed out: {at_time_limit}")
    if result.background_pids:
        pids = ", ".join(str(pid) for pid in result.background_pids)
        lines.append(f"background: still running, until the session ends: pid {pids}")
    if result.artifact_problem:
        lines.append(f"note: the kept whole output is incomplete: {result.artifact_problem}")
    return "\n".join(lines) + "\n"


def stream_block(name: str, sizes: str, text: str) -> str:
    """Return a stream under its heading; ``sizes`` is what the heading says of it."""
    return f"--- {name} ({sizes}) ---\n{ended(text)}"


def ended(text: str) -> str:
    """Return ``text`` so that what follows begins a line."""
    return text if not text or text.endswith("\n") else text + "\n"


def exit_text(exit_code: int | None) -> str:
    """Return an exit code for people: ``0``, ``-9 (SIGKILL)``, ``none (…)``."""
    if exit_code is None:
        return "none (the process could not be ended)"
    if exit_code >= 0:
        return str(exit_code)
    try:
        return f"{exit_code} ({signal.Signals(-exit_code).name})"
    except ValueError:  # A real-time signal has a number only.
        return f"{exit_code} (signal {-exit_code})"


def is_cut(output: CapturedOutput) -> bool:
    """Whether a stream is longer than what the model gets."""
    return output.total_bytes > STREAM_BYTES


def _block(name: str, output: CapturedOutput) -> str:
    if not output.total_bytes:
        return stream_block(name, "empty", "")
    shown = output.head[:STREAM_BYTES]
    if is_cut(output):
        shown = whole_characters(shown)
        sizes = f"first {len(shown):,} of {output.total_bytes:,} bytes"
    else:
        sizes = f"{output.total_bytes:,} bytes"
    block = stream_block(name, sizes, shown.decode("utf-8", "replace"))
    if is_cut(output):
        block += (
            f"[{name} truncated: {len(shown):,} of {output.total_bytes:,} bytes shown; "
            "narrow the command, for example with grep or tail, to see the rest]\n"
        )
    return block


def whole_characters(data: bytes) -> bytes:
    """Return ``data`` without a UTF-8 character that its end cuts through."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(data)
    unfinished, _ = decoder.getstate()
    return data[: len(data) - len(unfinished)]
