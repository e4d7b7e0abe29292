"""Say what holds of a session when it starts.

Owns the facts that the user interface shows first, and the note about a model that nobody named.
Proven by tests/unit/composition/test_agents.py.
"""

from pathlib import Path

from caramelo_tui.agent.port import AgentInfo
from caramelo_tui.agent.run_frames import SessionFacts
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import ProviderName, Settings


def agent_info(facts: SessionFacts, connection: Connection, workspace: Path) -> AgentInfo:
    """Return what title and status bar show first."""
    return AgentInfo(
        workspace=workspace,
        provider=facts.provider,
        model=facts.model,
        profile=facts.profile,
        is_trusted=facts.is_trusted,
        is_demo=connection.provider is ProviderName.DEMO,
        endpoint_note=connection.endpoint_note,
    )


def start_notes(
    settings: Settings, connection: Connection, main: ModelInUse, notes: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what is said at the start; a model that nobody named is named then."""
    if settings.model is not None or connection.provider is ProviderName.DEMO:
        return notes
    chosen = f"No model is set: using {main.model} of {main.provider.name} (--model chooses)."
    return (*notes, chosen)
