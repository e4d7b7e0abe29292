"""Know the common models and their limits.

Owns a small, dated table that is looked up by the start of a model's name. A model that is
not in it works all the same; its context window is then unknown. Prices and presets of
further endpoints are not kept here. Proven by tests/unit/providers/test_catalog.py.

Sources, read 2026-11-30: "Models overview" and the model pages of platform.claude.com; the
model pages of developers.openai.com; the model names of both official SDKs (anthropic
2.14.0, openai 3.57.0).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

CATALOG_DATE = date(2026, 11, 30)
"""When the table was last compared with the vendors' pages."""

FALLBACK_MAX_OUTPUT_TOKENS = 8_192
"""Answer limit for a model that is not in the table: small enough for old and local ones."""

REQUESTED_OUTPUT_TOKENS = 32_000
"""Answer limit asked of a known model. More than a long edit with its thinking needs, and far
below the vendors' limits, so that a model that runs away is stopped early."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What is known about a model."""

    context_window: int
    """Tokens that question and answer may hold together."""
    max_output_tokens: int
    """Tokens of the longest answer."""
    has_adaptive_thinking: bool = False
    """Takes the thinking mode in which the model itself decides how much to think."""
    refuses_reasoning_with_tools: bool = False
    """Chat Completions answers 400 to function tools unless ``reasoning_effort`` is ``none``."""


_CLAUDE = ModelFacts(context_window=_MILLION, max_output_tokens=128_000, has_adaptive_thinking=True)
_CLAUDE_4_5 = ModelFacts(context_window=200_000, max_output_tokens=64_000)
_GPT = ModelFacts(context_window=1_050_000, max_output_tokens=128_000)
_GPT_TOOLS_WITHOUT_REASONING = ModelFacts(
    context_window=1_050_000, max_output_tokens=128_000, refuses_reasoning_with_tools=True
)
_GPT_SMALL = ModelFacts(context_window=400_000, max_output_tokens=128_000)

_MODELS: Mapping[str, ModelFacts] = MappingProxyType(
    {
        "claude-fable-5": _CLAUDE,
        "claude-opus-5": _CLAUDE,
        "claude-sonnet-5": _CLAUDE,
        "claude-haiku-5": _CLAUDE,
        "claude-opus-4-8": _CLAUDE,
        "claude-opus-4-7": _CLAUDE,
        "claude-opus-4-6": _CLAUDE,
        "claude-sonnet-4-6": ModelFacts(
            context_window=_MILLION, max_output_tokens=64_000, has_adaptive_thinking=True
        ),
        "claude-haiku-4-5": _CLAUDE_4_5,
        "claude-sonnet-4-5": _CLAUDE_4_5,
        "claude-opus-4-5": _CLAUDE_4_5,
        "gpt-6": _GPT_TOOLS_WITHOUT_REASONING,
        "gpt-5.6": _GPT_TOOLS_WITHOUT_REASONING,
        "gpt-5.5": _GPT,
        "gpt-5.4": _GPT,
        "gpt-5.4-mini": _GPT_SMALL,
        "gpt-5.4-nano": _GPT_SMALL,
        "gpt-5.2": _GPT_SMALL,
        "gpt-5.1": _GPT_SMALL,
        "gpt-5": _GPT_SMALL,
        "gpt-4.1": ModelFacts(context_window=1_047_576, max_output_tokens=32_768),
        "gpt-4o": ModelFacts(context_window=128_000, max_output_tokens=16_384),
        "o3": ModelFacts(context_window=200_000, max_output_tokens=100_000),
        "o4-mini": ModelFacts(context_window=200_000, max_output_tokens=100_000),
    }
)

DEFAULT_MODELS: Mapping[str, str] = MappingProxyType(
    {
        "anthropic": "claude-sonnet-5-5",
        # The newest family that takes function tools over Chat Completions without having its
        # reasoning switched off.
        "openai": "gpt-5.4",
    }
)
"""Model taken when none is set, by provider name; as of ``CATALOG_DATE``."""


def facts_of(model: str) -> ModelFacts | None:
    """Return what is known about ``model``: the entry with the longest name that it starts with.

    Returns:
        ``None`` when the model is not known.
    """
    known = [name for name in _MODELS if model.startswith(name)]
    return _MODELS[max(known, key=len)] if known else None


def context_window_of(model: str) -> int | None:
    """Return the model's context window in tokens, ``None`` when it is not known."""
    facts = facts_of(model)
    return facts.context_window if facts else None


def max_tokens_for(model: str) -> int:
    """Return the answer limit to ask of ``model``, in tokens."""
    facts = facts_of(model)
    if facts is None:
        return FALLBACK_MAX_OUTPUT_TOKENS
    return min(REQUESTED_OUTPUT_TOKENS, facts.max_output_tokens)
