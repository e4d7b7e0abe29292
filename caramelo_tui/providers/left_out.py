"""Say in words what an endpoint does not take.

Owns the notes that stand in a request for what had to be left out of it. Pure. Proven by
tests/unit/providers/test_openai_wire.py and tests/unit/agent/test_context_builder.py.
"""

from collections.abc import Sequence
from dataclasses import replace

from caramelo_tui.domain.messages import ImageAttachment, Message, UserMessage
from caramelo_tui.providers.vendor_json import sendable_text


def image_left_out(image: ImageAttachment) -> str:
    """Return what the model reads in place of an image."""
    name = sendable_text(image.name).replace("\n", " ")
    return f"[The image {name} was left out: this model takes no images.]"


def without_images(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return messages whose images are told in words, for a model that takes none."""
    return tuple(_in_words(message) for message in messages)


def _in_words(message: Message) -> Message:
    if not isinstance(message, UserMessage) or not message.images:
        return message
    text = "\n\n".join([*map(image_left_out, message.images), message.text])
    return replace(message, text=text, images=())
