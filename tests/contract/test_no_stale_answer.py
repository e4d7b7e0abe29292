"""No answer is stale: another program changes files, and the next call sees it."""

import contextlib
import json
import os
import random
import subprocess
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition.core import Core, CoreOptions, build_core
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import ToolCallFinished
from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.domain.tool_calls import JsonValue, ToolCall
from caramelo_tui.workspace.tree_watch import TreeWatch
from tests.doubles.other_program import OtherProgram, other_program

CHANGES = 3_000
"""Outside changes, each followed at once by a call."""

FILE_TOOLS = {"caramelo": "file_read", "core": "read_file"}
FOLDER_TOOLS: Mapping[str, tuple[str, ...]] = {
    "caramelo": ("list_dir",),
    "core": ("list_files", "list_files recursive"),
}
TREE_TOOLS: Mapping[str, tuple[str, ...]] = {
    "caramelo": ("grep", "grep folder", "glob"),
    "core": ("search_codebase", "search_codebase folder"),
}
KINDS = (
    *("rewrite", "rename", "same_stamp", "create", "nested", "skipped") * 3,
    *("delete", "move_file", "move_folder", "delete_folder", "ignore"),
    *("link", "outside", "second_name"),
    *("git_add", "git_commit", "git_reset", "git_checkout", "git_branch", "git_config"),
)
"""What the other program does, by how often."""
Question = tuple[str, dict[str, JsonValue]]
EXPENSIVE = frozenset({"git_status", "git_diff", "git_log"})
GIT_TOOLS = ("git_status", "git_diff", "git_diff staged", "git_log")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


@pytest.fixture
def other(workspace: Path) -> Iterator[OtherProgram]:
    with other_program(workspace) as program:
        yield program


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    text: str
    is_error: bool
    is_cached: bool


class Asker:
    """Calls tools as a model would, one a turn, and can run the same call past the cache."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.cached: Counter[str] = Counter()
        self._number = 0

    async def ask(self, tool: str, **arguments: JsonValue) -> Answer:
        self._number += 1
        call = ToolCall(
            id=CallId(f"call-{self._number}"), name=tool, arguments_json=json.dumps(arguments)
        )
        start = len(self.core.events.events) + 1
        self.core.events.begin_run(RunId(f"run-{self._number}"))
        self.core.events.begin_turn(TurnId("turn-1"))
        await self.core.pipeline.run_turn([call])
        self.core.events.end_turn()
        self.core.events.end_run()
        (event,) = (
            event
            for event in self.core.events.events_since(start)
            if isinstance(event, ToolCallFinished)
        )
        self.cached[tool] += event.is_cached
        result = event.result
        return Answer(text=result.text, is_error=result.is_error, is_cached=event.is_cached)

    async def compare(self, tool: str, **arguments: JsonValue) -> Answer:
        """Ask, and see that an answer from the cache is what running gives now."""
        answer = await self.ask(tool, **arguments)
        if answer.is_cached:
            fresh = await self.core.pipeline.run_again(CallId(f"call-{self._number}"))
            assert fresh is not None
            assert (answer.text, answer.is_error) == (fresh.text, fresh.is_error)
        return answer

    @staticmethod
    def arguments(text: str) -> dict[str, JsonValue]:
        """Return the arguments that a JSON object holds."""
        loaded: dict[str, JsonValue] = json.loads(text)
        return loaded

    async def until_cached(self, tool: str, **arguments: JsonValue) -> Answer:
        """Ask until it is answered from the cache: what changed in the last 50 ms is not kept."""
        deadline = time.monotonic() + 10
        answer = await self.ask(tool, **arguments)
        while not answer.is_cached:
            assert time.monotonic() < deadline
            answer = await self.ask(tool, **arguments)
        return answer

    @property
    def watch(self) -> TreeWatch:
        watch = self.core.cache._trees
        assert isinstance(watch, TreeWatch)
        return watch


@contextlib.asynccontextmanager
async def asker(workspace: Path, state: Path, profile: str = "caramelo") -> AsyncGenerator[Asker]:
    core = build_core(
        CoreOptions(
            root=workspace,
            settings=Settings(profile=profile),
            locations=Locations(config=state, state=state),
            environment=dict(os.environ),
            approver=ByHandApprover(approves_writes=False, approves_commands=False),
        )
    )
    try:
        yield Asker(core)
    finally:
        await core.end_processes()


class Walk:
    """A fixed walk of changes and questions over one workspace."""

    def __init__(self, other: OtherProgram, askers: Mapping[str, Asker], seed: int) -> None:
        self.other = other
        self.askers = askers
        self.choose = random.Random(seed)  # noqa: S311 - a fixed walk, no secret
        self.files: set[str] = set()
        self.kinds: Counter[str] = Counter()
        self.asked: dict[str, list[Question]]
        self.branches = 1
        self.number = 0
        self.asked = {profile: [(FILE_TOOLS[profile], {"path": "first.txt"})] for profile in askers}

    async def step(self) -> None:
        """Ask, let the other program change something, and ask the same again."""
        self.number += 1
        kind, act, path = self._next_change()
        profile = self.choose.choice(sorted(self.askers))
        tool, arguments = self._question(profile, kind, path)
        me = self.askers[profile]
        # What is about to change is asked for first, so that an old answer is there to be given.
        await me.ask(tool, **arguments)
        act()
        self.kinds[kind] += 1
        await me.compare(tool, **arguments)
        if tool in EXPENSIVE and self.number % 4 == 0:
            await me.compare(tool, **arguments)
        # Another question, whose answer may have been kept for many changes by now.
        if self.number % 2:
            old_tool, old_arguments = self.choose.choice(self.asked[profile])
            await me.compare(old_tool, **old_arguments)
        if tool not in EXPENSIVE:
            self.asked[profile] = [*self.asked[profile][-30:], (tool, arguments)]

    def _question(self, profile: str, kind: str, path: str) -> tuple[str, dict[str, JsonValue]]:
        folder = path.rpartition("/")[0] or "."
        is_git = self.choose.random() < (0.2 if kind.startswith("git") else 0.02)
        # Searches start processes: they are asked for half as often as the quick ones.
        names = [FILE_TOOLS[profile], *FOLDER_TOOLS[profile]] * 2 + [*TREE_TOOLS[profile]]
        offered = self.askers[profile].core.tools
        known = {tool.spec.name for tool in offered}
        names = [name for name in names if name.split()[0] in known]
        name = self.choose.choice(list(GIT_TOOLS) if is_git else names)
        tool, _, form = name.partition(" ")
        arguments: dict[str, JsonValue] = {}
        if tool in {"file_read", "read_file"}:
            arguments = {"path": path}
        elif tool in {"list_dir", "list_files"}:
            arguments = {"path": folder}
        elif tool in {"grep", "search_codebase"}:
            arguments = {"pattern": "^mark"}
        elif tool == "glob":
            arguments = {"pattern": "**/*.txt"}
        if form == "recursive":
            arguments = {"path": ".", "recursive": True}
        elif form == "folder":
            arguments["path"] = folder
        elif form == "staged":
            arguments["staged"] = True
        return tool, arguments

    def _next_change(self) -> tuple[str, Callable[[], None], str]:
        kind = self.choose.choice(KINDS)
        path = self._new_path(kind) if kind in {"create", "nested", "skipped"} else ""
        path = path or self.some_file()
        if kind in {"move_folder", "delete_folder"} and "/" not in path:
            kind = "rewrite"
        return kind, self._act(kind, path), path

    def _act(self, kind: str, path: str) -> Callable[[], None]:
        text = f"mark {self.number:06d}\n"
        match kind:
            case "delete":
                self.files.discard(path)
                return lambda: self.other.delete(path)
            case "move_file":
                target = self._new_path("nested")
                self._moved(path, target)
                return lambda: self.other.move(path, target)
            case "move_folder" | "delete_folder":
                return self._folder_change(kind, path)
            case "link" | "outside" | "second_name" | "ignore":
                return self._lasting_change(kind, path, text)
            case _ if kind.startswith("git_"):
                return self._git_change(kind)
            case _:
                self.files.add(path)
                how = kind if kind in {"rename", "same_stamp"} else "rewrite"
                return lambda: self.other.write(path, text, how=how)

    def _git_change(self, kind: str) -> Callable[[], None]:
        match kind:
            case "git_add":
                return lambda: self.other.git("add", "-A")
            case "git_commit":
                message = f"commit {self.number}"
                return lambda: self.other.git("commit", "-q", "--allow-empty", "-am", message)
            case "git_reset":
                return lambda: self.other.git("reset", "-q")
            case "git_branch":
                self.branches += 1
                name = f"b{self.branches - 1}"
                return lambda: self.other.git("checkout", "-q", "-b", name)
            case "git_config":
                value = str(self.choose.randrange(8, 20))
                return lambda: self.other.git("config", "core.abbrev", value)
            case _:
                # Another branch without touching the files: they then differ from its commit.
                name = f"refs/heads/b{self.choose.randrange(self.branches)}"
                return lambda: self.other.git("symbolic-ref", "HEAD", name)

    def _folder_change(self, kind: str, path: str) -> Callable[[], None]:
        folder = path.split("/", maxsplit=1)[0]
        below = {name for name in self.files if name.startswith(f"{folder}/")}
        self.files -= below
        if kind == "delete_folder":
            return lambda: self.other.delete_folder(folder)
        above = f"moved{self.number % 5}"
        target = f"{above}s/{self.number}" if above == folder else f"{above}/{self.number}"
        self.files |= {f"{target}{name.removeprefix(folder)}" for name in below}
        return lambda: self.other.move(folder, target)

    def _lasting_change(self, kind: str, path: str, text: str) -> Callable[[], None]:
        """Change what leads out of the workspace, is written from out there, or hides files."""
        if kind == "ignore":
            rule = self.choose.choice(["*.txt", "n1/", "!*.txt", "f2.txt", ""])
            self.files.add(".gitignore")
            return lambda: self.other.write(".gitignore", f"{rule}\n")
        if kind == "link":
            name = f"l{self.number % 20}"
            target = self.choose.choice([path, "../beside.txt", "../none", "n0", "../ws"])
            return lambda: self.other.link(name, target)
        if kind == "second_name":
            name = f"s{self.number % 10}.txt"
            self.files.add(name)
            return lambda: self.other.second_name("shared.txt", name)
        # The same file, and an ignore file's target, by names that nobody watches.
        place = self.choose.choice(["../beside.txt", "../shared.txt"])
        return lambda: self.other.write(place, text, how="same_stamp")

    def _moved(self, path: str, target: str) -> None:
        self.files.discard(path)
        self.files.add(target)

    def some_file(self) -> str:
        if not self.files:
            self.other.write("first.txt", "mark\n")
            self.files.add("first.txt")
        return self.choose.choice(sorted(self.files))

    def _new_path(self, kind: str) -> str:
        depth = {"create": 0, "nested": 3, "skipped": 1}[kind]
        folders = [f"n{self.choose.randrange(2)}" for _ in range(depth)]
        if kind == "skipped":
            folders.append(self.choose.choice(["build", "node_modules", "dist"]))
        return "/".join([*folders, f"f{self.choose.randrange(8)}.txt"])


@pytest.fixture
def repository(workspace: Path, other: OtherProgram) -> Path:
    subprocess.run(["git", "init", "-q", "-b", "b0", str(workspace)], check=True)
    other.write("first.txt", "mark\n")
    other.write("../beside.txt", "f3.txt\n")
    other.link(".rgignore", "../beside.txt")
    other.write("../shared.txt", "mark\n")
    other.second_name("../shared.txt", "shared.txt")
    other.git("add", "-A")
    other.git("commit", "-qm", "first")
    return workspace


@pytest.mark.timeout(300)
async def test_the_next_call_sees_what_another_program_changed(
    repository: Path, other: OtherProgram, tmp_path: Path
) -> None:
    async with (
        asker(repository, tmp_path / "home") as caramelo,
        asker(repository, tmp_path / "home2", "core") as core,
    ):
        walk = Walk(other, {"caramelo": caramelo, "core": core}, seed=7)
        for number in range(CHANGES):
            await walk.step()
            if number % 500 == 250:
                other.flood(*(walk.some_file() for _ in range(4)))
            if number % 500 == 400:
                for me in walk.askers.values():
                    break_off(me.watch)
    assert min(walk.kinds.values()) > CHANGES / 100
    # The walk is worth nothing where every call runs anyway.
    assert sum((caramelo.cached + core.cached).values()) > CHANGES / 4
    for me, profile in ((caramelo, "caramelo"), (core, "core")):
        names = {FILE_TOOLS[profile], *FOLDER_TOOLS[profile], *TREE_TOOLS[profile], *GIT_TOOLS}
        offered = {tool.spec.name for tool in me.core.tools}
        tools = {name.split()[0] for name in names} & offered
        assert {tool: me.cached[tool] for tool in tools if not me.cached[tool]} == {}


def break_off(watch: TreeWatch) -> None:
    """Close the watch's queue behind its back, as nothing of ours ever does."""
    assert watch._open is not None
    watch._open.queue.close()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("grep", {"pattern": "mark"}),
        ("glob", {"pattern": "**"}),
        ("git_status", {}),
        ("git_diff", {}),
        ("git_log", {}),
    ],
)
async def test_answers_that_show_a_tree_come_from_the_cache_until_the_watch_breaks(
    repository: Path,
    other: OtherProgram,
    tmp_path: Path,
    tool: str,
    arguments: dict[str, JsonValue],
) -> None:
    async with asker(repository, tmp_path / "home") as me:
        first = await me.until_cached(tool, **arguments)
        break_off(me.watch)
        assert not (await me.ask(tool, **arguments)).is_cached
        assert await me.until_cached(tool, **arguments) == first
        # More events than the queue holds: some are lost.
        other.flood("first.txt", ".git/HEAD", ".git/config")
        assert not (await me.ask(tool, **arguments)).is_cached
        assert await me.until_cached(tool, **arguments) == first


async def test_repeated_reads_of_an_unchanged_file_are_hits(
    workspace: Path, tmp_path: Path
) -> None:
    (workspace / "a.txt").write_text("same\n")
    async with asker(workspace, tmp_path / "home") as me:
        first = await me.ask("file_read", path="a.txt")
        assert not first.is_cached
        assert (await me.until_cached("file_read", path="./a.txt")).text == first.text
