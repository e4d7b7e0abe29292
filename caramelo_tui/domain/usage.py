"""Count tokens.

Owns the usage value of one turn and its sum. Proven by tests/unit/domain/test_usage.py.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one or more turns, as the provider counted them."""

    input_tokens: int = 0
    """Tokens read that no cache held."""
    output_tokens: int = 0
    """Tokens written, thinking included."""
    cache_read_tokens: int = 0
    """Tokens served from the provider's prompt cache."""
    cache_write_tokens: int = 0
    """Tokens written into the provider's prompt cache."""

    @property
    def context_tokens(self) -> int:
        """All tokens that stood in the request, cached or not, plus the answer."""
        return (
            self.input_tokens
            + self.cache_read_tokens
            + self.cache_write_tokens
            + self.output_tokens
        )

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum, field by field."""
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
        )

    def __sub__(self, earlier: "Usage") -> "Usage":
        """Return what was added since ``earlier``, field by field."""
        return Usage(
            input_tokens=self.input_tokens - earlier.input_tokens,
            output_tokens=self.output_tokens - earlier.output_tokens,
            cache_read_tokens=self.cache_read_tokens - earlier.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens - earlier.cache_write_tokens,
        )
