"""Take out of a text what is for nobody else: keys, passwords in addresses, the home folder.

Owns what reports for others do without. It knows the values of variables that are keys, and what
keys look like; a secret that is neither is not found, which is why reports are shown before they
are written. Proven by tests/unit/config/test_private_parts.py.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from caramelo_tui.domain.secret_names import looks_secret

SHORTEST_SECRET = 6
"""A shorter value is no key, and would be found everywhere."""
HIDDEN = "[hidden]"
"""Stands where a key stood."""

_LOOKS_LIKE_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|ghp|gho|ghu|ghs|ghr|github_pat|glpat|AIza|xox[a-z])[-_]?[\w-]{12,}"
    r"|(?i:bearer\s+)\S+"
)
_LOGIN_IN_ADDRESS = re.compile(r"(?<=://)[^\s/@'\"]+(?=@)")
"""User and password before the host."""
_KEY_IN_ADDRESS = re.compile(
    r"(?i)(?<=[?&])([\w-]*(?:key|token|secret|password|signature|sig))=[^&\s'\"]+"
)


def secrets_of(environment: Mapping[str, str], *, names: Collection[str] = ()) -> frozenset[str]:
    """Return the values of the variables that look like secrets, and of those named."""
    return frozenset(
        value for name, value in environment.items() if name in names or looks_secret(name)
    )


def without_private_parts(text: str, *, secrets: Collection[str], home: Path) -> str:
    """Return the text with keys hidden and the home folder written as ``~``."""
    # The longest first: one key may begin with another.
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, HIDDEN)
    text = _LOOKS_LIKE_KEY.sub(HIDDEN, text)
    text = _LOGIN_IN_ADDRESS.sub(HIDDEN, text)
    text = _KEY_IN_ADDRESS.sub(rf"\1={HIDDEN}", text)
    return text if home == home.parent else text.replace(str(home), "~")
