"""Name the event that tells which model answers from now on.

Owns that member of ``AgentEvent``. Proven by tests/property/test_codec.py and
tests/unit/composition/test_model_choice.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.event_head import AgentEventBase


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChanged(AgentEventBase):
    """The main agent's requests go to another model from now on.

    What was said stays. The thinking of the models before is given to no other one: the
    transcript behind this event is that of before without its thinking blocks
    (``agent.thinking.without_thinking``).
    """

    provider: str
    """Name for display."""
    model: str
    context_window: int | None
    """Tokens that it can hold; ``None`` when unknown."""
    endpoint_note: str = ""
    """Said when the address comes from the environment and is not the vendor's."""
