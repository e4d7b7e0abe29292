"""A model that calls everything with anything, in a whole agent, while the tree changes.

Owns the play and what it checks: ``python -m tests.soak.hostile_model CALLS [SEED]`` plays any
number (``make hostile``); a bounded number is part of the tests (test_hostile_model.py).
"""

import asyncio
import hashlib
import json
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from pathlib import Path

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.agent.port import EventReader
from caramelo_tui.composition import build_agent
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import RunEnded, ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ToolArgumentsDelta,
    ToolCallBegan,
)
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from tests.doubles.agent_worlds import assert_valid_for_provider
from tests.doubles.git_worlds import git
from tests.doubles.hostile_calls import TEXTS, Chaos, Faults
from tests.pilot.real_agent import ScriptedModels, agent_options
from tests.soak.counts import Counts, counts_now

SECRET = b"the secret outside"
COMMAND_TOOLS = frozenset({"bash", "run_command"})
WRITE_TOOLS = frozenset({"file_write", "write_file"})
GOOD_PATHS = ("a.txt", "b/c.txt", "new/deep/er.txt", "link", "folder-link/x", "n.txt")
IDS = ("", "same", "\x1b[2J", "\ud800", "x" * 5_000)
"""Ids that no vendor gives."""
_SLOW = ("git_", "create_", "spawn")
_LOOK_EACH = 20
"""Runs between two looks at what is held: a look collects garbage, which takes its time."""
_RUN_LIMIT_S = 120.0


@dataclass(slots=True)
class Moody:
    """Answers as a person without a plan: yes, no, partly; commands only where they leave a mark.

    Meanwhile another program is at work: the tree changes between question and answer, too.
    """

    pick: random.Random
    chaos: Chaos
    approved: set[str] = field(default_factory=set[str])
    """Commands that may run."""

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Answer at once."""
        if self.pick.random() < 0.2:
            self.chaos.meddle()
        if self.pick.random() < 0.3:
            return Refused(reason="Not now.\x1b[2J")
        match request:
            case ReviewRequest():
                accepted = {
                    hunk.id: self.pick.random() < 0.8
                    for write in request.writes
                    for hunk in write.proposal.hunks
                }
                return ReviewAnswer(accepted=accepted)
            case CommandRequest() if request.command.command.startswith("printf x > mark-"):
                self.approved.add(request.command.command.rpartition(" ")[2])
                return CommandAnswer(action=CommandAction.RUN)
            case _:
                return Refused(reason="No.")


class HostileModel:
    """A provider that plays such a model; for the main agent and its sub-agents alike."""

    def __init__(self, *, pick: random.Random, chaos: Chaos) -> None:
        self._pick = pick
        self._chaos = chaos
        self._marks = 0

    @property
    def name(self) -> str:
        """What it is called."""
        return "hostile"

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        return Capabilities()

    async def warm(self) -> None:
        """Load nothing."""

    async def count_tokens(self, request: ProviderRequest) -> int | None:
        """Count nothing."""
        del request
        return None

    async def close(self) -> None:
        """Hold nothing."""

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Answer with some calls, now and then with the end; another program works meanwhile."""
        assert_valid_for_provider(request)
        if self._pick.random() < 0.5:
            self._chaos.meddle()
        await asyncio.sleep(0)
        if not request.tools or self._pick.random() < 0.04:
            yield TextDelta(text="enough")
            yield StreamStopped(stop_reason=StopReason.END_TURN)
            return
        for slot in range(self._pick.randrange(1, 6)):
            name, arguments = self._call(request)
            call_id = self._pick.choice(IDS) if self._pick.random() < 0.2 else f"c{slot}"
            yield ToolCallBegan(slot=slot, call_id=call_id, name=name)
            yield ToolArgumentsDelta(slot=slot, fragment=arguments)
        yield StreamStopped(stop_reason=StopReason.TOOL_USE)

    def _call(self, request: ProviderRequest) -> tuple[str, str]:
        specs, at = request.tools, self._pick.random()
        commands = [spec.name for spec in specs if spec.name in COMMAND_TOOLS]
        if commands and at < 0.01:
            self._marks += 1
            return commands[0], json.dumps({"command": f"printf x > mark-{self._marks}"})
        writers = [spec.name for spec in specs if spec.name in WRITE_TOOLS]
        if writers and at < 0.15:
            path, text = self._pick.choice(GOOD_PATHS), self._pick.choice(TEXTS)
            return writers[0], json.dumps({"path": path, "content": text})
        if at < 0.95:
            # Each call of the others starts programs: rare, so that a play makes many calls.
            specs = tuple(spec for spec in specs if not spec.name.startswith(_SLOW))
        return self._chaos.call(specs or request.tools)


@dataclass(slots=True, kw_only=True)
class Played:
    """What came of a play."""

    calls: int = 0
    runs: int = 0
    states: Counter[str] = field(default_factory=Counter[str])
    looks: list[Counts] = field(default_factory=list[Counts])


class Play:
    """One agent in one mode, its hostile model, and what must hold."""

    def __init__(self, folder: Path, *, profile: str, mode: ApprovalMode, seed: int) -> None:
        self._folder = folder
        self._root = _planted(folder)
        pick = random.Random(seed)  # noqa: S311 - the same calls each time, no secret
        chaos = Chaos(seed, self._root)
        self.approver = Moody(pick, chaos)
        model = ModelInUse(provider=HostileModel(pick=pick, chaos=chaos), model="hostile")
        models = ScriptedModels([[]], [[]])
        models.change_main(model)
        models.change_role("", model)
        settings = Settings(profile=profile, mode=mode, turns=50)
        options = agent_options(self._root, folder / "home", settings)
        options = replace(
            options, core=replace(options.core, approver=self.approver), is_watched=False
        )
        self._agent = build_agent(options, models=models)
        self._secrets = _print_of(folder)
        self._faults = Faults()
        self.played = Played()

    async def run(self, calls: int) -> Played:
        """Prompt until so many calls came to an end.

        Raises:
            AssertionError: At the first that does what none may.
        """
        logging.getLogger("caramelo_tui").addHandler(self._faults)
        self._agent.start()
        reader = self._agent.read_events()
        try:
            while self.played.calls < calls:
                self._agent.submit(f"prompt {self.played.runs}")
                async with asyncio.timeout(_RUN_LIMIT_S):
                    await self._follow(reader)
                self._check()
                if self.played.runs % _LOOK_EACH == 1:
                    self.played.looks.append(counts_now())
        finally:
            reader.close()
            await self._agent.close()
            logging.getLogger("caramelo_tui").removeHandler(self._faults)
        return self.played

    async def _follow(self, reader: EventReader) -> None:
        """Follow one run: each call has one start and one end, and the run no fault of ours."""
        open_calls: set[tuple[str, str]] = set()
        known: set[tuple[str, str]] = set()
        async for event in reader:
            match event:
                case ToolCallStarted():
                    key = (event.head.agent, event.call_id)
                    assert key not in known, key
                    known.add(key)
                    open_calls.add(key)
                case ToolCallFinished():
                    open_calls.remove((event.head.agent, event.call_id))
                    assert SECRET.decode() not in event.result.text, event.call_id
                    self.played.calls += 1
                    self.played.states[event.result.state.value] += 1
                case RunEnded():
                    assert "Internal error" not in event.error, event.error
                    break
                case _:
                    pass
        assert not open_calls
        self.played.runs += 1

    def _check(self) -> None:
        faults = [(record.getMessage(), record.exc_info) for record in self._faults.records]
        assert not faults, faults[0]
        assert _print_of(self._folder) == self._secrets, "a byte outside of the workspace"
        marks = {path.name for path in self._root.glob("mark-*")}
        assert marks <= self.approver.approved, "a command ran that nobody approved"


def _planted(folder: Path) -> Path:
    """Return the workspace, with what must stay as it is beside it."""
    root, outside = folder / "project", folder / "outside"
    for place in (root, outside, folder / "project-twin", folder / "home", outside / "deep"):
        place.mkdir()
    (outside / "secret").write_bytes(SECRET)
    (outside / "deep" / "canary").write_bytes(b"sings\n" * 100)
    (folder / "project-twin" / "x").write_bytes(b"twin")
    git(root, "init", "--quiet", "--initial-branch=main")
    (root / "a.txt").write_text("one\n")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "first")
    return root


def _print_of(folder: Path) -> str:
    """Return a hash over names, modes and contents of what lies beside the workspace."""
    found = hashlib.sha256()
    for top in ("outside", "project-twin"):
        for path in sorted((folder / top, *(folder / top).rglob("*"))):
            state = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            found.update(repr((str(path), state.st_mode, state.st_mtime_ns, content)).encode())
    names = sorted(path.name for path in folder.iterdir())
    return found.hexdigest() + repr(names)


def main() -> int:
    """Play in every mode and profile, in slices, and print what came of each."""
    calls, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    worlds = [(profile, mode) for profile in ("caramelo", "core") for mode in ApprovalMode]
    for number, (profile, mode) in enumerate(worlds):
        with tempfile.TemporaryDirectory() as folder:
            play = Play(Path(folder), profile=profile, mode=mode, seed=seed * 1_000 + number)
            played = asyncio.run(play.run(calls // len(worlds)))
        first, last = played.looks[len(played.looks) // 10], played.looks[-1]
        line = (
            f"{profile}, {mode.value}: {played.calls} calls in {played.runs} runs, "
            f"{dict(played.states)}; memory {first.memory_mb:.0f} to {last.memory_mb:.0f} MB, "
            f"files {first.files} to {last.files}, tasks {first.tasks} to {last.tasks}"
        )
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
