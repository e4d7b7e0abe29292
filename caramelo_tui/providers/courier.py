"""The contract of what carries an endpoint's requests: the bodies there, the answers back.

Owns the protocol only. There are two kinds: over the vendor's SDK (``anthropic_sdk``,
``openai_sdk``) and over the HTTP client alone (``thin_courier``). Proven by
tests/contract/test_providers.py, which runs over both.
"""

from collections.abc import Mapping
from typing import Protocol

from caramelo_tui.providers.streaming import HttpAnswer
from caramelo_tui.providers.vendor_json import JsonObject


class Courier(Protocol):
    """Carries the requests of one endpoint; what is loaded for it is loaded on first use."""

    async def ready(self) -> None:
        """Load what it needs, in a thread; idempotent.

        Raises:
            ProviderError: If the client cannot be built (bad key, unusable proxy).
        """
        ...

    async def stream(self, body: JsonObject, headers: Mapping[str, str]) -> HttpAnswer:
        """Send a request, once, and return its answer when the head has come.

        Args:
            body: The request in the vendor's form.
            headers: What it carries beside the headers of every request.

        Raises:
            ProviderError: If there is none, or it has an error status.
        """
        ...

    async def count(self, body: JsonObject) -> Mapping[str, object] | None:
        """Ask how many tokens a request has and return the answer's fields.

        Returns:
            ``None`` when the endpoint does not know the question.

        Raises:
            ProviderError: If there is no answer, or it has another error status.
        """
        ...

    async def close(self) -> None:
        """Release the connections; idempotent, and it can be used again."""
        ...
