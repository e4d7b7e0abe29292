"""Take out what no person sees and every model reads.

Owns the tag characters (U+E0000 to U+E007F; Unicode 15, section 23.9): they are drawn as nothing
and yet are a text to a model, so that whoever writes a file or a page could give orders unseen.
Proven by tests/unit/domain/test_tag_characters.py.
"""

import re

_TAG_CHARACTERS = re.compile("[\U000e0000-\U000e007f]")


def without_tag_characters(text: str) -> str:
    """Return the text without its tag characters."""
    return _TAG_CHARACTERS.sub("", text)
