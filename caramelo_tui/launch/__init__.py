"""Start the program in the way that the command line asks for.

``start`` has what every way needs first, ``app``, ``linear``, ``serve``, ``runs``, ``tools``,
``reports``, ``sessions`` and ``doctor`` are the ways. Each is loaded when it is asked for. They
decide what is asked before a session begins (trust, provider) and build nothing themselves. Proven
by tests/unit/test_launch.py and tests/e2e/.
"""

from typing import assert_never

from caramelo_tui.command_line import (
    AppOptions,
    ConfigOptions,
    DoctorOptions,
    Options,
    PolicyOptions,
    RunOptions,
    ServeOptions,
    SessionsOptions,
    ToolOptions,
    ToolsOptions,
)
from caramelo_tui.launch.collector import collector_at_rest
from caramelo_tui.launch.start import workspace_root

__all__ = ("launch", "workspace_root")


def launch(options: Options) -> int:
    """Start what the options ask for and return the exit code.

    Raises:
        ConfigError: If something that the user set cannot be used.
    """
    match options:
        case AppOptions():
            from caramelo_tui.launch.app import open_app  # noqa: PLC0415 - paid for by whoever needs it only

            return open_app(options)
        case RunOptions():
            return _run(options)
        case ServeOptions():
            from caramelo_tui.launch.serve import serve_app  # noqa: PLC0415 - paid for by whoever needs it only

            return serve_app(options)
        case ToolOptions() | ToolsOptions():
            return _tools(options)
        case ConfigOptions() | PolicyOptions() | DoctorOptions() | SessionsOptions():
            return _report(options)
        case _:
            assert_never(options)


def _run(options: RunOptions) -> int:
    with collector_at_rest():
        from caramelo_tui.launch.runs import run_prompt  # noqa: PLC0415 - paid for by whoever needs it only

        return run_prompt(options)


def _tools(options: ToolOptions | ToolsOptions) -> int:
    from caramelo_tui.launch.tools import print_tools, run_tools  # noqa: PLC0415 - paid for by whoever needs it only

    return run_tools(options) if isinstance(options, ToolOptions) else print_tools(options)


def _report(options: ConfigOptions | PolicyOptions | DoctorOptions | SessionsOptions) -> int:
    match options:
        case ConfigOptions():
            from caramelo_tui.launch.reports import print_config  # noqa: PLC0415 - paid for by whoever needs it only

            return print_config(options)
        case PolicyOptions():
            from caramelo_tui.launch.reports import print_policy  # noqa: PLC0415 - paid for by whoever needs it only

            return print_policy(options)
        case DoctorOptions():
            from caramelo_tui.launch.doctor import run_doctor  # noqa: PLC0415 - paid for by whoever needs it only

            return run_doctor(options)
        case SessionsOptions():
            from caramelo_tui.launch.sessions import run_sessions  # noqa: PLC0415 - paid for by whoever needs it only

            return run_sessions(options)
