"""Choose where the model's commands run.

Owns how the settings become a box. Proven by tests/unit/composition/test_command_box.py.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.sandboxes import CommandSandbox
from caramelo_tui.tools.command_box import BubblewrapBox, CommandBox, NoBox


def command_box(
    settings: Settings, root: Path, *, environment: Mapping[str, str], locations: Locations
) -> CommandBox:
    """Return where commands run; nothing is started.

    Args:
        settings: Say whether there is a box.
        root: Resolved root of the workspace.
        environment: The user's variables.
        locations: The program's own files, which no command in a box may change.
    """
    if settings.sandbox is CommandSandbox.NONE:
        return NoBox()
    return BubblewrapBox(
        root,
        search_path=environment.get("PATH", os.defpath),
        has_network=settings.sandbox_has_network,
        read_only=(locations.config, locations.state),
    )
