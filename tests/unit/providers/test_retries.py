"""When a request is sent again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamBroken,
    UnknownStopReason,
)
from caramelo_tui.providers.retries import LONGEST_OWN_WAIT_S, MAX_TRIES, wait_before_retry

RETRYABLE = (RateLimited("x"), Overloaded("x"), StreamBroken("x"))


@pytest.mark.parametrize("error", RETRYABLE, ids=lambda error: type(error).__name__)
def test_the_waits_grow_until_the_tries_are_used_up(error: ProviderError) -> None:
    waits = [wait_before_retry(error, attempt, 0.5) for attempt in range(1, MAX_TRIES + 1)]
    assert waits == [1.0, 2.0, 4.0, 8.0, None]


@pytest.mark.parametrize(
    "error",
    [
        AuthenticationFailed("x"),
        BadRequest("x"),
        ContextTooLong("x"),
        UnknownStopReason("x"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_would_fail_again_is_not_sent_again(error: ProviderError) -> None:
    assert wait_before_retry(error, 1, 0.0) is None


@pytest.mark.parametrize(
    ("asked_s", "least_s", "most_s"), [(0, 0, 0), (2, 2, 2.2), (90, 90, 91), (7200, 600, 601)]
)
def test_the_servers_wish_is_obeyed_up_to_ten_minutes(
    asked_s: float, least_s: float, most_s: float
) -> None:
    for kind in (RateLimited, Overloaded):
        for jitter in (0.0, 0.999):
            wait = wait_before_retry(kind("x", retry_after_s=asked_s), 1, jitter)
            assert wait is not None
            assert least_s <= wait <= most_s


@given(attempt=st.integers(1, MAX_TRIES - 1), jitter=st.floats(0, 1, exclude_max=True))
def test_our_own_waits_stay_in_their_bounds(attempt: int, jitter: float) -> None:
    wait = wait_before_retry(StreamBroken("x"), attempt, jitter)
    assert wait is not None
    assert 0 < wait <= LONGEST_OWN_WAIT_S
