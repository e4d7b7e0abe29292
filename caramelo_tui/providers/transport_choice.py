"""Choose what carries an endpoint's requests.

Owns the words of ``provider.transport``, and which variables of the user's environment only an
SDK obeys. Reads no environment: it is handed in. Proven by
tests/unit/providers/test_transport_choice.py.

Sources, read 2026-12-01: the official SDKs, anthropic 2.14 and openai 3.57.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from caramelo_tui.providers.presets import Wire


class Transport(StrEnum):
    """What carries requests to an endpoint."""

    AUTO = "auto"
    """The HTTP client alone, unless the environment says something that only an SDK obeys."""
    THIN = "thin"
    """The HTTP client alone; no SDK is loaded."""
    SDK = "sdk"
    """The vendor's official SDK."""


_OPENAI_VARIABLES = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS")
SDK_VARIABLES: Mapping[Wire, tuple[str, ...]] = MappingProxyType(
    {
        Wire.MESSAGES: ("ANTHROPIC_CUSTOM_HEADERS",),
        Wire.CHAT: _OPENAI_VARIABLES,
        Wire.RESPONSES: _OPENAI_VARIABLES,
    }
)
"""By form of API: the variables by which an SDK changes what every request carries."""


def uses_sdk(wanted: Transport, wire: Wire, environment: Mapping[str, str]) -> bool:
    """Return whether the vendor's SDK carries the requests of an endpoint.

    Args:
        wanted: What the user set.
        wire: The form of API that the endpoint speaks.
        environment: The user's variables.
    """
    if wanted is Transport.AUTO:
        return any(environment.get(name) for name in SDK_VARIABLES.get(wire, ()))
    return wanted is Transport.SDK
