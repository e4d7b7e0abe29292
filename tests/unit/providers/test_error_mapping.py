"""Vendors' refusals in our words."""

from datetime import UTC, datetime

import pytest

from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest, ContextTooLong
from caramelo_tui.providers.error_mapping import (
    LONGEST_DETAIL,
    broken_off,
    error_for_status,
    retry_after_s,
    without_keys,
)

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


def said(status: int, body: object, key: str = "") -> str:
    return str(error_for_status(status, body, {}, key=key, host="h.test"))


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 2026 13:00:10 +0100"}, 10.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:05 -0000"}, 5.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_the_wish_to_wait_is_read_in_all_its_forms(
    headers: dict[str, str], expected: float | None
) -> None:
    assert retry_after_s(headers, NOW) == expected


def test_a_date_is_compared_with_the_clock() -> None:
    assert retry_after_s({"retry-after": "Mon, 30 Nov 2020 12:00:00 GMT"}) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-test-openai-2",
        "key sk-ant-api03-abcDEF_123 is bad",
        "bad AIzaSyA1234567890abc",
        "key sk-***********wxyz.",
    ],
)
def test_what_looks_like_a_key_is_not_shown(text: str) -> None:
    shown = without_keys(text, "")
    assert "[key]" in shown
    assert "openai-2" not in shown
    assert "abcDEF" not in shown
    assert "AIza" not in shown
    assert "wxyz" not in shown


def test_the_key_in_use_is_not_shown_whatever_it_looks_like() -> None:
    assert "hunter2" not in said(401, {"error": {"message": "hunter2 is wrong"}}, key="hunter2")


def test_plain_words_with_dashes_stay() -> None:
    text = "task-force, token limit, keyboard-shortcuts"
    assert without_keys(text, "") == text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"error": {"message": "busy"}}, "busy"),
        ({"type": "error", "error": {"type": "overloaded_error"}}, "overloaded_error"),
        ({"error": "flat"}, "flat"),
        ({"message": "top"}, "top"),
        ('{"error": {"message": "inner"}}', "inner"),
        ("plain\n words", "plain words"),
        ("<p>marked</p>", "marked"),
        ("a\x1b[31mb", "a<U+001B>[31mb"),
    ],
)
def test_the_vendors_words_are_found_and_cleaned(body: object, expected: str) -> None:
    assert said(500, body).endswith(f": {expected}")


@pytest.mark.parametrize("body", [None, {}, [], {"error": {"message": 5}}])
def test_without_words_the_message_is_still_a_sentence(body: object) -> None:
    assert said(500, body) == "h.test is busy or failed (HTTP 500)."


def test_long_words_are_cut() -> None:
    assert len(said(500, "x" * 5000)) < LONGEST_DETAIL + 100


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": "context_length_exceeded", "message": "too many"}},
        {"error": {"message": "prompt is too long: 9 tokens > 8 maximum"}},
        {"error": {"message": "This model's maximum context length is 8192 tokens"}},
        {"error": {"type": "exceed_context_size_error", "message": "no"}},
    ],
)
def test_too_long_a_request_is_recognised(body: object) -> None:
    error = error_for_status(400, body, {}, key="", host="h.test")
    assert isinstance(error, ContextTooLong)


def test_words_about_the_context_do_not_hide_a_bad_key() -> None:
    error = error_for_status(401, "no access to this context window", {}, key="", host="h.test")
    assert isinstance(error, AuthenticationFailed)


def test_a_redirect_tells_where_to_without_the_key() -> None:
    headers = {"location": "https://other.test/?key=sk-secret-12345"}
    error = error_for_status(308, None, headers, key="sk-secret-12345", host="h.test")
    assert isinstance(error, BadRequest)
    assert "other.test" in str(error)
    assert "sk-secret" not in str(error)


def test_an_error_event_tells_the_vendors_words_without_the_key() -> None:
    error = broken_off({"error": {"message": "overloaded hunter2"}}, key="hunter2")
    assert "overloaded [key]" in str(error)
    assert error.is_retryable
