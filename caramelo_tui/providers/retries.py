"""Say whether and when a failed request is sent again.

Pure: waits nothing, sends nothing, counts nothing. Whether content had come already is the
caller's knowledge; a request that gave content is never sent again by itself. Proven by
tests/unit/providers/test_retries.py.
"""

from caramelo_tui.domain.errors import Overloaded, ProviderError, RateLimited

MAX_TRIES = 5
"""Tries of one request, the first one included."""

LONGEST_OWN_WAIT_S = 60.0
"""Longest wait of our own choice, in seconds."""

LONGEST_ASKED_WAIT_S = 600.0
"""Longest wait that a server can ask for, in seconds."""

_FIRST_WAIT_S = 1.0
_LONGEST_JITTER_S = 1.0


def wait_before_retry(error: ProviderError, attempt: int, jitter: float) -> float | None:
    """Return how many seconds to wait before the request is sent again.

    Args:
        error: Why the try failed.
        attempt: The try that failed, from 1.
        jitter: Random number from 0 to below 1; spreads clients that failed together.

    Returns:
        Seconds, 0 or more; never less than the server asked for (up to
        ``LONGEST_ASKED_WAIT_S``). ``None`` when it is not sent again: the error is final, or
        all tries are used up.
    """
    if not error.is_retryable or attempt >= MAX_TRIES:
        return None
    asked_s = _asked_wait_s(error)
    if asked_s is not None:
        waited_s = min(max(asked_s, 0.0), LONGEST_ASKED_WAIT_S)
        return waited_s + jitter * min(_LONGEST_JITTER_S, waited_s * 0.1)
    own_s = min(_FIRST_WAIT_S * 2.0 ** (attempt - 1), LONGEST_OWN_WAIT_S)
    return own_s * (0.75 + 0.5 * jitter) if own_s < LONGEST_OWN_WAIT_S else own_s


def _asked_wait_s(error: ProviderError) -> float | None:
    return error.retry_after_s if isinstance(error, (RateLimited, Overloaded)) else None
