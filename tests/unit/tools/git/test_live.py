"""Live output is text, whatever the pieces cut."""

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.tools.git.live import live_text


def test_a_character_split_over_pieces_is_whole() -> None:
    seen: list[tuple[OutputStream, str]] = []
    take = live_text(lambda stream, text: seen.append((stream, text)))

    take(OutputStream.STDOUT, b"\xc3")
    take(OutputStream.STDERR, b"x")
    take(OutputStream.STDOUT, b"\xa9")

    assert seen == [(OutputStream.STDERR, "x"), (OutputStream.STDOUT, "é")]
