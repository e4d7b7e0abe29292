"""Print what is configured, and how the policy decides on a command.

Owns which folder that is about: the current one. Proven by tests/unit/test_launch.py and
tests/e2e/test_command_line.py.
"""

import sys
from pathlib import Path

from caramelo_tui.command_line import ConfigOptions, ConfigReport, PolicyOptions
from caramelo_tui.config.locations import home_or_root
from caramelo_tui.config.report import config_path_report, config_report
from caramelo_tui.launch.notes import say_notes
from caramelo_tui.launch.start import begin, open_folder


def print_config(options: ConfigOptions) -> int:
    """Print the configuration that holds in the current folder; return 0.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    loaded = open_folder(begin(options.common), options.common, Path()).loaded
    is_path = options.report is ConfigReport.PATH
    sys.stdout.write(config_path_report(loaded) if is_path else config_report(loaded))
    return 0


def print_policy(options: PolicyOptions) -> int:
    """Print how the policy decides on a command in the current folder; return 0.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    # The shell's grammar is slow to load; printing the configuration does without it.
    from caramelo_tui.headless.policy_report import policy_report  # noqa: PLC0415 - see above
    from caramelo_tui.policy.engine import PolicyEngine  # noqa: PLC0415 - see above

    start = begin(options.common)
    folder = open_folder(start, options.common, Path())
    say_notes(folder)
    engine = PolicyEngine(
        root=folder.root,
        home=home_or_root(start.environment),
        profile=folder.settings.profile,
        settings=folder.settings.policy,
    )
    sys.stdout.write(policy_report(engine, options.command))
    return 0
