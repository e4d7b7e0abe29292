"""Turn arguments into options.

``options`` holds what can be asked for, ``flags`` what several commands share, ``parsing`` reads
the words.
"""

from caramelo_tui.command_line.options import (
    AppOptions,
    ApproveFlag,
    CommonOptions,
    ConfigOptions,
    ConfigReport,
    DoctorOptions,
    ExportFlag,
    Options,
    PolicyOptions,
    RunOptions,
    ServeOptions,
    SessionAction,
    SessionsOptions,
    ShapeFlag,
    ToolOptions,
    ToolsOptions,
)
from caramelo_tui.command_line.parsing import parse

__all__ = (
    "AppOptions",
    "ApproveFlag",
    "CommonOptions",
    "ConfigOptions",
    "ConfigReport",
    "DoctorOptions",
    "ExportFlag",
    "Options",
    "PolicyOptions",
    "RunOptions",
    "ServeOptions",
    "SessionAction",
    "SessionsOptions",
    "ShapeFlag",
    "ToolOptions",
    "ToolsOptions",
    "parse",
)
