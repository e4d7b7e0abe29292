"""Real repositories with the git tools, and a recording stand-in for gh.

Each world has a home of its own; git is the real one. Remotes are bare repositories on the
disk. The stand-in notes what it was called with, as gh would parse it, and answers an address.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import Effect, JsonValue, PreparedCall, ToolCall
from caramelo_tui.tools.base import Tool, ToolContext, ToolOutput
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.git.create_pull_request import CreatePullRequest
from caramelo_tui.tools.git.git_branch import GitBranch
from caramelo_tui.tools.git.git_commit import GitCommit
from caramelo_tui.tools.git.git_diff import GitDiff
from caramelo_tui.tools.git.git_log import GitLog
from caramelo_tui.tools.git.git_status import GitStatus
from caramelo_tui.tools.git.program import GitProgram
from caramelo_tui.tools.subprocesses import CommandRunner
from caramelo_tui.tools.validation import parse_arguments
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.overlay import Overlay
from caramelo_tui.workspace.sandbox import Sandbox

GIT_TOOLS = (
    "git_status",
    "git_diff",
    "git_commit",
    "git_log",
    "git_branch",
    "create_pull_request",
)
IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test")
PULL_REQUEST_URL = "https://github.test/acme/tally/pull/17"

_STAND_IN = f"""#!{sys.executable}
import json, os, sys
flags = dict(a[2:].split("=", 1) if "=" in a else (a[2:], "") for a in sys.argv[3:])
note = {{"argv": sys.argv[1:], "cwd": os.getcwd(), "flags": flags, "env": dict(os.environ)}}
if "body-file" in flags:
    with open(flags["body-file"], encoding="utf-8", newline="") as file:
        note["body"] = file.read()
    note["body_mode"] = os.stat(flags["body-file"]).st_mode & 0o777
with open(os.path.join(os.path.dirname(sys.argv[0]), "gh.calls"), "a") as file:
    file.write(json.dumps(note) + "\\n")
if flags.get("title") == "please fail":
    sys.exit("no such luck")
print("{PULL_REQUEST_URL}")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GhCall:
    """One call of the stand-in."""

    argv: tuple[str, ...]
    flags: Mapping[str, str]
    """Values by option name, as gh parses ``--name=value``."""
    body: str
    body_mode: int
    env: Mapping[str, str]
    cwd: str


class GhStandIn:
    """A program named gh that notes its calls and succeeds."""

    def __init__(self, folder: Path) -> None:
        """Put it into ``folder``, which goes on the search path."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        program = folder / "gh"
        program.write_text(_STAND_IN)
        program.chmod(0o755)

    @property
    def calls(self) -> list[GhCall]:
        notes = self.folder / "gh.calls"
        if not notes.exists():
            return []
        return [
            GhCall(
                argv=tuple(note["argv"]),
                flags=note["flags"],
                body=note.get("body", ""),
                body_mode=note.get("body_mode", 0),
                env=note["env"],
                cwd=note["cwd"],
            )
            for note in map(json.loads, notes.read_text().splitlines())
        ]


def git(folder: Path, *arguments: str, ok: Sequence[int] = (0,)) -> str:
    """Run git as another program would and return what it printed."""
    done = subprocess.run(
        ["git", *IDENTITY, *arguments], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode in ok, done.stderr.decode()
    return done.stdout.decode("utf-8", "replace")


@dataclass(kw_only=True)
class GitWorld:
    """A workspace with the git tools."""

    root: Path
    outside: Path
    """A folder beside the workspace."""
    tools: Mapping[str, Tool]
    context: ToolContext
    program: GitProgram
    live: list[str] = field(default_factory=list[str])
    """Live output that came."""

    def git(self, *arguments: str, ok: Sequence[int] = (0,)) -> str:
        """Run git in the workspace as another program would."""
        return git(self.root, *arguments, ok=ok)

    def write(self, path: str, content: str | bytes) -> Path:
        """Put a file there, as another program would."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def commit(self, message: str, **files: str) -> str:
        """Commit files as another program would; ``__`` in a name is a dot. Return the hash."""
        for name, content in files.items():
            self.write(name.replace("__", "."), content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD").strip()

    def script(self, name: str, body: str) -> Path:
        """Put an executable script into the workspace."""
        file = self.write(name, f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)
        return file

    async def prepare(self, tool: str, **arguments: JsonValue) -> PreparedCall:
        """Validate and prepare a call."""
        found = self.tools[tool]
        call = ToolCall(id=CallId("call-1"), name=tool, arguments_json=json.dumps(arguments))
        return await found.prepare(
            call, parse_arguments(found.spec, call.arguments_json), self.context
        )

    async def execute(self, prepared: PreparedCall) -> ToolOutput:
        """Run a prepared call."""
        return await self.tools[prepared.call.name].execute(prepared, self.context)

    async def run(self, tool: str, **arguments: JsonValue) -> ToolOutput:
        """Run a call to its end; a failure comes back as the error result it becomes."""
        try:
            return await self.execute(await self.prepare(tool, **arguments))
        except ToolFailure as failure:
            return ToolOutput(text=str(failure), is_error=True)

    async def text(self, tool: str, **arguments: JsonValue) -> str:
        """Run a call that must succeed and return its text."""
        output = await self.run(tool, **arguments)
        assert not output.is_error, output.text
        return output.text

    async def error(self, tool: str, **arguments: JsonValue) -> str:
        """Run a call that must fail and return its text."""
        output = await self.run(tool, **arguments)
        assert output.is_error, output.text
        return output.text


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldPlan:
    """How a world is made."""

    is_trusted: bool = True
    is_repository: bool = True
    sub_folder: str = ""
    """The workspace is this folder of the repository."""
    path: str = ""
    """Search path; the machine's own by default."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    identity: bool = True


def open_git_world(folder: Path, plan: WorldPlan | None = None) -> GitWorld:
    """Make a workspace in ``folder`` with the git tools over it."""
    plan = plan or WorldPlan()
    top = folder / "workspace"
    root = top / plan.sub_folder
    root.mkdir(parents=True, exist_ok=True)
    (folder / "outside").mkdir(exist_ok=True)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    if plan.is_repository:
        git(top, "init", "--quiet", "--initial-branch=main")
    if plan.identity:
        settings = home / "gitconfig"
        settings.write_text("[user]\n\tname = Ada\n\temail = ada@example.test\n")
    program = GitProgram(
        root,
        is_trusted=plan.is_trusted,
        environment={
            "PATH": plan.path or os.environ["PATH"],
            "HOME": str(home),
            "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            **plan.environment,
        },
    )
    return _world(root, folder, program)


def _world(root: Path, folder: Path, program: GitProgram) -> GitWorld:
    sandbox = Sandbox(root)
    files = FileStore(sandbox)
    live: list[str] = []

    def note(_stream: OutputStream, text: str) -> None:
        live.append(text)

    context = ToolContext(
        sandbox=sandbox,
        files=files,
        overlay=Overlay(files),
        commands=CommandRunner(
            session_mark="git-world",
            environment=ChildEnvironment({"PATH": "/usr/bin:/bin"}),
            artifacts_folder=folder / "artifacts",
        ),
        emit_output=note,
    )
    tools: tuple[Tool, ...] = (
        GitStatus(program),
        GitDiff(program),
        GitCommit(program),
        GitLog(program),
        GitBranch(program),
        CreatePullRequest(program),
    )
    return GitWorld(
        root=root,
        outside=folder / "outside",
        tools={tool.spec.name: tool for tool in tools},
        context=context,
        program=program,
        live=live,
    )


def with_remote(world: GitWorld, folder: Path, *, name: str = "origin") -> Path:
    """Give the workspace a bare repository as remote, with its branches pushed."""
    bare = folder / f"{name}.git"
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(bare))
    world.git("remote", "add", name, str(bare))
    world.git("push", "--quiet", "--all", name)
    world.git("fetch", "--quiet", name)
    return bare


def effect_of(prepared: PreparedCall) -> Effect:
    """Return what a prepared call does."""
    return prepared.effect
