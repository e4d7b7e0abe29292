"""Use OpenAI's SDK, for whichever of its APIs.

Owns how its client is set up, and the meaning of its errors. Loads it only when used, since that
takes 0.8 s. Proven by tests/contract/test_providers.py and tests/contract/test_responses.py.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.sdk_client import http_client_of
from caramelo_tui.providers.sdk_loading import quiet_import
from caramelo_tui.providers.transport import EndpointFaults

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI


def openai_client(settings: EndpointSettings, base_url: str, *, resource: str) -> "AsyncOpenAI":
    """Return a client for an endpoint; loads the SDK, so it is called in a thread.

    Args:
        settings: How to reach the endpoint.
        base_url: Its address, with the version path.
        resource: The SDK's module of the API that is used. The SDK would load it at the first
            request, on the event loop.

    Raises:
        ProviderError: If the key or the environment's proxy cannot be used.
    """
    with quiet_import():
        import openai  # noqa: PLC0415 - takes 0.8 s, so it is loaded on first use

        import_module(resource)

    timeout = openai.Timeout(settings.stall_s, connect=settings.connect_timeout_s)
    return openai.AsyncOpenAI(
        api_key=settings.usable_key(),
        base_url=base_url,
        max_retries=0,
        timeout=timeout,
        http_client=http_client_of(openai.DefaultAsyncHttpxClient, settings, timeout),
    )


def error_of(error: "APIError", faults: EndpointFaults) -> ProviderError:
    """Return our error for one of the SDK's.

    The SDK's text may repeat the key: raise ours ``from None``, so that no traceback shows it.
    """
    import openai  # noqa: PLC0415 - loaded by now

    if isinstance(error, openai.APIStatusError):
        return faults.error_for_answer(error.status_code, error.body, error.response.headers)
    return faults.error_for(error.__cause__)
