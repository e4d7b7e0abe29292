"""Take a model's thinking out of what another one is given.

Owns that one change of a transcript. Thinking blocks carry proofs that only their maker takes,
and a vendor gets nothing that was made by another one but words, calls and results. Pure. Proven
by tests/unit/agent/test_thinking.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from caramelo_tui.domain.messages import AssistantMessage, Message, ThinkingBlock


def without_thinking(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return valid messages without their thinking; answers of nothing else are left out."""
    return tuple(_kept(messages))


def _kept(messages: Sequence[Message]) -> Iterator[Message]:
    for message in messages:
        if not isinstance(message, AssistantMessage):
            yield message
            continue
        blocks = tuple(b for b in message.blocks if not isinstance(b, ThinkingBlock))
        if blocks:
            yield message if blocks == message.blocks else replace(message, blocks=blocks)
