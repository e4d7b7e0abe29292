"""Say how an endpoint is reached.

Owns the values that a vendor's client is built from. Finds no keys and reads no environment:
that is the configuration's work. Proven by tests/unit/providers/test_connection.py.
"""

from dataclasses import dataclass, field

from caramelo_tui.domain.errors import AuthenticationFailed

CONNECT_TIMEOUT_S = 10.0
"""Seconds to wait for a connection."""

STALL_S = 300.0
"""Seconds without a byte after which a stream counts as broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """How to reach one endpoint."""

    key: str = field(repr=False)
    """The secret; left out of ``repr`` so that no log or traceback shows it."""
    base_url: str = ""
    """With or without ``/v1``; empty means the vendor's own endpoint."""
    is_exact_url: bool = False
    """Whether ``base_url`` is taken as it is: a service of which we know that it has no ``/v1``."""
    connect_timeout_s: float = CONNECT_TIMEOUT_S
    stall_s: float = STALL_S
    """Seconds without a byte, also before the first one."""
    obeys_proxy_variables: bool = True
    """Whether ``HTTPS_PROXY``, ``HTTP_PROXY``, ``ALL_PROXY``, ``NO_PROXY`` and ``SSL_CERT_FILE``
    of the user's environment are obeyed."""
    uses_sdk: bool = False
    """Whether the vendor's SDK carries the requests, instead of the HTTP client alone."""

    def usable_key(self) -> str:
        """Return the key without blanks around it.

        Raises:
            AuthenticationFailed: If it cannot stand in a header; the message does not show it.
        """
        key = self.key.strip()
        if not key:
            raise AuthenticationFailed("There is no key for this provider.")
        # The HTTP layer would refuse it with the key in the message.
        if not key.isascii() or not key.isprintable() or " " in key:
            raise AuthenticationFailed(
                "The key holds characters that no key has (a line break, a blank or a letter"
                " outside ASCII). Copy it again."
            )
        return key
