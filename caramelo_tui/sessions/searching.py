"""Find the sessions in which something was said.

Owns the search over prompts and answers, and the words around what was found. Reads whole files,
a line at a time, and only the lines of prompts and answers as JSON. Proven by
tests/unit/sessions/test_searching.py.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from caramelo_tui.domain.agent_events import AssistantReplied, PromptSteered, RunStarted
from caramelo_tui.domain.sessions import SessionSummary
from caramelo_tui.sessions.catalogue import SUFFIX
from caramelo_tui.sessions.codec import decode_event
from caramelo_tui.sessions.json_shapes import ShapeError, object_of
from caramelo_tui.sessions.lines import stored_lines

AROUND_CHARACTERS = 40
"""Text on each side of a word that was found."""

_SPOKEN = (b'{"type":"RunStarted"', b'{"type":"PromptSteered"', b'{"type":"AssistantReplied"')


def search_sessions(
    folder: Path, sessions: Iterable[SessionSummary], words: str
) -> tuple[SessionSummary, ...]:
    """Return the sessions in which one prompt or answer holds all words, in their order. Blocks.

    Args:
        folder: Of the workspace's sessions.
        sessions: What is searched.
        words: Divided by blanks; case does not count. Nothing finds everything.
    """
    wanted = words.casefold().split()
    if not wanted:
        return tuple(sessions)
    found: list[SessionSummary] = []
    for session in sessions:
        excerpt = _excerpt(folder / f"{session.id}{SUFFIX}", wanted)
        if excerpt:
            found.append(replace(session, excerpt=excerpt))
    return tuple(found)


def _excerpt(path: Path, wanted: Sequence[str]) -> str:
    try:
        with path.open("rb") as file:
            for text in _spoken(stored_lines(file)):
                folded = text.casefold()
                if all(word in folded for word in wanted):
                    return _around(text, folded.find(wanted[0]), len(wanted[0]))
    except OSError:
        # The list says that it cannot be read.
        return ""
    return ""


def _spoken(lines: Iterable[bytes | None]) -> Iterator[str]:
    """Yield the main agent's prompts and answers, as far as their lines can be read."""
    for line in lines:
        if line is None or not line.startswith(_SPOKEN):
            continue
        try:
            event = decode_event(object_of(line))
        except ShapeError:
            continue
        match event:
            case RunStarted():
                yield event.prompt
            case PromptSteered():
                yield event.text
            case AssistantReplied() if not event.head.agent:
                yield event.message.text
            case _:
                pass


def _around(text: str, at: int, length: int) -> str:
    """Return the text around a word, in one line."""
    begin, end = max(at - AROUND_CHARACTERS, 0), at + length + AROUND_CHARACTERS
    cut = " ".join(text[begin:end].split())
    return f"{'…' if begin else ''}{cut}{'…' if end < len(text) else ''}"
