"""Check whether commands can run in a sandbox on this machine.

Owns that check of ``caramelo doctor``: bwrap is started with an empty shell script, since only that
shows whether the system lets it work. Proven by tests/unit/test_doctor.py.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.sandboxes import CommandSandbox
from caramelo_tui.headless.doctor_report import Check, good, problem
from caramelo_tui.tools.command_box import BubblewrapBox


def sandbox_check(settings: Settings, root: Path, environment: Mapping[str, str]) -> Check:
    """Check the sandbox. Blocks for a moment.

    Args:
        settings: Say whether it is wanted.
        root: Resolved root of the workspace.
        environment: The user's variables.
    """
    box = BubblewrapBox(
        root,
        search_path=environment.get("PATH", os.defpath),
        has_network=settings.sandbox_has_network,
    )
    why_not = box.problem()
    if settings.sandbox is CommandSandbox.NONE:
        works = f"{why_not}" if why_not else 'commands.sandbox = "bwrap" would work here'
        return good("sandbox", f"commands run with your full rights; {works}")
    if why_not:
        return problem(
            "sandbox",
            f"commands.sandbox is bwrap, and {why_not}: no command runs",
            'install bubblewrap, or set commands.sandbox = "none"',
        )
    network = "with" if settings.sandbox_has_network else "without"
    return good("sandbox", f"commands run in bwrap, {network} network")
