"""Wire what shows the user the workspace's repository.

Owns which parts of a session it needs. Proven by tests/unit/composition/test_agents.py.
"""

from caramelo_tui.agent.git_view import GitView
from caramelo_tui.composition.core import Core, CoreOptions, git_program, room


def git_view(core: Core, options: CoreOptions) -> GitView:
    """Return the view of one session."""
    return GitView(
        git_program(options, core.sandbox.root),
        files=core.files,
        context=room(core.files, core.commands),
        ids=core.ids,
    )
