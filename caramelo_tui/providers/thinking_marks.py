"""Tell whose proof of thinking a signature is.

Owns the mark by which the signatures of the Responses API are known: a transcript that changed
its provider holds those of several, and a vendor refuses a foreign one. Proven by
tests/unit/providers/test_responses_wire.py and tests/unit/providers/test_anthropic_wire.py.
"""

RESPONSES_MARK = "responses:"
"""Begins the signature of thinking that came from the Responses API. Signatures of the Messages
API are base64, which has no colon."""


def is_of_responses(signature: str) -> bool:
    """Whether thinking with this signature came from the Responses API."""
    return signature.startswith(RESPONSES_MARK)
