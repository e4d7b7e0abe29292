"""Name what can go wrong, by who has to act on it.

Owns the exception tree. A refusal that the model can act on is a ``ToolFailure``; provider
trouble is a ``ProviderError``; configuration is a ``ConfigError``. Every message names what
was wrong and what to do. Proven by tests/unit/domain/test_errors.py.
"""

from pathlib import Path


class CarameloError(Exception):
    """Anything that this program raises on purpose."""


class ToolFailure(CarameloError):
    """A tool could not do what was asked; the text goes to the model as an error result."""


class PathRefused(ToolFailure):
    """A path argument that the workspace refuses.

    Attributes:
        asked: The path exactly as it was asked for.
    """

    def __init__(self, asked: str, reason: str) -> None:
        super().__init__(
            f"{asked!r} was refused: {reason}" if "\0" in asked else f"{asked}: {reason}"
        )
        self.asked = asked
        self.reason = reason


class PathOutsideWorkspace(PathRefused):
    """A path that leaves the workspace, by its parts or through a link."""


class StaleFile(ToolFailure):
    """The file on disk is no longer the one a write was worked out on."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} changed on disk since the change was proposed; nothing was written."
        )
        self.path = path


class ConfigError(CarameloError):
    """A value of the configuration or the command line that cannot be used.

    Attributes:
        source: File, variable or flag where the value came from.
        key: Dotted key, or an empty text when the whole source is unusable.
        problem: What was wrong and what is allowed.
    """

    def __init__(self, source: str | Path, key: str, problem: str) -> None:
        where = f"{source}: {key}" if key else str(source)
        super().__init__(f"{where}: {problem}")
        self.source = str(source)
        self.key = key
        self.problem = problem


class ProviderError(CarameloError):
    """The provider did not answer as asked. The message is fit for the user's eyes."""

    is_retryable = False
    """Whether the same request may succeed later, if nothing was streamed yet."""


class AuthenticationFailed(ProviderError):
    """The key is missing, wrong or has no rights (401, 403)."""


class BadRequest(ProviderError):
    """The provider refused the request itself (400, 404, 413, 422)."""


class ContextTooLong(BadRequest):
    """The request does not fit into the model's context window."""


class RateLimited(ProviderError):
    """Too many requests (429).

    Attributes:
        retry_after_s: Seconds the server asked to wait, or ``None``.
    """

    is_retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Overloaded(ProviderError):
    """The server is busy or failed (408, 409, 5xx, 529).

    Attributes:
        retry_after_s: Seconds the server asked to wait, or ``None``.
    """

    is_retryable = True

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class StreamBroken(ProviderError):
    """The connection was lost, stalled, or the stream carried an error event."""

    is_retryable = True


class UnknownStopReason(ProviderError):
    """The provider ended the turn for a reason this program does not know."""
