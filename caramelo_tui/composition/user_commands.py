"""Load the user's own commands for a session.

Owns from where they come: the user's folder, and the workspace's when it is trusted. Proven by
tests/unit/composition/test_agents.py.
"""

from caramelo_tui.composition.core import CoreOptions
from caramelo_tui.config.user_commands import LoadedCommands, load_user_commands


def user_commands(options: CoreOptions) -> LoadedCommands:
    """Return the user's commands, and the workspace's when it is trusted."""
    return load_user_commands(
        options.locations.config / "commands", options.root if options.is_trusted else None
    )
