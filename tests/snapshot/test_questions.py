"""How questions, sub-agents, plans and lists look, wide, at 80 by 24 and at 40 by 12."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from caramelo_tui.agent.port import SkillInfo
from caramelo_tui.domain.agent_events import (
    AssistantReplied,
    CacheCounted,
    DiffCounted,
    Ending,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision, Verdict, WriteGrant
from caramelo_tui.domain.files import FileKind
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import AssistantMessage, StopReason
from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind, CallState, ToolResult
from caramelo_tui.domain.usage import Usage
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import opened
from tests.pilot.driving import GUARD_S, OpenedApp, action_request, command_request, entry
from tests.snapshot.snapshots import assert_snapshot
from tests.unit.ui.drawing import review, write

Play = Callable[[OpenedApp], Awaitable[None]]

COMMIT = Action(
    kind=ActionKind.COMMIT,
    title="Commit 12 files on branch fix/rounding",
    facts=(
        ActionFact(label="branch", value="fix/rounding"),
        ActionFact(label="author", value="Ada <ada@example.test>"),
        *(ActionFact(label="file", value=f"M  src/module_{n:02}.py") for n in range(12)),
    ),
    body="Round half to even\n\nTotals no longer drift by a cent when many rows are added.",
)
FETCH = Action(
    kind=ActionKind.FETCH,
    title="GET https://\u0430pple.example.test/",
    facts=(
        ActionFact(label="host", value="\u0430pple.example.test"),
        ActionFact(label="sent as", value="xn--pple-43d.example.test"),
    ),
)
TIDY, DOCS = "Tidy the imports", "Check the docs"
GRANTS = (
    WriteGrant(pattern="src/cli.py", covers="only src/cli.py"),
    WriteGrant(pattern="src/**", covers="every file below src"),
    WriteGrant(pattern="**", covers="every file in the workspace"),
)
SKILLS = (
    SkillInfo(
        name="migrate",
        description="Writes a migration and its test, and checks that it can be rolled back.",
        is_active=True,
    ),
    SkillInfo(name="release-notes", description="Collects merged changes.", is_active=False),
)


async def commit(running: OpenedApp) -> None:
    running.agent.start_run()
    running.agent.ask(action_request(COMMIT))


async def fetch(running: OpenedApp) -> None:
    running.agent.start_run()
    reason = "The host holds letters that look like others."
    request = action_request(FETCH, tool="web_fetch", reason=reason, agent_title=TIDY)
    running.agent.ask(request)


async def block_rule(running: OpenedApp) -> None:
    parts = (
        CommandPart(text="cd sub"),
        CommandPart(text="git push --force origin", risks=("sends commits to a remote",)),
    )
    running.agent.start_run()
    running.agent.ask(command_request("cd sub && git push --force origin", parts=parts))
    await running.settle()
    running.clock.move(GUARD_S)
    await running.press("b")


def call(agent: FakeAgent, name: str, tool: str, summary: str, *, title: str = "") -> None:
    """Start a call."""
    call_id = CallId(name)
    agent.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=call_id, tool=tool, arguments_json="{}", summary=summary
        ),
        agent=title,
    )


def decide(agent: FakeAgent, name: str, decision: Decision, *, title: str = "") -> None:
    """Decide a call."""
    agent.emit(
        lambda head: ToolCallDecided(head=head, call_id=CallId(name), decision=decision),
        agent=title,
    )


def finish(agent: FakeAgent, name: str, state: CallState, *, title: str = "") -> None:
    """Finish a call."""
    call_id = CallId(name)
    result = ToolResult(
        call_id=call_id, text="text", is_error=state is not CallState.OK, state=state
    )
    agent.emit(
        lambda head: ToolCallFinished(
            head=head,
            call_id=call_id,
            tool="file_read",
            result=result,
            duration_ms=12,
            is_cached=name == "cached",
            cache_age_s=12,
        ),
        agent=title,
    )


async def tools(running: OpenedApp) -> None:
    agent = running.agent
    agent.start_run("tidy the imports and check the docs")
    call(agent, "cached", "grep", "add_argument")
    finish(agent, "cached", CallState.OK)
    for name, title in (("p", TIDY), ("q", DOCS)):
        call(agent, name, "spawn_subagent", title)
        start_subagent(agent, CallId(name), title)
    call(agent, "p1", "file_read", "src/util.py", title=TIDY)
    finish(agent, "p1", CallState.OK, title=TIDY)
    call(agent, "q1", "file_read", "docs/index.md", title=DOCS)
    call(agent, "p2", "file_edit", ".env.local", title=TIDY)
    refusal = Decision(
        verdict=Verdict.DENY,
        reason=".env.local is protected.",
        rule="protected path .env*",
        origin="config.toml:4",
        code="protected_path",
    )
    decide(agent, "p2", refusal, title=TIDY)
    finish(agent, "p2", CallState.DENIED, title=TIDY)
    usage = Usage(input_tokens=46_000)
    agent.emit(
        lambda head: SubagentEnded(
            head=head,
            call_id=CallId("q"),
            title=DOCS,
            ending=Ending.COMPLETED,
            usage=usage,
            turns=4,
        )
    )
    agent.emit(lambda head: CacheCounted(head=head, hits=12, misses=8, entries=8, kept_bytes=1))
    agent.emit(
        lambda head: DiffCounted(head=head, changed_lines=120, deny_above=500, ask_above=200)
    )
    await running.press("f5")
    await running.settle()
    await running.press("g", "j", "j", "j")


def start_subagent(agent: FakeAgent, call_id: CallId, title: str) -> None:
    usage = Usage(input_tokens=12_000)
    agent.emit(
        lambda head: SubagentStarted(
            head=head, call_id=call_id, title=title, role="coder", model="small"
        )
    )
    agent.emit(lambda head: TurnStarted(head=head, number=3), agent=title)
    agent.emit(
        lambda head: UsageReported(
            head=head, usage=usage, session_usage=usage, context_window=None
        ),
        agent=title,
    )


async def plan(running: OpenedApp) -> None:
    agent = running.agent
    agent.mode = ApprovalMode.PLAN
    agent.start_run("plan a --json flag")
    text = "1. Parse the flag\n2. Render one object a line\n"
    agent.emit(lambda head: TextStreamed(head=head, text=text))
    message = AssistantMessage(blocks=(), stop_reason=StopReason.END_TURN)
    agent.emit(lambda head: AssistantReplied(head=head, message=message))
    agent.end_run(text=text)


async def denied(running: OpenedApp) -> None:
    agent = running.agent
    agent.start_run("rewrite the module")
    call(agent, "w", "file_write", "src/big.py")
    reason = (
        "With the 480 lines of this write the session would have changed 600; "
        "the limit is 500 (config.toml:7)."
    )
    refusal = Decision(
        verdict=Verdict.DENY, reason=reason, rule="max_diff_lines = 500", code="diff_limit"
    )
    decide(agent, "w", refusal)
    finish(agent, "w", CallState.DENIED)
    agent.emit(
        lambda head: DiffCounted(head=head, changed_lines=120, deny_above=500, ask_above=100)
    )


async def grants(running: OpenedApp) -> None:
    running.agent.start_run()
    proposed = review(write("a\nb\n", "a\nc\n", call_id="one"), agent_title=TIDY)
    running.agent.ask(proposed)
    await running.until(lambda: running.bench.changes.has_waiting)
    await running.press("ctrl+o")
    await running.settle()
    await running.press("g")


async def skills(running: OpenedApp) -> None:
    await running.press(*"/skill", "enter")


SIZES = ((160, 45), (80, 24), (40, 12))
SCENES: tuple[tuple[str, Play, tuple[tuple[int, int], ...]], ...] = (
    ("commit", commit, SIZES),
    ("fetch", fetch, SIZES),
    ("block-rule", block_rule, SIZES),
    ("subagents", tools, SIZES[:2]),
    ("plan", plan, SIZES[:2]),
    ("line-limit", denied, SIZES[:2]),
    ("grants", grants, SIZES),
    ("skills", skills, SIZES),
)


@pytest.mark.parametrize(
    ("name", "play", "size"),
    [
        pytest.param(name, play, size, id=f"{name}-{size[0]}x{size[1]}")
        for name, play, sizes in SCENES
        for size in sizes
    ],
)
async def test_scene(name: str, play: Play, size: tuple[int, int]) -> None:
    agent = FakeAgent(
        folders={".": (entry("src", FileKind.FOLDER), entry("README.md"))},
        grants={"src/cli.py": GRANTS},
        skills=SKILLS,
    )
    agent.info = replace(agent.info, context_window=None)
    async with opened(size=size, agent=agent) as running:
        await running.until(lambda: agent.listed)
        await play(running)
        await running.settle()
        running.clock.move(GUARD_S)
        # The guard's countdown draws itself again when its time is over.
        await running.until(lambda: "ready in" not in running.shown())
        await running.until(lambda: running.bench.conversation.view.is_settled)
        await running.until(lambda: running.bench.conversation.view._tick_timer is None)
        await running.until(lambda: running.bench.changes.view._tick_timer is None)
        await running.settle()
        assert_snapshot(running.app, f"{name}-{size[0]}x{size[1]}")
