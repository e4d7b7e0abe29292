"""List which tools a profile offers.

Owns the vocabularies: names and order of the offered tools. Twins of two profiles share their
work and differ in schema and rendering, which stand in each tool's module. Proven by
tests/unit/tools/test_profiles.py.
"""

from caramelo_tui.tools.base import Tool
from caramelo_tui.tools.files.file_edit import file_edit
from caramelo_tui.tools.files.file_read import FileRead
from caramelo_tui.tools.files.file_write import file_write
from caramelo_tui.tools.files.list_dir import ListDir
from caramelo_tui.tools.search.glob import Glob
from caramelo_tui.tools.search.grep import Grep
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.shell.bash import Bash

CARAMELO_TOOLS = ("file_read", "list_dir", "grep", "glob", "file_edit", "file_write", "bash")
"""The seven of profile ``caramelo``, in the order in which they are offered."""


def caramelo_tools(regex_processes: RegexProcesses) -> tuple[Tool, ...]:
    """Return the tools of profile ``caramelo``, in order.

    Args:
        regex_processes: Workers for ``grep``; the caller closes them with the session.
    """
    return (
        FileRead(),
        ListDir(),
        Grep(regex_processes),
        Glob(),
        file_edit(),
        file_write(),
        Bash(),
    )
