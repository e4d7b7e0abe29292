"""Turn a vendor's refusals into our errors, in words fit for the user.

Owns the meaning of HTTP statuses, error bodies and retry headers, and keeps keys out of
every message. Pure: knows no SDK; each provider hands over what its SDK raised. Proven by
tests/unit/providers/test_error_mapping.py.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamBroken,
)
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.providers.vendor_json import as_object, parse_object, text_at

LONGEST_DETAIL = 300
"""Characters of a vendor's own words that are shown."""

_LONGEST_READ = 20_000
"""Characters of a vendor's words that are looked at."""

_AUTHENTICATION_STATUSES = frozenset({401, 403})
_BUSY_STATUSES = frozenset({408, 409, 529})
_KEY_LIKE = re.compile(r"\b(?:sk|pk|gsk|xai|key|token)[-_][\w*.\-]{6,}|\bAIza[\w\-]{10,}", re.ASCII)
_CONTEXT_WORDS = (
    "context_length_exceeded",
    "context length",
    "context window",
    "prompt is too long",
    "maximum context",
    "exceed_context_size",
)
_MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def without_keys(text: str, key: str) -> str:
    """Return ``text`` with the key in use, and whatever looks like one, blacked out."""
    hidden = text.replace(key, "[key]") if key else text
    return _KEY_LIKE.sub("[key]", hidden)


def error_for_status(
    status: int, body: object, headers: Mapping[str, str], *, key: str, host: str
) -> ProviderError:
    """Return the error for an HTTP answer that is no stream.

    Args:
        status: HTTP status.
        body: The decoded JSON body, or its text, or ``None``.
        headers: With lower-case names.
        key: The key in use; kept out of the message.
        host: Who answered, for the message.
    """
    detail = _detail(body, key)
    said = f": {detail}" if detail else "."
    if status in _AUTHENTICATION_STATUSES:
        return AuthenticationFailed(f"{host} refused the key (HTTP {status}){said}")
    if _speaks_of_context(body, status):
        return ContextTooLong(f"The request is too long for the model (HTTP {status}){said}")
    if status == 429:  # noqa: PLR2004 - the status is its own name here
        message = f"{host} says: too many requests (HTTP 429){said}"
        return RateLimited(message, retry_after_s=retry_after_s(headers))
    if status in _BUSY_STATUSES or status >= 500:  # noqa: PLR2004 - the class of server errors
        message = f"{host} is busy or failed (HTTP {status}){said}"
        return Overloaded(message, retry_after_s=retry_after_s(headers))
    if 300 <= status < 400:  # noqa: PLR2004 - the class of redirects
        where = _one_line(headers.get("location", ""), key) or "another address"
        return BadRequest(
            f"{host} redirects to {where} (HTTP {status}). Redirects are not followed, so that the"
            " key reaches no other host; set the base URL to the final address."
        )
    return BadRequest(f"{host} refused the request (HTTP {status}){said}")


def broken_off(body: object, *, key: str) -> StreamBroken:
    """Return the error for an error event inside a stream."""
    detail = _detail(body, key)
    return StreamBroken(f"The provider broke off{f': {detail}' if detail else '.'}")


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return how many seconds the server asks to wait, 0 or more; ``None`` when it does not.

    Reads ``retry-after-ms``, and ``retry-after`` as seconds or as an HTTP date (RFC 9110,
    section 10.2.3).

    Args:
        headers: With lower-case names.
        now: Time that a date is compared with; the clock's when left out.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return max(milliseconds, 0.0) / 1000
    asked = headers.get("retry-after", "").strip()
    seconds = _number(asked)
    if seconds is not None:
        return max(seconds, 0.0)
    return _seconds_until(asked, now or datetime.now(UTC)) if asked else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _seconds_until(http_date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(http_date)
    except ValueError:
        return None
    # A date without a zone is UTC by the standard.
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((aware - now).total_seconds(), 0.0)


def _speaks_of_context(body: object, status: int) -> bool:
    if status == 413:  # noqa: PLR2004 - "content too large" by RFC 9110
        return True
    if status not in {400, 422}:
        return False
    words = (body if isinstance(body, str) else str(body))[:_LONGEST_READ].lower()
    return any(word in words for word in _CONTEXT_WORDS)


def _detail(body: object, key: str) -> str:
    """Return the vendor's own words in one line, without keys, markup and control characters."""
    return _one_line(_message_in(body), key)


def _one_line(text: str, key: str) -> str:
    # The key goes before anything is cut: half of it would not be found any more.
    begin = (text.replace(key, "[key]") if key else text)[:_LONGEST_READ]
    words = " ".join(_MARKUP.sub(" ", without_keys(begin, key)).split())
    plain = visible(words, keeps_newlines=False)
    return plain if len(plain) <= LONGEST_DETAIL else plain[:LONGEST_DETAIL] + "…"


def _message_in(body: object) -> str:
    if isinstance(body, str):
        parsed = parse_object(body)
        return _message_in(parsed) if parsed else body
    holder = as_object(body)
    error = holder.get("error", holder)
    if isinstance(error, str):
        return error
    inner = as_object(error)
    return text_at(inner, "message") or text_at(inner, "type") or text_at(holder, "message")
