"""Run git and gh for the git tools.

Owns each start of git and gh: which program, with which variables and settings, in which
folder, for how long. A read carries settings that keep the repository's own programs from
running; in a workspace that is not trusted its filters are taken out too. There is no shell in
between, and every argument stands alone. Judges no values: ``values.py`` does. Proven by
tests/unit/tools/git/test_program.py and tests/contract/test_git_hostile_repositories.py.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.tools.base import ToolContext
from caramelo_tui.tools.child_start import ChildStart, StartPlace
from caramelo_tui.tools.git.environment import (
    READ_SETTINGS,
    WRITE_SETTINGS,
    GitEnvironment,
    Reach,
    setting_arguments,
)
from caramelo_tui.tools.git.outside_settings import OutsideSettings, read_listing
from caramelo_tui.tools.git.repository import (
    Repository,
    folder_with_repository,
    repository_from,
)
from caramelo_tui.tools.output_capture import LiveOutput, OutputWish
from caramelo_tui.tools.subprocesses import CommandResult, CommandRunner

KEEP_BYTES = 8_388_608
"""Of a list that is read here, so much is kept: some hundred thousand changed files."""
ERROR_BYTES = 4_096
"""Of what git says about a failure, so much goes to the model."""
READ_TIMEOUT_MS = 60_000
LOCAL_TIMEOUT_MS = 600_000
"""Hooks may run a project's tests."""
REMOTE_TIMEOUT_MS = 300_000
"""A push may carry much."""
_NAME_LIMIT = 200
"""Programs taken out by name; nobody has so many, and a command line has an end."""
_NO_FILTER = ("clean=", "smudge=", "process=", "required=false")

_TIMEOUTS = {
    Reach.READ: READ_TIMEOUT_MS,
    Reach.LOCAL: LOCAL_TIMEOUT_MS,
    Reach.REMOTE: REMOTE_TIMEOUT_MS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GitOutput:
    """How a git or gh ended."""

    exit_code: int
    stdout: bytes
    """As many of its first bytes as the caller wanted kept."""
    total_bytes: int
    """Bytes of standard output that came."""
    stderr: str
    """The end of what it said about its work, safe to show."""

    @property
    def text(self) -> str:
        """Standard output as text; bytes that are not UTF-8 are replaced."""
        return self.stdout.decode("utf-8", "replace")


class GitProgram:
    """The git and gh of one workspace."""

    def __init__(
        self,
        root: Path,
        *,
        is_trusted: bool,
        environment: Mapping[str, str],
        provider_names: Collection[str] = (),
        env_allow: Collection[str] = (),
    ) -> None:
        """Look at the environment; starts nothing.

        Args:
            root: Root of the workspace.
            is_trusted: Whether the user trusts it.
            environment: The user's variables, secrets included; git gets a part of them.
            provider_names: Variables that a provider setting names as its key.
            env_allow: Names that the user lets through although they look secret.
        """
        self._root = root.resolve()
        self._is_trusted = is_trusted
        self._environment = GitEnvironment(
            environment,
            root=self._root,
            is_trusted=is_trusted,
            provider_names=provider_names,
            env_allow=env_allow,
        )
        self._outside = OutsideSettings(self._root, home=Path(environment.get("HOME") or "/"))

    @property
    def outside(self) -> OutsideSettings:
        """Settings outside the workspace on which answers depend."""
        return self._outside

    def require_trust(self, tool: str) -> None:
        """Refuse a writing call in a workspace that is not trusted.

        Raises:
            ToolFailure: If so.
        """
        if not self._is_trusted:
            msg = (
                f"{tool} is refused: this workspace is not trusted, and hooks, filters and "
                "signing programs of its repository would run. The user can trust the folder "
                "when caramelo starts on it, or with --trust."
            )
            raise ToolFailure(msg)

    def require_gh(self) -> str:
        """Return the path of gh.

        Raises:
            ToolFailure: If it is not installed.
        """
        found = self._environment.program("gh")
        if found is None:
            raise ToolFailure(
                "gh, the GitHub command line, is not installed (no such program on PATH). "
                "Nothing was pushed. Install it and log in with: gh auth login"
            )
        return found

    async def open(self, call: ToolCall, context: ToolContext) -> "OpenRepository":
        """Find the workspace's repository for one call.

        Raises:
            ToolFailure: If there is no git or no repository, if git refuses it, or if it leads
                to another one.
        """
        git = self._environment.program("git")
        if git is None:
            raise ToolFailure("git is not installed (no such program on PATH).")
        runs = _Runs(git, self._environment, context.commands, call.id)
        top = await asyncio.to_thread(folder_with_repository, self._root)
        where = await runs.run(
            Reach.READ,
            self._root,
            ["rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"],
        )
        repository = await asyncio.to_thread(
            lambda: repository_from(self._root, top, where.stdout, is_trusted=self._is_trusted)
        )
        listing = read_listing(
            (await runs.run(Reach.READ, self._root, _LIST_SETTINGS, keep_bytes=KEEP_BYTES)).stdout
        )
        await asyncio.to_thread(self._outside.note, repository, listing)
        runs.settings += await asyncio.to_thread(self._outside.replacements, repository, listing)
        runs.settings += _without("hook", listing.names("hook"), ("enabled=false",))
        runs.settings += _without("diff", listing.names("diff"), ("process=",))
        if not self._is_trusted:
            runs.settings += _without("filter", listing.names("filter"), _NO_FILTER)
        return OpenRepository(
            repository, runs, gh=self._environment.program("gh"), is_trusted=self._is_trusted
        )


_LIST_SETTINGS = ("config", "--list", "--show-origin", "--includes", "-z")


class OpenRepository:
    """A repository for the length of one call."""

    def __init__(
        self, repository: Repository, runs: "_Runs", *, gh: str | None, is_trusted: bool
    ) -> None:
        self._runs = runs
        self._gh = gh
        self.place = repository
        """Where it is."""
        self.is_trusted = is_trusted
        """Whether its filters run, and its submodules are looked into."""

    async def read(
        self,
        *arguments: str,
        keep_bytes: int = KEEP_BYTES,
        is_at_top: bool = False,
        ends_with: Collection[int] = (0,),
        variables: Mapping[str, str] | None = None,
    ) -> GitOutput:
        """Run a git that changes nothing and runs no program of the repository's.

        Args:
            arguments: Command and arguments.
            keep_bytes: Bytes of standard output kept.
            is_at_top: Whether it starts in the working tree's top, not the workspace's root.
            ends_with: Exit codes that are an answer.
            variables: Further variables.

        Raises:
            ToolFailure: If it ends otherwise or takes too long.
        """
        return await self._runs.run(
            Reach.READ,
            self.place.top if is_at_top else self.place.root,
            arguments,
            keep_bytes=keep_bytes,
            ends_with=ends_with,
            variables=variables,
        )

    async def write(self, *arguments: str, on_output: LiveOutput | None = None) -> GitOutput:
        """Run a git that changes the repository, with the user's hooks; for trusted ones.

        Raises:
            ToolFailure: If it fails or takes too long.
        """
        return await self._runs.run(Reach.LOCAL, self.place.root, arguments, on_output=on_output)

    async def speak(self, *arguments: str, on_output: LiveOutput | None = None) -> GitOutput:
        """Run a git that speaks to a remote; for trusted repositories.

        Raises:
            ToolFailure: If it fails or takes too long.
        """
        return await self._runs.run(Reach.REMOTE, self.place.root, arguments, on_output=on_output)

    async def gh(self, *arguments: str) -> GitOutput:
        """Run gh; for trusted repositories.

        Raises:
            ToolFailure: If it is not installed, fails or takes too long.
        """
        return await self._runs.run(
            Reach.REMOTE, self.place.root, arguments, program=self._gh or "gh"
        )


class _Runs:
    """What the runs of one call have in common."""

    def __init__(
        self,
        git: str,
        environment: GitEnvironment,
        commands: CommandRunner,
        call_id: CallId,
    ) -> None:
        self._git = git
        self._environment = environment
        self._commands = commands
        self._call_id = call_id
        self.settings: tuple[str, ...] = READ_SETTINGS
        """Of each read; the filters to leave out come on top."""

    async def run(  # noqa: PLR0913 - one call's facts; all but the first three are keywords
        self,
        reach: Reach,
        folder: Path,
        arguments: Sequence[str],
        *,
        program: str = "",
        keep_bytes: int = KEEP_BYTES,
        ends_with: Collection[int] = (0,),
        variables: Mapping[str, str] | None = None,
        on_output: LiveOutput | None = None,
    ) -> GitOutput:
        """Run to the end.

        Raises:
            ToolFailure: If it cannot be started, does not end as it should, or takes too long.
        """
        name = Path(program).name if program else "git"
        result = await self._commands.run(
            ChildStart(
                command=(*([program] if program else self._started(reach)), *arguments),
                place=StartPlace(folder),
                environment=self._environment.for_child(reach, variables),
            ),
            OutputWish(head_bytes=max(keep_bytes, ERROR_BYTES), has_artifact=False, live=on_output),
            call_id=self._call_id,
            timeout_ms=_TIMEOUTS[reach],
        )
        what = f"{name} {arguments[0]}"
        if result.is_timed_out:
            seconds = _TIMEOUTS[reach] // 1_000
            msg = f"{what} did not end within {seconds} s; it and all that it started was killed."
            raise ToolFailure(msg)
        if result.exit_code not in ends_with:
            raise ToolFailure(_failure_text(what, result))
        return GitOutput(
            exit_code=result.exit_code or 0,
            stdout=result.stdout.head[:keep_bytes],
            total_bytes=result.stdout.total_bytes,
            stderr=_said(result.stderr.head),
        )

    def _started(self, reach: Reach) -> list[str]:
        settings = self.settings if reach is Reach.READ else WRITE_SETTINGS
        return [self._git, "--no-pager", *setting_arguments(settings)]


def _failure_text(what: str, result: CommandResult) -> str:
    # git speaks of failures on standard error, but for some (commit, hooks) on the other.
    said = _said(result.stderr.head) or _said(result.stdout.head)
    return f"{what} failed (exit code {result.exit_code})" + (f":\n{said}" if said else ".")


def _said(data: bytes) -> str:
    # The end of it: git's own sentence comes behind what a hook had to say.
    text = data[-ERROR_BYTES:].decode("utf-8", "replace").replace("\r\n", "\n")
    return visible(text.strip())


def _without(section: str, names: Collection[str], values: Collection[str]) -> tuple[str, ...]:
    """Return settings that take away what the named sub-sections make git run.

    Hooks that are named in the settings, and diff drivers that are processes, are newer than
    many gits; others pass over these settings.

    Raises:
        ToolFailure: If a name cannot be put on a command line, or there are too many.
    """
    if any("=" in name for name in names) or len(names) > _NAME_LIMIT:
        msg = (
            f"The repository was not read: its settings name programs ({section}.NAME) that "
            "cannot be taken out one by one."
        )
        if section == "filter":
            msg += " The user can trust the workspace; filters then work."
        raise ToolFailure(msg)
    return tuple(f"{section}.{name}.{value}" for name in sorted(names) for value in values)
