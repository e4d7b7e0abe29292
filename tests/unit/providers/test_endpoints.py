"""Base URLs as people write them."""

import pytest

from caramelo_tui.providers.endpoints import (
    ANTHROPIC_BASE_URL,
    OPENAI_BASE_URL,
    anthropic_base_url,
    host_of,
    openai_base_url,
)


@pytest.mark.parametrize(
    "text",
    [
        "http://h:1",
        "http://h:1/",
        "http://h:1/v1",
        "http://h:1/v1/",
        "http://h:1/v1/messages",
        " http://h:1 ",
    ],
)
def test_anthropics_address_loses_its_version(text: str) -> None:
    assert anthropic_base_url(text) == "http://h:1"


def test_anthropics_address_keeps_a_gateways_path() -> None:
    assert anthropic_base_url("https://g.test/anthropic/v1") == "https://g.test/anthropic"


@pytest.mark.parametrize(
    "text",
    ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/chat/completions"],
)
def test_openais_address_gets_a_version(text: str) -> None:
    assert openai_base_url(text) == "http://h:1/v1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://g.test/v1beta/openai/", "https://g.test/v1beta/openai"),
        ("https://openrouter.test/api/v1", "https://openrouter.test/api/v1"),
    ],
)
def test_openais_address_keeps_a_path_of_its_own(text: str, expected: str) -> None:
    assert openai_base_url(text) == expected


def test_nothing_means_the_vendors_own_endpoint() -> None:
    assert anthropic_base_url("") == ANTHROPIC_BASE_URL
    assert openai_base_url(" ") == OPENAI_BASE_URL


@pytest.mark.parametrize("text", ["h:1", "ftp://h", "http://", "/v1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="http://"):
        openai_base_url(text)
    with pytest.raises(ValueError, match="http://"):
        anthropic_base_url(text)


def test_a_host_is_shown_without_login() -> None:
    assert host_of("https://me:secret@h.test:8/v1") == "h.test:8"
