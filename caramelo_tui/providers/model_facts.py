"""Say what can be known of a model.

Owns the value; nothing in it is guessed, and ``None`` means that nobody has said. Proven by
tests/unit/providers/test_catalog.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.prices import Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What is known about a model; ``None``: unknown."""

    context_window: int | None = None
    """Tokens that question and answer may hold together."""
    max_output_tokens: int | None = None
    """Tokens of the longest answer."""
    tools: bool | None = None
    """Calls tools."""
    reasoning: bool | None = None
    """Thinks before it answers."""
    caching: bool | None = None
    """The provider keeps the start of a request for the next one."""
    images: bool | None = None
    """Reads images."""
    prices: Prices | None = None
    has_adaptive_thinking: bool = False
    """Takes the thinking mode in which the model itself decides how much to think."""
    refuses_reasoning_with_tools: bool = False
    """Chat Completions answers 400 to function tools unless ``reasoning_effort`` is ``none``."""
    is_family: bool = False
    """No model, but the start of names: it stands for those that have no entry of their own."""
