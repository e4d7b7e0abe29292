"""Play a case that is one call or several, without a model.

Owns the calls: they take the whole path of the pipeline. In the area ``policy`` no command is
ever run, whatever is decided: a recorder stands where commands would be started.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.agent.pipeline_parts import PipelineParts, Policy
from caramelo_tui.composition import Core, CoreOptions, build_core
from caramelo_tui.composition.core import room
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import ToolCallFinished
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision, Verdict
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import PreparedCall
from caramelo_tui.headless.tools_by_hand import Answered, ToolsByHand
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.child_start import ChildStart
from caramelo_tui.tools.output_capture import OutputWish
from caramelo_tui.tools.subprocesses import CapturedOutput, CommandResult, CommandRunner
from caramelo_tui.tools.web.client import WebClient, WebLimits
from tests.case_runner.measures import measured, umask_of
from tests.case_runner.outside import Steps, act_outside
from tests.case_runner.played import Played, survivors_of
from tests.case_runner.settings_of import is_trusted, load_for
from tests.case_runner.user import CaseApprover
from tests.case_runner.world import Case, Spec, World, write_file
from tests.doubles.web_worlds import PlayedWeb, no_trust

SETTLE_S = 0.1
"""Stamps younger than 50 ms are not stored; the cases' README asks for this pause."""
SHORT_S = 1.0
"""Time limit of a fetch whose server lets it wait."""
_SLOW_SERVERS = ("drip", "hang_seconds", "endless")


class RecordingRunner(CommandRunner):
    """Runs the git of the git tools, and notes everything else in place of running it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            session_mark="case", environment=ChildEnvironment({}), artifacts_folder=folder
        )
        self.commands: list[Sequence[str]] = []

    async def run(
        self,
        start: ChildStart,
        output: OutputWish,
        *,
        call_id: CallId,
        timeout_ms: int,
        grace_s: float = 0.0,
    ) -> CommandResult:
        """Say of all but git that it ended well."""
        if Path(start.command[0]).name == "git":
            return await super().run(
                start, output, call_id=call_id, timeout_ms=timeout_ms, grace_s=grace_s
            )
        self.commands.append(start.command)
        nothing = CapturedOutput(head=b"", total_bytes=0, artifact=None)
        return CommandResult(
            exit_code=0, stdout=nothing, stderr=nothing, is_timed_out=False, background_pids=()
        )


class LatePolicy:
    """A policy that denies some tools from one call on."""

    def __init__(self, policy: Policy, *, after: int, denied: Sequence[str]) -> None:
        self._policy = policy
        self._left = after + 1
        self._denied = denied

    def decide(self, prepared: PreparedCall, *, mode: ApprovalMode, **facts: Any) -> Decision:
        """Return the real policy's decision, or a denial."""
        self._left -= 1
        if self._left < 0 and prepared.call.name in self._denied:
            return Decision(verdict=Verdict.DENY, reason="It is denied now.", rule="case")
        return self._policy.decide(prepared, mode=mode, **facts)

    def explain(self, command: str, *, cwd: str = ".") -> tuple[CommandPart, ...]:
        """Return what the real policy says."""
        return self._policy.explain(command, cwd=cwd)


async def play_by_hand(case: Case, setup: Spec, world: World) -> Played:
    """Make the calls of a case and return what happened."""
    steps = Steps(setup, world)
    approver = CaseApprover(setup.get("approve"), at_moment=steps.race_at)
    with umask_of(setup.get("umask")):
        settings = load_for(case, setup, world).settings
        web = PlayedWeb(setup.get("http") or [], setup.get("dns") or {})
        options = core_options(setup, world, settings, approver, web)
        core = build_core(replace(options, step_hook=steps))
        core.ledger.book(setup.get("session_diff_lines", 0))
        player = _Player(world=world, core=core, pipeline=_pipeline(case, setup, core))
        player.played.web = web
        try:
            await player.play(case, setup)
        finally:
            await core.end_processes()
    player.played.approvals_asked = approver.asked
    return player.played


def core_options(
    setup: Spec, world: World, settings: Settings, approver: CaseApprover, web: PlayedWeb
) -> CoreOptions:
    """Return what the core of a case is built from."""
    is_slow = any(key in exchange for exchange in setup.get("http", []) for key in _SLOW_SERVERS)
    client = WebClient(
        settings.web,
        resolver=web,
        connector=web,
        trust=no_trust,
        limits=WebLimits(total_s=SHORT_S) if is_slow else None,
    )
    return CoreOptions(
        root=world.root,
        settings=settings,
        locations=Locations(config=world.home, state=world.home),
        environment=world.environment,
        approver=approver,
        is_trusted=is_trusted(setup),
        web=client,
    )


def _pipeline(case: Case, setup: Spec, core: Core) -> CallPipeline:
    parts: PipelineParts = core.parts
    if case["area"] == "policy":
        parts = replace(parts, context=room(core.files, RecordingRunner(core.artifacts)))
    if setup.get("inside_subagent"):
        parts = replace(parts, agent_title="Part one")
    if "policy_after" in setup:
        late = LatePolicy(
            parts.policy,
            after=setup["policy_change_after"],
            denied=setup["policy_after"]["deny_tools"],
        )
        parts = replace(parts, policy=late)
    return CallPipeline(parts)


class _Player:
    """Makes calls and outside acts in order."""

    def __init__(self, *, world: World, core: Core, pipeline: CallPipeline) -> None:
        self._world = world
        self._core = core
        self._tools = ToolsByHand(calls=pipeline, events=core.events, ids=core.ids)
        self.played = Played()

    async def play(self, case: Case, setup: Spec) -> None:
        for call in setup.get("prior_calls", []):
            await self._tools.call(call["tool"], json.dumps(call["args"]))
        for spec in setup.get("then_write", []):
            write_file(self._world, spec)
        seen = len(self._core.events.events) + 1
        if "cache_hits" in case["expect"]:
            await asyncio.sleep(SETTLE_S)
        async with measured(self.played):
            await self._act(case)
        self.played.events = list(self._core.events.events_since(seen))
        gone = case["expect"].get("processes_gone", [])
        self.played.survivors = survivors_of(self._world, gone)

    async def _act(self, case: Case) -> None:
        acts: list[Spec] = self._world.fill(case.get("calls") or [_single_call(case)])
        if case.get("parallel"):
            for answered in await self._tools.call_together(
                [(act["tool"], arguments_of(act)) for act in acts]
            ):
                self._take(answered)
            return
        for act in acts:
            await self._act_once(act, abort_after_ms=case.get("abort_after_ms"))

    async def _act_once(self, act: Spec, *, abort_after_ms: int | None) -> None:
        if "tool" not in act:
            act_outside(self._world, act)
            self.played.acts.append(None)
            self.played.cached.append(False)
        elif abort_after_ms is None:
            self._take(await self._tools.call(act["tool"], arguments_of(act)))
        else:
            running = asyncio.create_task(self._tools.call(act["tool"], arguments_of(act)))
            asyncio.get_running_loop().call_later(abort_after_ms / 1000, running.cancel)
            await asyncio.wait([running])
            finished = [
                event for event in self._core.events.events if isinstance(event, ToolCallFinished)
            ]
            self.played.acts.append(finished[-1].result)
            self.played.cached.append(False)

    def _take(self, answered: Answered) -> None:
        self.played.acts.append(answered.result)
        self.played.cached.append(answered.is_cached)


def _single_call(case: Case) -> Spec:
    keys = ("tool", "args", "args_raw")
    return {key: case[key] for key in keys if key in case}


def arguments_of(act: Spec) -> str:
    """Return the argument text of a call."""
    if "args_raw" in act:
        return str(act["args_raw"])
    arguments: dict[str, Any] = dict(act.get("args") or {})
    if "content_json" in arguments:
        arguments["content"] = json.loads(arguments.pop("content_json"))
    if "content_parts" in arguments:
        parts = arguments.pop("content_parts")
        arguments["content"] = "".join(part["text"] * part["times"] for part in parts)
    return json.dumps(arguments)
