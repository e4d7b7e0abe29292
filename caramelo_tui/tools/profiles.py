"""List which tools a profile offers.

Owns the vocabularies: names and order of the offered tools. Twins of two profiles share their
work and differ in schema and rendering, which stand in each tool's module. Proven by
tests/unit/tools/test_profiles.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.profiles import CORE
from caramelo_tui.tools.base import Tool
from caramelo_tui.tools.delegation.spawn_subagent import Delegate, SpawnSubagent
from caramelo_tui.tools.delegation.task_done import TaskDone
from caramelo_tui.tools.files.file_edit import file_edit
from caramelo_tui.tools.files.file_read import FileRead
from caramelo_tui.tools.files.file_write import file_write
from caramelo_tui.tools.files.list_dir import ListDir
from caramelo_tui.tools.git.create_pull_request import CreatePullRequest
from caramelo_tui.tools.git.git_branch import GitBranch
from caramelo_tui.tools.git.git_commit import GitCommit
from caramelo_tui.tools.git.git_diff import GitDiff
from caramelo_tui.tools.git.git_log import GitLog
from caramelo_tui.tools.git.git_status import GitStatus
from caramelo_tui.tools.git.program import GitProgram
from caramelo_tui.tools.search.glob import Glob
from caramelo_tui.tools.search.grep import Grep
from caramelo_tui.tools.search.regex_process import RegexProcesses
from caramelo_tui.tools.search.ripgrep import Ripgrep
from caramelo_tui.tools.shell.bash import Bash
from caramelo_tui.tools.shell.run_command import RunCommand, RunCommandLimits
from caramelo_tui.tools.web.client import WebClient
from caramelo_tui.tools.web.web_fetch import WebFetch

CARAMELO_TOOLS = ("file_read", "list_dir", "grep", "glob", "file_edit", "file_write", "bash")
"""The seven of profile ``caramelo``, in the order in which they are offered."""
SHARED_TOOLS = (
    *("git_status", "git_diff", "git_commit", "git_log", "git_branch", "create_pull_request"),
    *("web_fetch", "spawn_subagent"),
)
"""Offered in both profiles, behind their own."""
CORE_TOOLS = (
    *("read_file", "write_file", "edit_file"),
    *("run_command", "search_codebase", "list_files"),
)
"""The own tools of profile ``core``, in order."""
FINISH_TOOL = "task_done"
"""Offered in profile ``core``, last; a user of ``caramelo`` may add it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolParts:
    """What tools are made of, wired once per session."""

    regexes: RegexProcesses
    """Workers for ``grep``; the caller closes them with the session."""
    ripgrep: Ripgrep
    """Searches fast where it can."""
    git: GitProgram
    """The git and gh of the workspace."""
    web: WebClient
    """The session's way to the web."""
    delegate: Delegate
    """Starts sub-agents."""
    run_command: RunCommandLimits
    """What the configuration says about ``run_command``."""


def profile_names(profile: str) -> tuple[str, ...]:
    """Return the names that a profile offers, in order; any name but ``core`` is ``caramelo``."""
    if profile == CORE:
        return (*CORE_TOOLS, *SHARED_TOOLS, FINISH_TOOL)
    return (*CARAMELO_TOOLS, *SHARED_TOOLS)


def known_names(profile: str) -> tuple[str, ...]:
    """Return the names that a profile can offer: never those of the other vocabulary."""
    return tuple(dict.fromkeys((*profile_names(profile), FINISH_TOOL)))


def all_tools(profile: str, parts: ToolParts) -> tuple[Tool, ...]:
    """Return every tool that a profile can offer, in order."""
    own = _core_tools(parts) if profile == CORE else _caramelo_tools(parts)
    return (
        *own,
        *_git_tools(parts.git, allows_absolute=profile == CORE),
        WebFetch(parts.web),
        SpawnSubagent(parts.delegate),
        TaskDone(),
    )


def _git_tools(git: GitProgram, *, allows_absolute: bool) -> tuple[Tool, ...]:
    return (
        GitStatus(git),
        GitDiff(git),
        GitCommit(git, allows_absolute=allows_absolute),
        GitLog(git),
        GitBranch(git),
        CreatePullRequest(git),
    )


def _caramelo_tools(parts: ToolParts) -> tuple[Tool, ...]:
    return (
        FileRead(),
        ListDir(),
        Grep(parts.regexes, parts.ripgrep),
        Glob(),
        file_edit(),
        file_write(),
        Bash(),
    )


def _core_tools(parts: ToolParts) -> tuple[Tool, ...]:
    """Return the tools of the other vocabulary; few sessions load what they alone need."""
    from caramelo_tui.tools.files.edit_file import edit_file  # noqa: PLC0415 - see above
    from caramelo_tui.tools.files.list_files import ListFiles  # noqa: PLC0415 - see above
    from caramelo_tui.tools.files.read_file import ReadFile  # noqa: PLC0415 - see above
    from caramelo_tui.tools.files.write_file import write_file  # noqa: PLC0415 - see above
    from caramelo_tui.tools.search.search_codebase import SearchCodebase  # noqa: PLC0415 - see above

    return (
        ReadFile(),
        write_file(),
        edit_file(),
        RunCommand(parts.run_command),
        SearchCodebase(parts.ripgrep),
        ListFiles(),
    )
