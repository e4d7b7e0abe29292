"""Hand a program's output on as text while it comes.

Owns the decoding of pieces that may cut a character. Proven by
tests/unit/tools/git/test_live.py.
"""

import codecs

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.tools.base import OutputSink
from caramelo_tui.tools.output_capture import LiveOutput


def live_text(sink: OutputSink) -> LiveOutput:
    """Return a taker of bytes that passes text to ``sink``."""
    # One decoder for each stream: a character may be split over two pieces.
    decoders = {stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in OutputStream}

    def take(stream: OutputStream, data: bytes) -> None:
        if text := decoders[stream].decode(data):
            sink(stream, text)

    return take
