"""Say in words what an endpoint does not take.

Owns the notes that stand in a request for what had to be left out of it. Pure. Proven by
tests/unit/providers/test_openai_wire.py.
"""

from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.providers.vendor_json import sendable_text


def image_left_out(image: ImageAttachment) -> str:
    """Return what the model reads in place of an image."""
    name = sendable_text(image.name).replace("\n", " ")
    return f"[The image {name} was left out: this model takes no images.]"
