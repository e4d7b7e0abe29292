"""Wire the system's clipboard.

Owns what its programs may see. Proven by tests/unit/composition/test_agents.py.
"""

from caramelo_tui.agent.clipboard import SystemClipboard
from caramelo_tui.composition.core import CoreOptions
from caramelo_tui.config.credentials import secret_variables
from caramelo_tui.tools.child_environment import ChildEnvironment


def system_clipboard(options: CoreOptions) -> SystemClipboard:
    """Return the clipboard of the user's desktop."""
    return SystemClipboard(
        options.root,
        environment=ChildEnvironment(
            options.environment, provider_names=secret_variables(options.settings)
        ),
        variables=options.environment,
    )
