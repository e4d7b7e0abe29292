"""Say to the terminal what is no picture: its title, notifications, the way through multiplexers.

Owns the control sequences (xterm control sequences and iTerm2's OSC 9, read 2026-11) and what may
stand in them. Pure; who writes them decides when. Proven by
tests/unit/ui/test_terminal_sequences.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.screen_text import visible

_ESCAPE = "\x1b"
_END = "\x1b\\"

BELL = "\a"
"""Multiplexers and terminals mark the window by it."""

SAVE_TITLE = f"{_ESCAPE}[22;2t"
"""Keeps the title that the terminal has now; terminals that cannot do it pass it over."""

RESTORE_TITLE = f"{_ESCAPE}[23;2t"
"""Brings that title back."""

MAX_TITLE = 80
"""Characters of a title or a notification; more is cut."""

_SCREEN_CHUNK = 512
"""Characters of one wrapped piece; GNU screen drops strings of 768 and more."""


def title_sequence(text: str) -> str:
    """Return the sequence that sets the title of the window."""
    return f"{_ESCAPE}]2;{_safe(text)}{BELL}"


def notice_sequence(text: str, variables: Mapping[str, str]) -> str:
    """Return the sequences that show a notification, also through a multiplexer.

    Args:
        text: What is said; made safe here.
        variables: The environment.
    """
    plain = f"{_ESCAPE}]9;{_safe(text)}{BELL}"
    return wrapped(plain, variables) or plain


def wrapped(sequence: str, variables: Mapping[str, str]) -> str:
    """Return a sequence as a multiplexer hands it on; empty where there is none.

    Args:
        sequence: Ends in a bell, not in a string terminator.
        variables: The environment, for ``TMUX``, ``STY`` and ``TERM``.
    """
    terminal = variables.get("TERM", "")
    if variables.get("TMUX") or terminal.startswith("tmux"):
        doubled = sequence.replace(_ESCAPE, _ESCAPE * 2)
        return f"{_ESCAPE}Ptmux;{doubled}{_END}"
    if variables.get("STY") or terminal.startswith("screen"):
        pieces = (
            sequence[start : start + _SCREEN_CHUNK]
            for start in range(0, len(sequence), _SCREEN_CHUNK)
        )
        return "".join(f"{_ESCAPE}P{piece}{_END}" for piece in pieces)
    return ""


def _safe(text: str) -> str:
    """Return a text that cannot end the sequence it stands in."""
    return visible(text.replace("\t", " "), keeps_newlines=False)[:MAX_TITLE]
