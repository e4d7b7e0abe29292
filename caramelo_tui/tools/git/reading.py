"""Prepare reading git calls and word what they share.

Owns the prepared form of a cacheable git read and the notes below an answer. Proven by the tests
of the tools that use it, tests/unit/tools/git/test_git_status.py first.
"""

import asyncio
from collections.abc import Iterable, Mapping

from caramelo_tui.domain.tool_calls import CacheScope, Effect, JsonValue, PreparedCall, ToolCall
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.git.program import GitProgram
from caramelo_tui.tools.output_limits import RESULT_LIMIT_BYTES, cut_utf8

NOTES_BYTES = 16_384
"""Kept free for the notes below an answer."""
BODY_BYTES = RESULT_LIMIT_BYTES - NOTES_BYTES


async def prepared_read(
    git: GitProgram, call: ToolCall, arguments: Mapping[str, JsonValue], summary: str
) -> PreparedCall:
    """Return a read whose answer depends on the workspace and its repository."""
    return PreparedCall(
        call=call,
        arguments=arguments,
        effect=Effect.READ,
        summary=summary,
        paths=(".",),
        is_cacheable=await asyncio.to_thread(git.outside.allows_keeping),
        cache_scope=CacheScope.GIT,
    )


def cut_lines(data: bytes, total_bytes: int, limit_bytes: int) -> tuple[str, int]:
    """Return as many whole lines as fit and how many bytes are missing.

    Args:
        data: The start of the output.
        total_bytes: Bytes of the whole output.
        limit_bytes: Limit of the returned text.
    """
    if total_bytes > limit_bytes:
        # A single line longer than all that fits is cut at a character.
        end = data.rfind(b"\n", 0, limit_bytes) + 1
        data = data[:end] if end else cut_utf8(data, limit_bytes)[0]
    return data.decode("utf-8", "replace"), total_bytes - len(data)


def with_notes(body: str, notes: Iterable[str], *, is_truncated: bool = False) -> ToolOutput:
    """Return an answer: the body, an empty line, then each note in brackets."""
    lines = [f"[{note}]" for note in notes if note]
    if not lines:
        return ToolOutput(text=body, is_truncated=is_truncated)
    text = f"{body.rstrip(chr(10))}\n\n" if body else ""
    return ToolOutput(text=text + "\n".join(lines) + "\n", is_truncated=is_truncated)
