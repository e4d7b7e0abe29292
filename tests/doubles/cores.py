"""Whole cores on real files, as ``composition`` builds them."""

import os
from collections.abc import Mapping
from pathlib import Path

from caramelo_tui.agent.approval_broker import Approver
from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition import CoreOptions
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings


def core_options(
    folder: Path,
    *,
    settings: Settings | None = None,
    approver: Approver | None = None,
    environment: Mapping[str, str] | None = None,
) -> CoreOptions:
    """Return options for a core on ``folder/project``, with the program's files beside it."""
    root = folder / "project"
    root.mkdir(exist_ok=True)
    variables = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), **(environment or {})}
    return CoreOptions(
        root=root.resolve(),
        settings=settings or Settings(),
        locations=Locations(config=folder / "config", state=folder / "state"),
        environment=variables,
        approver=approver or ByHandApprover(approves_writes=True, approves_commands=True),
    )
