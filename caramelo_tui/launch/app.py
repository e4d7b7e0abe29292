"""Open the app.

Owns what is found out before the screen is drawn; the rest is decided as the person answers
(``app_start``). Proven by tests/unit/test_launch.py and tests/e2e/test_starts.py.
"""

import os
import sys
from pathlib import Path

from caramelo_tui.app_start import DEMO_CONNECTION, AppStart, StartFacts
from caramelo_tui.command_line import AppOptions
from caramelo_tui.config.credentials import (
    Connection,
    MissingKeyError,
    NoProviderError,
    find_connection,
)
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.launch.start import Start, begin, keep_apart, users_settings, workspace_root
from caramelo_tui.ui.start import run_app
from caramelo_tui.ui.start_frame import is_shown, take_back
from caramelo_tui.ui.start_picture import picture_path

_SIMPLE_TERMINALS = frozenset({"", "dumb"})
"""Kinds of terminals on which nothing can be drawn."""


def open_app(options: AppOptions) -> int:
    """Open the app, and return its exit code when it is closed.

    Raises:
        ConfigError: If something that the user set cannot be used, or there is no terminal.
    """
    start = begin(options.common)
    settings = users_settings(start)
    connection: Connection | None = DEMO_CONNECTION
    missing_key: MissingKeyError | None = None
    root: Path | None = None
    if not options.is_demo:
        root = workspace_root(options.path)
        keep_apart(root, start)
        try:
            connection = find_connection(settings, start.environment, kept=start.keys)
        except NoProviderError:
            connection = None
        except MissingKeyError as error:
            connection, missing_key = None, error
    is_linear = options.is_linear or settings.is_linear
    if not is_linear and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "terminal", "", "the app needs one; without a terminal use `caramelo run`"
        )
    facts = StartFacts(
        root=root,
        settings=settings,
        sources=start.sources,
        reads_workspace_config=options.common.reads_workspace_config,
        locations=start.locations,
        environment=start.environment,
        connection=connection,
        trust=start.trust,
        keys=start.keys,
        missing_key=missing_key,
        is_trusted_by_flag=options.common.is_trusted,
        first_prompt=options.prompt or "",
        session=_session(options, start, root),
        picks_session=options.session == "",
        # The one that is shown was drawn from what is kept.
        frame="" if is_shown() else picture_path(sys.argv[1:], os.environ),
    )
    if is_linear or start.environment.get("TERM", "") in _SIMPLE_TERMINALS:
        take_back()
        from caramelo_tui.launch.linear import open_linear  # noqa: PLC0415 - paid for by whoever needs it only

        return open_linear(facts, is_wanted=is_linear)
    return run_app(AppStart(facts).plan())


def _session(options: AppOptions, start: Start, root: Path | None) -> Path | None:
    """Return the file of the session that is gone on with, where one is named."""
    if not options.session or root is None:
        return None
    from caramelo_tui.launch.sessions import stored_session  # noqa: PLC0415 - for those who go on with one

    return stored_session(start, root, options.session)
