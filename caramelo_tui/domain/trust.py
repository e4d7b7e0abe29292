"""Name the answers to the trust question.

Owns the words that the start screen and the store of answers share; quitting is no answer, the
app then ends. Proven by tests/unit/config/test_trust.py and tests/unit/test_app_start.py.
"""

from enum import StrEnum


class TrustChoice(StrEnum):
    """What the user may answer on first opening a folder; stored by its value."""

    TRUST = "trust"
    RESTRICTED = "restricted"
