"""What can go wrong, by who has to act on it."""

import pytest

from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    CarameloError,
    ConfigError,
    ContextTooLong,
    Overloaded,
    PathOutsideWorkspace,
    PathRefused,
    ProviderError,
    RateLimited,
    StaleFile,
    StreamBroken,
    ToolFailure,
    UnknownStopReason,
)


def test_a_refused_path_is_named_as_it_was_asked_for() -> None:
    refused = PathOutsideWorkspace("../x", "it leads outside the workspace")
    assert str(refused) == "../x: it leads outside the workspace"
    assert (refused.asked, refused.reason) == ("../x", "it leads outside the workspace")
    # What no text may hold is escaped, so that the message can be shown and sent.
    assert "\0" not in str(PathRefused("a\0b", "a NUL"))


def test_a_stale_file_says_that_nothing_was_written() -> None:
    stale = StaleFile("a.txt")
    assert stale.path == "a.txt"
    assert str(stale).startswith("a.txt changed on disk")
    assert "nothing was written" in str(stale)


def test_a_configuration_error_names_source_and_key() -> None:
    error = ConfigError("config.toml", "limits.turns", "must be 3 to 50")
    assert str(error) == "config.toml: limits.turns: must be 3 to 50"
    assert (error.source, error.key, error.problem) == (
        *("config.toml", "limits.turns"),
        "must be 3 to 50",
    )
    assert str(ConfigError("HOME", "", "is not set")) == "HOME: is not set"


@pytest.mark.parametrize("kind", [PathRefused, PathOutsideWorkspace, StaleFile])
def test_what_the_model_can_act_on_is_a_tool_failure(kind: type[Exception]) -> None:
    assert issubclass(kind, ToolFailure)
    assert not issubclass(kind, ProviderError)


@pytest.mark.parametrize(
    "kind", [AuthenticationFailed, BadRequest, ContextTooLong, UnknownStopReason]
)
def test_what_stays_wrong_is_not_sent_again(kind: type[ProviderError]) -> None:
    assert not kind("x").is_retryable
    assert issubclass(kind, CarameloError)


@pytest.mark.parametrize("kind", [RateLimited, Overloaded, StreamBroken])
def test_what_may_pass_by_itself_is_sent_again(kind: type[ProviderError]) -> None:
    assert kind("x").is_retryable


def test_the_wait_that_a_server_asks_for_is_kept() -> None:
    assert RateLimited("x").retry_after_s is None
    assert RateLimited("x", retry_after_s=2.5).retry_after_s == 2.5
    assert Overloaded("x", retry_after_s=0.0).retry_after_s == 0.0
