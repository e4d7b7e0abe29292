"""Hold what the user configured for requests to the web.

Owns the values of the table ``[web]``. Proven by tests/unit/tools/web/ and tests/unit/config/.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """The table ``[web]``; only the user's own file may set it."""

    allow_hosts: tuple[str, ...] = ()
    """Hosts, or ``host:port``, that may be loopback or private; metadata addresses never."""
    ask_new_hosts: bool = False
    """Whether the first call to each host of a session asks."""
